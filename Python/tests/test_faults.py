"""Every fault that `attlas show --json` marks is in `fields` and `faults`, in Arrow and in the database.

Captures in the folder ATTLAS_CAPTURES are compared as well.
"""
import json
import os
import random
import sqlite3
import subprocess
from pathlib import Path

import attlas
import pyarrow as pa
import pytest

ROOT = Path(__file__).resolve().parents[2]
CAPTURES = sorted(ROOT.glob("Captures/*.btsnoop"))
OTHERS = sorted(path for path in Path(os.environ.get("ATTLAS_CAPTURES", "/nowhere")).glob("*") if path.suffix != ".tsv")


def marked(fields, frame):
    """The faults of fields, as (frame, kind, name)."""
    for field in fields:
        special = field.get("special")
        kinds = {
            "checksum": field.get("check") == "wrong", "out_of_range": "out_of_range" in field, "undefined": "undefined" in field,
            "special": "reserved" in (special if isinstance(special, list) else [special]),
        }
        yield from ((frame, kind, field["name"]) for kind, is_marked in kinds.items() if is_marked)
        yield from marked(field.get("fields", ()), frame)
        for one in field.get("repeats", ()):
            yield from marked(one["fields"], frame)


def printed(capture):
    """The marks of fields, and the faults with their needs, of what `show --json` prints."""
    result = subprocess.run([os.environ["ATTLAS"], "show", "--json", capture], capture_output=True, text=True)
    fields, faults = set(), set()

    def look(member, frame):
        if isinstance(member, list):
            for one in member:
                look(one, frame)
        elif isinstance(member, dict):
            fields.update(marked(member.get("fields", ()), frame))
            if fault := member.get("fault"):
                faults.add((frame, fault["layer"], fault["reason"], fault.get("need"), fault.get("have")))
            for name, one in member.items():
                if name not in {"fields", "fault"}:
                    look(one, frame)

    for line in map(json.loads, result.stdout.splitlines()):
        if line["type"] not in {"finding", "incident"}:
            look(line, line.get("frame"))
    return fields, faults


def compare(faults, fields, operations, capture):
    wanted_fields, wanted_faults = printed(capture)
    frames = {row["operation"]: row["frame"] for row in operations}
    rows = {(row["operation"], row["field"]): row for row in fields}
    kinds = ("checksum", "out_of_range", "undefined", "special")
    assert {(row["frame"], row["kind"], rows[row["operation"], row["field"]]["name"]) for row in faults if row["kind"] in kinds} == wanted_fields
    assert {tuple(row[name] for name in ("frame", "layer", "reason", "need", "have")) for row in faults if row["kind"] == "fault"} == wanted_faults
    tests = {
        "checksum": lambda row: row["checksum"] == "wrong", "out_of_range": lambda row: row["out_of_range"],
        "undefined": lambda row: row["undefined"], "special": lambda row: row["special"] == "reserved"}
    found = {(frames[row["operation"]], kind, row["name"]) for row in fields for kind, test in tests.items() if test(row)}
    assert found == wanted_fields
    faulty = {row["operation"] for row in faults if row["field"] is not None}
    assert {row["operation"] for row in fields if row["faulty"]} == faulty
    assert all(bool(row["faulty"]) == (row["operation"] in faulty) for row in fields)
    return len(wanted_fields) + len(wanted_faults)


def check(capture, folder):
    database = folder / "out.db"
    database.unlink(missing_ok=True)
    subprocess.run([os.environ["ATTLAS"], "export", "--sqlite", database, capture], capture_output=True)
    connection = sqlite3.connect(database)
    connection.row_factory = sqlite3.Row
    names = ("faults", "fields", "operations")
    tables = attlas.open(capture)
    compare(*([dict(row) for row in connection.execute(f"SELECT * FROM {name}")] for name in names), capture)
    return compare(*(pa.table(getattr(tables, name)).to_pylist() for name in names), capture)


@pytest.mark.parametrize("capture", CAPTURES + OTHERS, ids=lambda path: path.name)
def test_every_fault_of_a_capture_is_in_the_tables(capture, tmp_path):
    try:
        attlas.open(capture)
    except attlas.Error as error:
        pytest.skip(str(error))
    check(capture, tmp_path)


def damaged(octets, chance):
    """With other octets in values, and values that end early. Records of btsnoop have 24 octets before an H4 packet."""
    made, place = bytearray(octets[:16]), 16
    while place + 24 <= len(octets):
        length = int.from_bytes(octets[place + 4:place + 8], "big")
        head, packet = bytearray(octets[place:place + 24]), bytearray(octets[place + 24:place + 24 + length])
        # Of ACL and ATT: Read By Type Response, Read Response, notification, indication.
        if length > 13 and packet[0] == 2 and packet[7:9] == b"\x04\x00" and packet[9] in (0x09, 0x0B, 0x1B, 0x1D):
            if chance.random() < 0.3:
                packet[chance.randrange(12, length)] = chance.choice([0, 1, 0x0F, 0x80, 0xFF])
            elif chance.random() < 0.2:
                packet = packet[:chance.randrange(13, length)]
                packet[3:5] = (len(packet) - 5).to_bytes(2, "little")
                packet[5:7] = (len(packet) - 9).to_bytes(2, "little")
                head[:8] = len(packet).to_bytes(4, "big") * 2
        made += head + packet
        place += 24 + length
    return made


def test_every_fault_of_damaged_values_is_in_the_tables(tmp_path):
    chance, count = random.Random(7), 0
    for capture in CAPTURES:
        path = tmp_path / capture.name
        path.write_bytes(damaged(capture.read_bytes(), chance))
        count += check(path, tmp_path)
    assert count > 30
