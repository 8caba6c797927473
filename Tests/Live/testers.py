"""Holds what `attlas live` heard while BlueZ's testers ran against btmon's recording of the same.

usage: testers.py ATTLAS OUTDIR
"""
import collections
import json
import struct
import subprocess
import sys
from pathlib import Path

# Indexes added and removed, commands, events, ACL, SCO and ISO data. What else a monitor gets depends on who else listens.
PACKETS = {0, 1, 2, 3, 4, 5, 6, 7, 18, 19}


def records(path):
    """The packets of a btsnoop recording, as they came."""
    data = path.read_bytes()
    offset = 16
    while offset + 24 <= len(data):
        _, length, flags = struct.unpack_from(">III", data, offset)
        packet = data[offset + 24:offset + 24 + length]
        offset += 24 + length
        if flags & 0xFFFF in PACKETS:
            yield flags, packet


def operations(text):
    keys = ("controller", "direction", "opcode", "handle", "value", "fields", "error")
    events = [json.loads(line) for line in text.splitlines()]
    return [{key: event.get(key) for key in keys} for event in events if event["type"] == "att"]


def main():
    attlas, folder = sys.argv[1], Path(sys.argv[2])
    failures = []
    status = (folder / "attlas.status").read_text().strip()
    if status != "0":
        failures.append(f"attlas live ended with status {status}: {(folder / 'attlas.err').read_text()}")
    heard, recorded = list(records(folder / "attlas.btsnoop")), list(records(folder / "btmon.btsnoop"))
    # btmon itself loses some, and does not say so: what it has must be there, in its order.
    rest = iter(heard)
    missing = sum(packet not in rest for packet in recorded)
    if missing:
        failures.append(f"{len(heard)} packets heard, {len(recorded)} recorded by btmon, of which {missing} were not heard in their place")
    live = (folder / "attlas.ndjson").read_text()
    events = [json.loads(line) for line in live.splitlines()]
    lost = sum(event["lost"] for event in events if event["type"] == "loss")
    if lost:
        failures.append(f"{lost} records were lost")
    shown = subprocess.run([attlas, "show", "--json", folder / "btmon.btsnoop"], capture_output=True, text=True, check=True).stdout
    if len(heard) == len(recorded) and operations(live) != operations(shown):
        failures.append("the ATT PDUs are not those of btmon's recording")
    written = subprocess.run([attlas, "show", "--json", folder / "attlas.btsnoop"], capture_output=True, text=True, check=True).stdout
    if operations(live) != operations(written):
        failures.append("the ATT PDUs are not those that attlas live recorded")
    faults = collections.Counter(f"{event['fault']['layer']}: {event['fault']['reason']}" for event in events if event["type"] == "fault")
    print((folder / "totals").read_text(), end="")
    print(f"{len(heard)} packets heard, {len(recorded)} recorded by btmon, {len(operations(live))} ATT PDUs, {sum(faults.values())} faults, {lost} lost")
    for reason, count in faults.most_common():
        print(f"  {count} × {reason}")
    for failure in failures:
        print(f"differs: {failure}")
    sys.exit(1 if failures else 0)


main()
