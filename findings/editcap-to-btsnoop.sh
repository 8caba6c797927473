#!/usr/bin/env bash
# Question: what does `editcap -F btsnoop` say about what btsnoop cannot hold?
# Guess: it warns that comments are lost, and keeps the counts of drops, for which btsnoop has a field.
# True: nothing. Comments, the interface's name and the count of dropped packets are lost without a word, also from btsnoop to btsnoop.
# Version: editcap 4.0.17. Seen: exit status 0, no message, drops 7 → 0.
. "$(dirname "$0")/lib.sh"
needs editcap
python - <<'PYTHON'
from captures import *
end = struct.pack("<HH", 0, 0)
octets = b"\0\0\0\1\4" + connected()
open("comment.pcapng", "wb").write(section(201, option(2, b"phone") + end) + packet(octets, option(1, b"here it broke") + end))
btsnoop("drops.btsnoop", [event(connected())])
data = bytearray(open("drops.btsnoop", "rb").read())
data[28:32] = struct.pack(">I", 7)
open("drops.btsnoop", "wb").write(data)
PYTHON
is "output" "" "$(editcap -F btsnoop comment.pcapng comment.btsnoop 2>&1)"
is "comment" 0 "$(grep -c 'here it broke' comment.btsnoop)"
editcap -F btsnoop drops.btsnoop copy.btsnoop
is "drops" 00000000 "$(od -An -tx1 -j28 -N4 copy.btsnoop | tr -d ' ')"
is "the rest" "" "$(cmp -l drops.btsnoop copy.btsnoop | grep -v '^ *32 ')"
finish
