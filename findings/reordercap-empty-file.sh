#!/usr/bin/env bash
# Question: what does `reordercap -n A B` leave of a capture that is in order?
# Guess: no file B: "Not writing output file".
# True: it writes that message, and a B without packets. A script that takes B if it exists continues with an empty capture.
# Version: reordercap 4.0.17. Seen: 3 frames in A, a file with 0 packets in B. reordercap(1): -n "will not write out the output file".
. "$(dirname "$0")/lib.sh"
needs reordercap capinfos
python - <<'PYTHON'
from captures import *
data = struct.pack(">I", 1) + received(att("1B0300AABB"))[1]
open("a.pcapng", "wb").write(section(201) + b"".join(packet(data, time=1_700_000_000_000_000 + number) for number in range(3)))
PYTHON
reordercap -n a.pcapng b.pcapng > log 2>&1
is "message" "Not writing output file because input file is already in order." "$(tail -1 log)"
is "packets" 0 "$(capinfos -Tcrm b.pcapng 2> /dev/null | cut -d, -f2)"
finish
