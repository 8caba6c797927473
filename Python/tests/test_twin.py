"""Twins of the project's captures, against centrals of bumble. `make test-twin`"""
import asyncio
import copy
import functools
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest
import yaml
from bumble import att, hci
from bumble.controller import Controller
from bumble.device import Peer
from bumble.link import LocalLink
from bumble.transport import open_transport
from jsonschema import Draft202012Validator
from referencing import Registry, Resource
from twin_runs import (
    CAPTURES, attlas, client_run, conversation, duration, fault_run, incidents, replay, silence, subscribed_silence)

import attlas as package
from attlas import _twin_faults, _twin_file
from attlas._twin_air import over
from attlas._twin_client import Client, summary
from attlas._twin_model import Model
from attlas.testing import expect, twin

SCHEMA = CAPTURES.parent / "Documentation/schemas/twin.schema.json"
PEERS = {"handle-reused": ["HRM-7", "Rooftop"], "two-peripherals": ["HRM-7", "Oven"]}
# Devices that only advertise to nobody in particular: there is nothing to connect to.
WITHOUT_DEVICE = {"broadcaster", "tags"}
# What the twin says that it cannot do.
INEXACT = {"hasty-app": "a request without an answer", "eatt": "enhanced bearers: a twin has the fixed channel alone"}
DEVICES = [
    (path, peer) for path in sorted(CAPTURES.glob("*.btsnoop")) if path.stem not in WITHOUT_DEVICE
    for peer in PEERS.get(path.stem, [None])]


def name(device):
    return f"{device[0].stem}-{device[1]}"


@functools.lru_cache(maxsize=None)
def exported(path, peer):
    result = attlas("export", "--twin", "-", *(["--peer", peer] if peer else []), path)
    assert result.returncode == 0, result.stderr
    return result.stdout


# The model.


@pytest.mark.parametrize("device", DEVICES, ids=name)
def test_the_model_fits_its_schema(device):
    schema = json.loads(SCHEMA.read_text())
    Draft202012Validator.check_schema(schema)
    common = json.loads((SCHEMA.parent / "common.schema.json").read_text())
    registry = Registry().with_resource("common.schema.json", Resource.from_contents(common))
    errors = list(Draft202012Validator(schema, registry=registry).iter_errors(yaml.safe_load(exported(*device))))
    assert not errors, errors[:3]
    assert _twin_file.document(exported(*device).encode(), "exported")


def test_a_device_must_be_chosen():
    result = attlas("export", "--twin", "-", CAPTURES / "two-peripherals.btsnoop")
    assert result.returncode == 1
    assert "choose one with --peer: HRM-7 (F2:F2:F2:F2:F2:F2), Oven Probe (E6:0A:33:7C:90:15)" in result.stderr
    with pytest.raises(package.Error, match="choose one with --peer"):
        Model.load(CAPTURES / "two-peripherals.btsnoop")


# The recorded central and the twin.


def p95(numbers):
    return sorted(numbers)[int(len(numbers) * 0.95)]


@pytest.fixture(scope="session")
def replays(tmp_path_factory):
    folder = tmp_path_factory.mktemp("replays")
    # Not while times are measured: the command takes the processor.
    models = {name(device): Model(yaml.load(exported(*device), yaml.CSafeLoader), name(device)) for device in DEVICES}
    paths = {key: folder / f"{key}.btsnoop" for key in models}

    async def run():
        # A few at a time: times are measured.
        limit = asyncio.Semaphore(5)

        async def one(device):
            async with limit:
                return await replay(models[name(device)], paths[name(device)])

        lateness = []

        async def probe():
            """This machine's latency, including its other work."""
            while True:
                due = time.monotonic() + 0.02
                await asyncio.sleep(0.02)
                lateness.append(time.monotonic() - due)

        probing = asyncio.ensure_future(probe())
        devices = sorted(DEVICES, key=lambda device: -duration(models[name(device)]))
        played = dict(zip(map(name, devices), await asyncio.gather(*map(one, devices))))
        probing.cancel()
        return played, p95(lateness)

    played, lateness = asyncio.run(run())
    return {key: (models[key], Model.load(paths[key], address), pace) for key, (pace, address) in played.items()}, lateness


def table(model):
    return [[(a.handle, a.type, a.uuid, a.end_handle, a.value_handle, a.properties) for a in t.attributes if a.type] for t in model.tables]


def said(model):
    return [[(o.kind, o.handle, o.value, o.error) for o in c.operations] for c in model.connections]


def is_subsequence_share(recorded, played):
    """The share of the recorded operations of each attribute that the played ones have in the same order."""
    same = total = 0
    for first, second in zip(recorded, played + [[]] * len(recorded)):
        for handle in {operation[1] for operation in first}:
            rest = iter([o for o in second if o[1] == handle])
            wanted = [o for o in first if o[1] == handle]
            total += len(wanted)
            same += sum(operation in rest for operation in wanted)
    return same / total if total else 1.0


@pytest.mark.parametrize("device", DEVICES, ids=name)
def test_the_twin_says_what_was_recorded(device, replays):
    model, played, _ = replays[0][name(device)]
    if not any(c.operations for c in model.connections):
        return
    assert table(played) == table(model)
    share = is_subsequence_share(said(model), said(played))
    if device[0].stem in INEXACT:
        assert any(note["note"] == INEXACT[device[0].stem] for note in model.unknown)
    else:
        assert share >= 0.95, (said(model), said(played))


def test_the_times_are_those_of_the_recording(replays):
    """A twin that did not wait would be off by the recorded times. The figure to look at is printed: 5 ms and what this machine is late by."""
    differences = []
    for model, played, pace in replays[0].values():
        if pace < 1:
            continue
        for first, second in zip(model.connections, played.connections):
            left = {}
            for operation in second.operations:
                left.setdefault((operation.kind, operation.handle, operation.value), []).append(operation)
            for operation in first.operations:
                same = left.get((operation.kind, operation.handle, operation.value))
                if same and operation.after is not None and (after := same.pop(0).after) is not None:
                    differences.append(abs(after - operation.after))
    assert len(differences) > 300
    print(f"p95 of {len(differences)} times: {p95(differences) * 1000:.1f} ms; this machine: {replays[1] * 1000:.1f} ms")
    assert sorted(differences)[len(differences) // 2] < 0.02 + replays[1]


def test_a_bond_is_used(replays):
    """The second connection is encrypted with the key of the first."""
    _, played, _ = replays[0]["pairing-None"]
    assert [(c.encrypted_at_us is not None, c.pairing is not None) for c in played.connections] == [(True, True), (True, False)]


def test_it_starts():
    async def run():
        begun = time.monotonic()
        async with twin(CAPTURES / "led-strip.btsnoop"):
            return time.monotonic() - begun

    print(f"started in {asyncio.run(run()):.2f} s")


# Faults. Documentation/twin.md has the same tables.

BUTTONLESS = Path(__file__).with_name("buttonless.yaml")
# Of the device: the log that names the incident is the twin's, or that of the central.
FAULTS = [
    ("led-strip", "read 2901 refused 0x0E", "request refused", conversation, 1, "twin"),
    ("led-strip", "read 2901 never", "request unanswered", conversation, 1, "twin"),
    ("led-strip", "read 2901 late 31s", "request unanswered", conversation, 1, "twin"),
    ("led-strip", "read 2901 twice", "unrequested response", conversation, 1, "twin"),
    ("heart-rate", "read 2A29 refused 0x12", "database out of sync", conversation, 1, "twin"),
    ("led-strip", "write 0x0012 refused 0x0E", "subscription refused", conversation, 1, "twin"),
    ("heart-rate", "notify 2A37 never", "no values", subscribed_silence, 1, "twin"),
    ("heart-rate", "notify 2A37 13 stop", "values stopped", subscribed_silence, 1, "twin"),
    ("ice-cream", "notify 0x0010 is 7B 22 73 74 61 74 65 22 3A 22 64 69 73 70 65 6E 73 69 6E 67", "values cut", subscribed_silence, 1, "twin"),
    ("heart-rate", "notify 2A37 is 00 48; notify 2A37 14 on 0x0013", "notified on another handle", subscribed_silence, 1, "twin"),
    ("indications", "indicate 2A05 is 01 00 FF FF", "change not discovered", subscribed_silence, 1, "twin"),
    (BUTTONLESS, "indicate 0x0003 is 20 01 06", "procedure failed", conversation, 1, "twin"),
    (BUTTONLESS, "indicate 0x0003 disconnect 0x15", "device restarted", conversation, 1, "central"),
    ("heart-rate", "connection disconnect 0x08 after 3s", "link lost", conversation, 1, "central"),
    ("pairing", "connection disconnect 0x3D after 3s", "integrity check failed", conversation, 1, "central"),
    ("heart-rate", "connection disconnect 0x28 after 3s", "instant passed", conversation, 1, "central"),
    ("heart-rate", "connection disconnect 0x22 after 3s", "no link layer response", conversation, 1, "central"),
    ("heart-rate", "connection disconnect 0x3E", "never established", conversation, 1, "central"),
    ("led-strip", "connection disconnect 0x3B after 1s", "ended with an error", silence, 1, "central"),
    ("heart-rate", "connection disconnect 0x13 after 300ms", "reconnect storm", silence, 7, "twin"),
    ("heart-rate", "read 2A29 disconnect 0x13", "request unanswered", conversation, 1, "twin"),
    ("led-strip", "advertising stop", "attempt pending", conversation, 2, "central"),
    ("pairing", "pairing refused", "pairing failed", conversation, 1, "twin"),
    ("pairing", "pairing never", "pairing unfinished", conversation, 1, "twin"),
    ("heart-rate", "pairing ask", "security request ignored", silence, 1, "twin"),
    ("pairing", "encryption refused", "key missing", conversation, 2, "twin"),
    ("pairing", "encryption refused", "encryption failed", conversation, 2, "central"),
]
# Of the central, with faults of the device; how many times the recorded connections are played, and at which pace.
CLIENT_FAULTS = [
    ("led-strip", "read 2901 past", "", "read past the end", 1, 1),
    ("heart-rate", "write 2A37/2902 stop", "", "subscription missing", 1, 1.2),
    ("heart-rate", "write 2A37/2902 2 stop", "", "subscription not renewed", 2, 1.2),
    ("prepared-write", "write 0x0010 unexecuted", "", "long write not executed", 1, 1),
    ("indications", "indicate 2A05 never", "", "indication unconfirmed", 1, 1),
    ("heart-rate", "update refused", "update ask", "update refused", 1, 1),
    ("heart-rate", "update unmade", "update ask", "update not made", 1, 1.4),
    ("heart-rate", "update unmade", "update ask 3", "update repeated", 1, 0.5),
    ("heart-rate", "update never", "update ask", "update unanswered", 1, 3.5),
    ("pairing", "pairing again", "", "paired again", 1, 1),
    ("pairing", "encryption early", "", "sent during encryption setup", 1, 1),
    ("heart-rate", "connection once", "connection disconnect 0x08 after 3s", "not reconnected", 1, 1),
    ("heart-rate", "connection mistyped", "", "wrong address type", 1, 1),
]


def list_of(faults):
    return faults.split("; ") if faults else []


@pytest.fixture(scope="session")
def fault_runs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("faults")

    async def run():
        runs = {}
        for row in {row[:2]: row for row in FAULTS}.values():
            runs[row[:2]] = fault_run(row[0], list_of(row[1]), *row[3:5], *paths(folder, row[:2]))
        for capture, faults, of_device, _, times, pace in CLIENT_FAULTS:
            row = (capture, faults, of_device)
            runs[row] = client_run(capture, list_of(faults), list_of(of_device), times, pace, paths(folder, row)[1])
        await asyncio.gather(*runs.values())

    asyncio.run(run())
    return folder


def paths(folder, row):
    """The recordings of the twin and of the central."""
    number = [*dict.fromkeys(fault[:2] for fault in FAULTS), *(fault[:3] for fault in CLIENT_FAULTS)].index(row)
    return [folder / f"{number}-{side}.btsnoop" for side in ("twin", "central")]


def is_in_the_capture(kind, capture):
    return capture != BUTTONLESS and kind != "request refused" and kind in incidents(CAPTURES / f"{capture}.btsnoop")


@pytest.mark.parametrize("capture, fault, kind, log", [(*fault[:3], fault[5]) for fault in FAULTS])
def test_a_fault_is_named_by_why(capture, fault, kind, log, fault_runs):
    assert kind in incidents(paths(fault_runs, (capture, fault))[log == "central"])
    assert not is_in_the_capture(kind, capture)


@pytest.mark.parametrize("capture, fault, of_device, kind", [fault[:4] for fault in CLIENT_FAULTS])
def test_a_fault_of_the_central_is_named_by_why(capture, fault, of_device, kind, fault_runs):
    assert kind in incidents(paths(fault_runs, (capture, fault, of_device))[1])
    assert not is_in_the_capture(kind, capture)


def test_the_page_has_every_fault():
    page = (CAPTURES.parent / "Documentation/twin.md").read_text()
    rows = [[cell.strip() for cell in row.split("|")[1:-1]] for row in re.findall(r"^\| `.*\|$", page, re.M)]

    def faults(cell):
        return "; ".join(re.findall("`([^`]+)`", cell))

    apps = {conversation: "as recorded", silence: "waits", subscribed_silence: "subscribes"}
    assert [(faults(row[0]), row[1], row[2].split(",")[0].split(";")[0].split(" 12")[0], row[3]) for row in rows if len(row) == 4] == [
        (fault, getattr(capture, "stem", capture), apps[body], f"*{kind}*" + (" (the central's log)" if log == "central" else ""))
        for capture, fault, kind, body, _, log in FAULTS]
    assert [(faults(row[0]), row[1], faults(row[3]), row[4]) for row in rows if len(row) == 5] == [
        (fault, capture, of_device, f"*{kind}*") for capture, fault, of_device, kind, _, _ in CLIENT_FAULTS]


@pytest.mark.parametrize("text", [
    "", "read", "read 2A19", "read 9999 never", "read 2901 later", "read 2901 late 31", "read 2901 refused 0x100", "read 2901 refused",
    "notify 0x0010 refused 1", "write 0x0010 short by 2", "write 0x0010 is 00", "read 0x0010 on 0x0011", "read 0x0010 is", "read 0x0010 short by -1",
    "read 0x0010 disconnect 0x13 after 3s", "read 0x0999 never", "connection late 3s", "read 2901 never ever", "read 2901 0 never", "read 2901 short by x", "jump 2901 never"])
def test_what_is_not_a_fault(text):
    with pytest.raises(package.Error):
        _twin_faults.parse(text, Model.load(CAPTURES / "led-strip.btsnoop"))


@pytest.mark.parametrize("role", ["device", "client"])
def test_the_grammar_is_what_is_taken(role):
    model = Model.load(CAPTURES / "led-strip.btsnoop")
    words = {"ATTRIBUTE": "0x0010", "HANDLE": "0x0010", "[N]": "2", "TIME": "3s", "CODE": "0x0E", "[CODE]": "0x13", "N": "2", "HEX": "01 FF",
             "[after": "after", "TIME]": "3s"}
    rows = [line.strip().split(" ", 1) for line in _twin_faults.GRAMMAR[role].splitlines() if line.startswith("  ")]
    for operations, rest in rows:
        for operation in operations.split("|"):
            attribute = "ATTRIBUTE [N] " if rest.startswith("ATTRIBUTE") else ""
            for effect in rest.removeprefix(attribute).split(" | "):
                text = " ".join(words.get(word, word) for word in f"{operation} {attribute}{effect}".split())
                assert _twin_faults.parse(text, model, role).effect == effect.split()[0]


def test_a_uuid_that_several_attributes_have():
    with pytest.raises(package.Error, match="3 attributes are 2A4D; give a handle: 0x0014, 0x0018, 0x001B"):
        Model.load(CAPTURES / "keyboard.btsnoop").handle("2A4D")


@pytest.mark.parametrize("text", ["read 2901 late 1s", "write 0x0010 refused 0x0E", "indicate 0x0010 late 1", "connection disconnect", "update ask"])
def test_what_is_not_a_fault_of_a_central(text):
    with pytest.raises(package.Error, match="a fault of a client is one of"):
        _twin_faults.parse(text, Model.load(CAPTURES / "led-strip.btsnoop"), "client")


# What was not recorded.


async def connected(device):
    central = device.central()
    await central.power_on()
    return await central.connect(device.address)


def test_writes_that_were_never_recorded():
    async def run(strict):
        async with twin(CAPTURES / "led-strip.btsnoop", strict=strict, pace=0) as device:
            client = (await connected(device)).gatt_client
            try:
                await client.write_value(0x0010, bytes.fromhex("00ABCDEF"), with_response=True)
            except att.ATT_Error as error:
                return error.error_code, device.unknown
            # Four of four reads gave the value that was written before.
            assert await client.read_value(0x0010) == bytes.fromhex("00ABCDEF")
            return None, device.unknown

    assert asyncio.run(run(False)) == (None, ["write 0x0010 00 ab cd ef was never recorded: accepted"])
    assert asyncio.run(run(True)) == (0x0E, ["write 0x0010 00 ab cd ef was never recorded: refused"])


def test_a_length_that_was_refused_is_refused_with_another_value():
    async def run():
        async with twin(CAPTURES / "led-strip.btsnoop", pace=0) as device:
            client = (await connected(device)).gatt_client
            with pytest.raises(att.ATT_Error) as error:
                await client.write_value(0x0010, b"\x01\x02\x03", with_response=True)
            return error.value.error_code

    assert asyncio.run(run()) == 0x0D


def test_security_comes_before_the_value():
    async def run():
        async with twin(CAPTURES / "pairing.btsnoop", pace=0) as device:
            connection = await connected(device)
            with pytest.raises(att.ATT_Error) as error:
                await connection.gatt_client.read_value(0x0012)
            await connection.pair()
            return error.value.error_code, await connection.gatt_client.read_value(0x0012)

    assert asyncio.run(run()) == (0x0F, b"2026-11-20 22:14 locked")


def test_values_changed_by_hand():
    async def run():
        async with twin(CAPTURES / "heart-rate.btsnoop", values={"2A19": 50}, pace=0) as device:
            client = (await connected(device)).gatt_client
            first = await client.read_value(device.model.handle("2A19"))
            device["2A29"] = b"Nobody"
            return first, await client.read_value(device.model.handle("2A29"))

    assert asyncio.run(run()) == (b"\x32", b"Nobody")


def test_a_later_write_replaces_a_value_changed_by_hand():
    async def run():
        async with twin(CAPTURES / "led-strip.btsnoop", pace=0) as device:
            client = (await connected(device)).gatt_client
            device["0x0010"] = bytes.fromhex("00808080")
            read = [await client.read_value(0x0010)]
            for text in ("0000FF00", "00112233", "0000FF00"):  # the second one was never recorded
                await client.write_value(0x0010, bytes.fromhex(text), with_response=True)
                read.append(await client.read_value(0x0010))
            return [value.hex() for value in read]

    assert asyncio.run(run()) == ["00808080", "0000ff00", "00112233", "0000ff00"]


def test_values_are_sent_to_subscribers_and_cut_to_the_mtu():
    received, log = [], []

    async def run():
        async with twin(CAPTURES / "indications.btsnoop", pace=0, log=log.append) as device:
            device.model.connections[0].operations.clear()
            client = (await connected(device)).gatt_client
            client.on_att_handle_value_notification = lambda pdu: received.append(("notify", pdu.attribute_value))
            confirm = client.on_att_handle_value_indication
            client.on_att_handle_value_indication = lambda pdu: (received.append(("indicate", pdu.attribute_value)), confirm(pdu))
            table = device.model.tables[0].attributes
            for kind in ("notify", "indicate"):
                handle = next(a.value_handle for a in table if a.properties and kind in a.properties)
                configuration = next(a.handle for a in table if a.type == "2902" and a.characteristic == handle)
                device[f"0x{handle:04X}"] = b"\x05"  # sends nothing
                device.notify(f"0x{handle:04X}", b"\x06")
                await client.write_value(configuration, b"\x03\x00", with_response=True)
                await client.write_value(configuration, b"\x01\x00" if kind == "notify" else b"\x02\x00", with_response=True)
                device.notify(f"0x{handle:04X}", bytes(range(40)))
                await asyncio.sleep(0.05)

    asyncio.run(run())
    assert received == [("notify", bytes(range(20))), ("indicate", bytes(range(20)))]
    assert any("the first 20 of 40 octets are sent, the MTU is 23" in line for line in log)


@pytest.mark.parametrize("capture, handle, kind, code", [
    ("led-strip", 0x0003, "write", 0x03),  # Device Name: read
    ("led-strip", 0x0002, "write", 0x03),  # a declaration
    ("heart-rate", "2A37", "read", 0x02),  # Heart Rate Measurement: notify
    ("heart-rate", "2A39", "read", 0x02),  # Heart Rate Control Point: write
    ("heart-rate", "2A39", "write", None),
    ("careless-scale", "2A9E", "read", None),
])
def test_properties_are_enforced(capture, handle, kind, code):
    async def run():
        async with twin(CAPTURES / f"{capture}.btsnoop", pace=0) as device:
            client = (await connected(device)).gatt_client
            at = handle if isinstance(handle, int) else device.model.handle(handle)
            try:
                await (client.read_value(at) if kind == "read" else client.write_value(at, b"\x01", with_response=True))
            except att.ATT_Error as error:
                return error.error_code

    assert asyncio.run(run()) == code


def test_what_the_device_did_against_its_properties():
    """A read that was answered, of a characteristic without the property."""
    document = yaml.safe_load(exported(CAPTURES / "heart-rate.btsnoop", None))
    document["connections"][0]["operations"].append({"frame": 900, "at_us": 0, "read": 0x10, "value": "00 48"})

    async def run():
        async with twin(Model(document, "a"), pace=0) as device:
            return await (await connected(device)).gatt_client.read_value(0x10)

    assert asyncio.run(run()) == b"\x00\x48"


def test_learned_octets_are_those_of_the_request():
    document = yaml.safe_load(exported(CAPTURES / "led-strip.btsnoop", None))
    document["answers"] = [{
        "write": 16, "notify": 16, "after_us": 0, "support": 9, "of": 9, "echoes": [{"octet": 1, "of_request": 2, "xor": 255}]}]
    operations = document["connections"][0]["operations"] = [
        {"frame": 1, "at_us": 0, "write": 16, "value": "05 00 00"},
        {"frame": 2, "at_us": 0, "notify": 16, "value": "85 00 AA", "since_frame": 1, "after_us": 0}]
    assert len(operations) == 2
    document["refusals"] = []
    received = []

    async def run():
        async with twin(Model(document, "a")) as device:
            connection = await connected(device)
            connection.gatt_client.on_att_handle_value_notification = lambda pdu: received.append(pdu.attribute_value)
            await connection.gatt_client.write_value(16, bytes.fromhex("050110"), with_response=True)
            await asyncio.sleep(0.05)

    asyncio.run(run())
    assert received == [bytes.fromhex("85EFAA")]


def test_a_central_follows_a_table_that_moved(tmp_path):
    """Another firmware has a service before: each handle of the vendor's service is 4 higher."""
    document = yaml.safe_load(exported(CAPTURES / "led-strip.btsnoop", None))
    old = Model(copy.deepcopy(document), "old")
    # A name that is not UTF-8.
    document["advertising"] = [{"scan_response": False, "connectable": True, "count": 1, "data": "02 01 06 03 09 80 01"}]
    for attribute in document["tables"][0]["attributes"]:
        for key in ("handle", "value_handle", "end_handle"):
            if attribute.get(key, 0) >= 0x000E:
                attribute[key] += 4
    for operation in document["connections"][0]["operations"]:
        for kind in ("read", "write", "command", "notify"):
            if operation.get(kind, 0) >= 0x000E:
                operation[kind] += 4
    for rule in document["refusals"]:
        rule["handle"] += 4
    log = []

    async def run():
        async with twin(Model(document, "new"), record=str(tmp_path / "new.btsnoop")) as device:
            central = device.central()
            await central.power_on()
            client = Client(old, central, log=log.append)
            await client.run(device.address.to_string(False))
            return device.unknown

    assert asyncio.run(run()) == []
    assert not any(line.startswith("left out") for line in log)
    assert "the table moved: 0x0010 → 0x0014, 0x0011 → 0x0015, 0x0012 → 0x0016" in log


def test_a_central_finds_the_device_by_its_name():
    """A twin cannot have a public address, and has another one."""
    document, log = yaml.safe_load(exported(CAPTURES / "led-strip.btsnoop", None)), []
    document["device"].update(address="00:1E:D5:00:51:0B", address_type="public")
    document["connections"][0]["operations"].clear()

    async def run(target):
        async with twin(Model(document, "a"), pace=0) as device:
            central = device.central()
            await central.power_on()
            await Client(device.model, central, log=log.append, pace=0).run(target)

    asyncio.run(run(None))
    assert "00:1E:D5:00:51:0B is not heard: LED Strip is C0:1E:D5:00:51:0B" in log
    with pytest.MonkeyPatch.context() as patch, pytest.raises(package.Error, match=re.escape("heard: LED Strip (C0:1E:D5:00:51:0B); give one")):
        patch.setattr("attlas._twin_client.WAIT", 3.2)
        asyncio.run(run("Oven"))


def test_a_request_without_an_answer_ends_the_session():
    """No more requests may follow. Core Specification, Vol 3, Part F, 3.3.3."""
    async def run():
        async with twin(CAPTURES / "led-strip.btsnoop", faults=["read 2901 never"], pace=0) as device:
            central = device.central()
            await central.power_on()
            await Client(device.model, central, pace=0).run(device.address.to_string(False))

    with pytest.MonkeyPatch.context() as patch, pytest.raises(package.Error, match="read 0x0011 of frame 90: the device did not answer"):
        patch.setattr("bumble.gatt_client.GATT_REQUEST_TIMEOUT", 0.5)
        asyncio.run(run())


def test_a_request_that_was_not_answered_when_it_was_recorded():
    """Frame 143 of hasty-app.md. A strict twin refuses it: no value is known."""
    log = []

    async def run():
        async with twin(CAPTURES / "hasty-app.btsnoop", strict=True, pace=0) as device:
            central = device.central()
            await central.power_on()
            await Client(device.model, central, pace=0, log=log.append).run(device.address.to_string(False))

    asyncio.run(run())
    assert "read 0x001D: 0x0E, recorded: no answer" in log


def test_a_refused_pairing_is_not_repeated():
    log = []

    async def run():
        async with twin(CAPTURES / "pairing.btsnoop", faults=["pairing refused"], pace=0) as device:
            central = device.central()
            await central.power_on()
            await Client(device.model, central, pace=0, log=log.append).run(device.address.to_string(False))

    asyncio.run(run())
    assert sum(line.startswith("not encrypted") for line in log) == 2  # one in each connection


def test_a_central_does_not_wait_forever():
    async def run():
        async with twin(CAPTURES / "pairing.btsnoop", faults=["pairing never"]) as device:
            central = device.central()
            await central.power_on()
            await Client(device.model, central, pace=0).run(device.address.to_string(False))

    with pytest.MonkeyPatch.context() as patch, pytest.raises(package.Error, match="pairing: the device did not answer for 3.5 s"):
        patch.setattr("attlas._twin_client.WAIT", 3.5)
        asyncio.run(run())


def test_a_twin_of_an_anonymized_capture(tmp_path):
    made = tmp_path / "anonymous.btsnoop"
    assert attlas("anonymize", CAPTURES / "heart-rate.btsnoop", made).returncode == 0

    async def run():
        async with twin(made, pace=0) as device:
            connection = await connected(device)
            await Peer(connection).discover_all()
            return await connection.gatt_client.read_value(device.model.handle("2A38"))

    assert asyncio.run(run()) == b"\x01"


def test_recordings_and_expectations(tmp_path):
    path = str(tmp_path / "run.btsnoop")
    asyncio.run(fault_run("heart-rate", [], conversation, 1, path))
    expect(path, {"characteristic": "2A37", "notifies-within": "1 s"})


def test_a_recording_ends_with_the_block(tmp_path):
    """The app does not disconnect, and the loop runs on."""
    path, errors = str(tmp_path / "run.btsnoop"), []

    async def run():
        asyncio.get_running_loop().set_exception_handler(lambda loop, context: errors.append(context))
        async with twin(CAPTURES / "led-strip.btsnoop", record=path) as device:
            connection = await connected(device)
            await connection.gatt_client.read_value(0x0010)
        await asyncio.sleep(0.2)

    asyncio.run(run())
    assert errors == []
    assert "ended by this host" in attlas("show", path).stdout
    before = Path(path).read_bytes()
    with pytest.raises(FileExistsError, match="an existing file; give the name of a new file"):
        asyncio.run(run())
    assert Path(path).read_bytes() == before


def test_two_twins_have_two_addresses():
    async def run():
        async with twin(CAPTURES / "led-strip.btsnoop") as device:
            async with twin(CAPTURES / "led-strip.btsnoop", air=device.air, address="C4:1E:D5:00:51:0C"):
                pass
            with pytest.raises(package.Error, match="C4:1E:D5:00:51:0B: another device of this air has the address"):
                async with twin(CAPTURES / "led-strip.btsnoop", air=device.air):
                    pass
        # It may be used again.
        async with twin(CAPTURES / "led-strip.btsnoop", air=device.air):
            pass

    asyncio.run(run())


def test_a_fleet_of_a_hundred():
    """100 twins in this process, each with a central, and 1,000 notifications a second together."""
    received = 0

    def count(pdu):
        nonlocal received
        received += 1

    async def run():
        model = Model.load(CAPTURES / "heart-rate.btsnoop")
        model.connections[0].operations.clear()
        running = []
        from contextlib import AsyncExitStack
        async with AsyncExitStack() as stack:
            for _ in range(100):
                device = await stack.enter_async_context(twin(model))
                connection = await connected(device)
                connection.gatt_client.on_att_handle_value_notification = count
                await connection.gatt_client.write_value(model.handle("2A37/2902"), b"\x01\x00", with_response=True)
                running.append(device)
            begun, cpu = time.monotonic(), time.process_time()
            for round_ in range(20):
                for device in running:
                    device.notify("2A37", b"\x00\x48")
                await asyncio.sleep(max(0.0, begun + (round_ + 1) / 10 - time.monotonic()))
            await asyncio.sleep(0.2)
            return time.monotonic() - begun, time.process_time() - cpu

    seconds, cpu = asyncio.run(run())
    print(f"2,000 notifications in {seconds:.1f} s, {cpu:.1f} s of processor time")
    assert received == 2000


def test_the_page_runs(tmp_path):
    """The examples of Documentation/twin.md, as files of tests."""
    page = (CAPTURES.parent / "Documentation/twin.md").read_text()
    blocks = re.findall(r"```python no-run\n(.*?)```", page, re.S)
    assert len(blocks) == 2
    for number, block in enumerate(blocks):
        (tmp_path / f"test_{number}.py").write_text(block)
    shutil.copy(CAPTURES / "led-strip.btsnoop", tmp_path / "led.btsnoop")
    result = subprocess.run([sys.executable, "-m", "pytest", "-q"], cwd=tmp_path, capture_output=True, text=True)
    assert "2 passed" in result.stdout, result.stdout


# The command.


def command(*arguments, **more):
    return subprocess.run([sys.executable, "-m", "attlas.twin", *map(str, arguments)], capture_output=True, text=True, **more)


def test_it_says_what_is_unknown_before_it_starts():
    result = command(CAPTURES / "led-strip.btsnoop", "--check")
    assert result.returncode == 0
    assert result.stdout.splitlines() == [
        "LED Strip · 18 attributes at their handles · advertises as recorded",
        "refuses   write 0x0010 of length 3: 0x0D (1 time)",
        "unknown   never read: it has no value: 0x0005, 0x000B, 0x000D",
    ]


def test_a_client_says_what_it_plays():
    """The frames of led-strip.md, and requests that the capture has without their values."""
    result = command(CAPTURES / "led-strip.btsnoop", "--as", "client", "--check")
    assert result.stdout == "LED Strip · its recorded central: 8 reads, 6 writes, 4 commands in 1 connection\n"
    document = yaml.safe_load(BUTTONLESS.read_text())
    document["tables"] = []
    for operation in document["connections"][0]["operations"][:2]:
        del operation["value"]
    assert summary(Model(document, "a")) == [
        "Buttonless · its recorded central: no requests in 1 connection",
        "left out  2 writes of which the capture has no value: 0x0003, 0x0004",
        "unknown   the table was not discovered: handles are used as recorded",
    ]


@pytest.mark.parametrize("arguments, message", [
    ([CAPTURES / "led-strip.btsnoop"], "--transport is missing"),
    ([CAPTURES / "led-strip.btsnoop", "--check", "--fault", "read 2901 later"], "a fault is one of"),
    ([CAPTURES / "led-strip.btsnoop", "--as", "client", "--check", "--fault", "read 2901 late 1s"], "a fault of a client is one of"),
    ([CAPTURES / "led-strip.btsnoop", "--transport", "nothing:0"], "unknown transport scheme; transports are usb, hci-socket, vhci, "),
    ([CAPTURES / "led-strip.btsnoop", "--transport", "usb:"], "the part after the colon is missing or wrong; usb:0 is the first"),
    ([CAPTURES / "led-strip.btsnoop", "--transport", "tcp-client:127.0.0.1"], "give tcp-client:HOST:PORT of a controller"),
    ([CAPTURES / "led-strip.btsnoop", "--transport", "tcp-client:127.0.0.1:1"], "give tcp-client:HOST:PORT of a controller"),
    ([CAPTURES / "led-strip.btsnoop", "--transport", "vhci:/nowhere/vhci"], "modprobe hci_vhci"),
    ([CAPTURES / "led-strip.btsnoop", "--check", "--set", "0x0010"], "give ATTRIBUTE=VALUE"),
    ([CAPTURES / "led-strip.btsnoop", "--check", "--set", "0x0010=99999999999"], "a number that fits into the recorded value"),
    ([CAPTURES / "led-strip.btsnoop", "--check", "--set", "0x0010=0x" + "00" * 513], "at most 512 octets"),
    ([CAPTURES / "led-strip.btsnoop", "--check", "--pace", "nan"], "pace nan: give 0 or a positive number"),
    ([CAPTURES / "led-strip.btsnoop", "--check", "--pace", "-1"], "pace -1.0: give 0 or a positive number"),
    ([CAPTURES / "led-strip.btsnoop", "--check", "--passkey", "1000000"], "from 0 to 999999"),
    ([CAPTURES / "led-strip.btsnoop", "--check", "--address", "00:11:22:33:44:55"], "give a random static one"),
    ([CAPTURES / "led-strip.btsnoop", "--check", "--record", CAPTURES / "led-strip.btsnoop"], "an existing file"),
    ([CAPTURES / "led-strip.btsnoop", "--check", "--record", CAPTURES], "a folder"),
    ([CAPTURES / "led-strip.btsnoop", "--check", "--record", "/dev/full"], "not a file"),
    ([CAPTURES / "led-strip.btsnoop", "--check", "--as", "client", "--strict"], "--strict is not for --as client"),
    ([CAPTURES / "led-strip.btsnoop", "--check", "--fault", "update ask 0"], "a fault is one of"),
    ([CAPTURES / "led-strip.btsnoop", "--check", "--fault", "update ask 9999999999"], "a fault is one of"),
    ([CAPTURES / "none.btsnoop", "--check"], "No such file or directory"),
    ([CAPTURES / "none.yaml", "--check"], "attlas.twin: " + str(CAPTURES / "none.yaml") + ": No such file or directory"),
    ([CAPTURES / "broadcaster.btsnoop", "--check"], "no device has a table"),
])
def test_mistakes(arguments, message):
    result = command(*arguments)
    assert result.returncode == 1
    assert message in result.stderr and "Traceback" not in result.stderr


@pytest.mark.parametrize("text, message", [
    ("", "a.yaml: empty"),
    ("schema: attlas/twin/2", "line 1: schema: 'attlas/twin/1' was expected"),
    ("a: [", "a.yaml, line 2, column 1: not YAML"),
    ("- 1", "line 1: [1] is not of type 'object'"),
    ("schema: attlas/twin/1\ndevice: 1", "line 2: device: 1 is not of type 'object'"),
])
def test_files_that_are_no_twins(text, message, tmp_path):
    path = tmp_path / "a.yaml"
    path.write_text(text)
    with pytest.raises(package.Error, match=re.escape(message)):
        Model.load(path)


@pytest.mark.parametrize("old, new, message", [
    ('value: "00 FF 80 00"', 'value: "00 FF 80 0"', """line 45: connections[0].operations[2].value: '00 FF 80 0'; expected: Octets in quotes"""),
    ('type: "2A00"', "type: 2800", "attributes[2].type: 2800; expected: A UUID in quotes"),
    ("read: 0x0010", "raed: 0x0010", "line 45: connections[0].operations[2].raed: not a key here; expected: read, write, command, notify, indicate, frame"),
    ("readbacks:", "1: 2\nreadbacks:", "[1]: not a key here; expected: schema, file, device"),
    ('address: "C4:1E:D5:00:51:0B"', "<<: { address: 1 }", "line 4: device.address: 1; expected: An address in upper case"),
    ("read: 0x0010", "read: 0x0010, notify: 0x0010", "operations[2]: expected one of read, write, command, notify, indicate"),
    ("handle: 0x0003, type", "handle: 0x0002, type", "attributes[2].handle: 0x0002 after 0x0002; expected ascending handles"),
    ("uuid: \"2A00\", ", "", "attributes[1]: 'uuid' is a required property"),
    ("end_handle: 0x0005", "end_handle: 0x0000", "attributes[0].end_handle: expected 0x0001 or a later handle"),
    ("when: length, length: 3", "when: length", "refusals[0]: 'length' is a required property"),
    ('value: "00 FF 80 00"', f'value: "{"00 " * 512}00"', "operations[2].value: longer than 512 octets"),
    ("since_frame: 96", "since_frame: 97", "since_frame: no request of this connection has frame 97"),
])
def test_mistakes_in_a_file(old, new, message, tmp_path):
    path, text = tmp_path / "led.yaml", exported(CAPTURES / "led-strip.btsnoop", None)
    assert old in text
    path.write_text(text.replace(old, new, 1))
    with pytest.raises(package.Error, match=re.escape(message)) as error:
        Model.load(path)
    assert str(error.value).startswith(f"{path}, line ")


def test_files_without_an_ending(tmp_path):
    path, text = tmp_path / "led", exported(CAPTURES / "led-strip.btsnoop", None)
    path.write_text(text)
    assert Model.load(path).name == "LED Strip"
    with pytest.raises(package.Error, match="has one device; leave --peer out"):
        Model.load(path, "LED")
    for given in (text.encode(), (CAPTURES / "led-strip.btsnoop").read_bytes()):
        result = subprocess.run([sys.executable, "-m", "attlas.twin", "-", "--check"], input=given, capture_output=True)
        assert result.stdout.startswith(b"LED Strip"), result.stderr


@pytest.mark.parametrize("program", ["/bin/false", "/bin/echo"])
def test_another_command_than_attlas(program):
    result = command(CAPTURES / "led-strip.btsnoop", "--check", env={**os.environ, "ATTLAS": program})
    assert (result.returncode, result.stderr) == (1, f"attlas.twin: {program}: not the command attlas, or another version of it\n")


def test_an_output_without_unicode_and_no_input():
    result = command(CAPTURES / "led-strip.btsnoop", "--check", env={**os.environ, "PYTHONIOENCODING": "ascii"})
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout.startswith("LED Strip \\xb7 18 attributes")
    result = command("-", "--check", preexec_fn=lambda: os.close(0))
    assert (result.returncode, result.stderr) == (1, "attlas.twin: standard input: the file is empty (0 octets)\n")


def test_without_bumble(tmp_path):
    """The sentence, and no traceback."""
    (tmp_path / "bumble.py").write_text("raise ImportError('no bumble')")
    result = command(CAPTURES / "led-strip.btsnoop", env={**os.environ, "PYTHONPATH": f"{tmp_path}{os.pathsep}{os.environ.get('PYTHONPATH', '')}"})
    assert (result.returncode, result.stderr) == (1, "attlas.twin: a twin needs Python 3.11 or later, and: pip install attlas[twin] (no bumble)\n")


def free_port():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


async def controllers():
    """Two controllers that hear each other, over TCP; and the device's process."""
    link, names, opened = LocalLink(), [], []
    for number in range(2):
        port = free_port()
        transport = await open_transport(f"tcp-server:127.0.0.1:{port}")
        opened.append((transport, Controller(f"c{number}", host_source=transport.source, host_sink=transport.sink, link=link)))
        names.append(f"tcp-client:127.0.0.1:{port}")
    return names, opened


async def device_process(capture, transport, recording):
    device = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "attlas.twin", str(capture), "--transport", transport, "--record", str(recording),
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))  # a shell's background jobs ignore it
    while b"advertising as" not in (line := await device.stdout.readline()):
        assert line
    return device


def interrupted_when(path, *arguments, **variables):
    """The status and the errors of a command that is interrupted once it has made a file."""
    process = subprocess.Popen(
        [sys.executable, "-m", "attlas.twin", *arguments], env={**os.environ, **variables}, stderr=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
    deadline = time.monotonic() + 20
    while not path.exists() and time.monotonic() < deadline:
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    return process.communicate(timeout=20)[1], process.returncode


def test_an_interruption_before_it_starts(tmp_path):
    """Ctrl-C while bumble is imported, and while the capture is read: no traceback, and what a shell shows as 130."""
    made = tmp_path / "made"
    (tmp_path / "bumble.py").write_text(f"import time\nopen({str(made)!r}, 'x')\ntime.sleep(30)")
    path = f"{tmp_path}{os.pathsep}{os.environ.get('PYTHONPATH', '')}"
    assert interrupted_when(made, "a.btsnoop", "--check", PYTHONPATH=path) == (b"", -signal.SIGINT)
    made.unlink()
    slow = tmp_path / "slow"
    slow.write_text(f"#!/bin/sh\n: > {made}\nexec sleep 30\n")
    slow.chmod(0o755)
    assert interrupted_when(made, "a.btsnoop", "--check", ATTLAS=str(slow)) == (b"", 130)


@pytest.mark.parametrize("role", ["device", "client"])
@pytest.mark.parametrize("is_connected", [False, True], ids=["before-the-first-answer", "connected"])
def test_a_transport_that_closes(role, is_connected):
    async def run():
        names, opened = await controllers()
        if role == "client":
            names.reverse()
            opened.reverse()
        sink = opened[0][0].sink
        if not is_connected:
            sink.on_packet = lambda packet: sink.transport.close()
        played, other = [
            await asyncio.create_subprocess_exec(
                sys.executable, "-m", "attlas.twin", str(CAPTURES / "led-strip.btsnoop"), "--transport", name, "--as", side,
                stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE)
            for name, side in zip(names, (role, "client" if role == "device" else "device"))]
        while is_connected and b"connected, as in recorded connection 1" not in (line := await played.stdout.readline()):
            assert line
        if is_connected:
            sink.transport.close()
        _, errors = await asyncio.wait_for(played.communicate(), 8)
        other.terminate()
        await other.communicate()
        return played.returncode, errors.decode(), f"attlas.twin: transport {names[0]}: closed by the other side\n"

    status, errors, expected = asyncio.run(run())
    assert (status, errors) == (1, expected)


def test_an_interruption_keeps_the_recording(tmp_path):
    """Ctrl-C while a central is connected."""
    async def run():
        names, opened = await controllers()
        device = await device_process(CAPTURES / "led-strip.btsnoop", names[0], tmp_path / "device.btsnoop")
        transport = await open_transport(names[1])
        central = over(transport.source, transport.sink)
        await central.power_on()
        connection = await asyncio.wait_for(central.connect(hci.Address("C4:1E:D5:00:51:0B")), 10)
        await connection.gatt_client.read_value(0x0010)
        device.send_signal(signal.SIGINT)
        _, errors = await asyncio.wait_for(device.communicate(), 10)
        return device.returncode, errors

    assert asyncio.run(run()) == (0, b"")
    assert "ended by this host" in attlas("show", tmp_path / "device.btsnoop").stdout


def test_an_interrupted_client_disconnects():
    """Ctrl-C within the session: status 130, and the device is free again."""
    async def run():
        names, opened = await controllers()
        transport = await open_transport(names[0])
        device = over(transport.source, transport.sink, hci.Address("F2:F2:F2:F2:F2:F2"))
        connected, reasons = asyncio.Event(), []
        device.on("connection", lambda connection: (connection.on("disconnection", reasons.append), connected.set()))
        await device.power_on()
        await device.start_advertising()
        client = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "attlas.twin", str(CAPTURES / "heart-rate.btsnoop"), "--as", "client", "--transport", names[1],
            stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
        await asyncio.wait_for(connected.wait(), 20)
        await asyncio.sleep(0.2)
        client.send_signal(signal.SIGINT)
        _, errors = await asyncio.wait_for(client.communicate(), 10)
        await asyncio.sleep(0.1)
        return client.returncode, errors, reasons

    assert asyncio.run(run()) == (130, b"", [0x13])


def test_the_command_as_device_and_as_client(tmp_path):
    """Two processes over TCP, with controllers between them."""
    capture = CAPTURES / "led-strip.btsnoop"

    async def run():
        names, opened = await controllers()
        device = await device_process(capture, names[0], tmp_path / "device.btsnoop")
        client = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "attlas.twin", str(capture), "--transport", names[1], "--as", "client",
            "--record", str(tmp_path / "new.btsnoop"), stdout=asyncio.subprocess.PIPE)
        printed, _ = await asyncio.wait_for(client.communicate(), 60)
        device.terminate()
        await device.wait()
        return client.returncode, printed.decode()

    status, printed = asyncio.run(run())
    assert status == 0, printed
    # Nothing is lost when the device is terminated.
    assert "request refused" in incidents(tmp_path / "device.btsnoop")
    played = Model.load(tmp_path / "new.btsnoop")
    # Also the last notification.
    assert is_subsequence_share(said(Model.load(capture)), said(played)) == 1.0
    result = attlas("diff", capture, tmp_path / "new.btsnoop")
    assert result.returncode == 0, result.stdout


def test_the_address_is_one_that_every_controller_can_use():
    async def run():
        async with twin(CAPTURES / "led-strip.btsnoop") as device:
            return device.address

    assert asyncio.run(run()) == hci.Address("C4:1E:D5:00:51:0B")
