#!/usr/bin/env bash
# Question: does `btmon -i 1 -r log` show the packets of the second controller only?
# Guess: yes: "-i, --index <num> Show only specified controller".
# True: it shows all controllers.
# Version: btmon 5.66. Seen: 1 command of hci0 and 1 of hci1, with -i and without.
. "$(dirname "$0")/lib.sh"
needs btmon
python - <<'PYTHON'
from captures import *

def opened(index):
    return index << 16, struct.pack("<BB6s8s", 0, 0, bytes([index, 2, 3, 4, 5, 6]), b"hci%d" % index)

btsnoop("log.btsnoop", [opened(0), opened(1), (2, bytes.fromhex("030C00")), (1 << 16 | 2, bytes.fromhex("091000"))], MONITOR)
PYTHON
commands() { btmon "$@" -r log.btsnoop | grep -oE '(Reset|Read BD ADDR)' | xargs; }
is "all" "Reset Read BD ADDR" "$(commands)"
is "-i 1" "Reset Read BD ADDR" "$(commands -i 1)"
is "-i hci1" "Reset Read BD ADDR" "$(commands -i hci1)"
finish
