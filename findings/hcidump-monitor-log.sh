#!/usr/bin/env bash
# Question: does hcidump read what `btmon -w` writes?
# Guess: yes, or an error: both are of BlueZ, and hcidump prints the data link type 2001.
# True: it ends at the first Open Index (opcode 8), which every log of btmon has in its first records, with exit status 0.
# Version: hcidump 5.66. Seen: the name of the controller as "Vendor data: len 16", and nothing of the connection.
. "$(dirname "$0")/lib.sh"
needs hcidump
python - <<'PYTHON'
from captures import *
index = struct.pack("<BB6s8s", 0, 0, b"\1\2\3\4\5\6", b"hci0")
btsnoop("monitor.btsnoop", [(0, index), (8, b""), (3, connected()), (5, att("1B0300AA"))], MONITOR)
btsnoop("without.btsnoop", [(3, connected()), (5, att("1B0300AA"))], MONITOR)
PYTHON
output=$(hcidump -r monitor.btsnoop)
is "exit status" 0 $?
is "lines after the header" "< Vendor data: len 16" "$(echo "$output" | tail -n +3)"
is "connections without Open Index" 1 "$(hcidump -r without.btsnoop | grep -c 'LE Connection Complete')"
finish
