#!/usr/bin/env bash
# Question: what does bleak call UUIDs that are not assigned: one of a maker, and one of 16 bits?
# Guess: "Unknown".
# True: a maker's UUID that begins with 0000180D is "Heart Rate", and an unassigned one of 16 bits "Vendor specific", which no maker may use.
# Version: bleak 3.1.0. Seen: as above. Vol 3, Part B, 2.5.1: only UUIDs with the Bluetooth Base UUID are of 16 bits; all of them are assigned by the SIG.
. "$(dirname "$0")/lib.sh"
python_with bleak==3.1.0
python - > seen 2> /dev/null <<'PYTHON'
from bleak.uuids import uuidstr_to_str
print(uuidstr_to_str("0000180d-1111-2222-3333-444455556666"), uuidstr_to_str("0000ff42-0000-1000-8000-00805f9b34fb"), sep="; ")
PYTHON
is "a maker's, unassigned" "Heart Rate; Vendor specific" "$(cat seen)"
finish
