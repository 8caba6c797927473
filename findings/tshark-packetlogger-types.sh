#!/usr/bin/env bash
# Question: an iPhone's log has a record of a type that Wireshark does not know. What does tshark show?
# Guess: "Unknown" for this record, and the others.
# True: that holds from the sixth record. Among the first five, the whole file "isn't a capture file in a format TShark understands".
# Version: tshark 4.0.17. Seen: both.
. "$(dirname "$0")/lib.sh"
needs tshark
python - <<'PYTHON'
from captures import *
record = lambda kind, octets: struct.pack(">IIIB", len(octets) + 9, 1_700_000_000, 0, kind) + octets
read, unknown = record(2, att("0A0300")), record(0x7E, b"\1\2")
open("second.pklg", "wb").write(read + unknown + read * 5)
open("sixth.pklg", "wb").write(read * 5 + unknown + read)
PYTHON
is "frames with the unknown type second" 0 "$(tshark -r second.pklg 2> /dev/null | wc -l)"
is "message" 1 "$(tshark -r second.pklg 2>&1 | grep -c "isn't a capture file in a format TShark understands")"
is "frames with the unknown type sixth" 7 "$(tshark -r sixth.pklg 2> /dev/null | wc -l)"
finish
