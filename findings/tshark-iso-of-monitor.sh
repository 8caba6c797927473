#!/usr/bin/env bash
# Question: does tshark show ISO data in a log of btmon?
# Guess: yes, it does for H4.
# True: no: opcodes 18 and 19 of the monitor are "Unknown (%u)", with the format in the text, and the octets are not dissected.
# Version: tshark 4.0.17. Seen: "Rcvd Adapter Id: 0, Opcode: Unknown (%u)". BlueZ, monitor/bt.h and lib/hci_mon: 18 is ISO TX, 19 ISO RX.
. "$(dirname "$0")/lib.sh"
needs tshark
python - <<'PYTHON'
from captures import *
iso = struct.pack("<HHHH", 0x60 | 2 << 12, 8, 7, 4) + b"\1\2\3\4"
btsnoop("monitor.btsnoop", [(ISO_RX, iso)], MONITOR)
btsnoop("h4.btsnoop", [received(iso, 5)], H4)
PYTHON
info() { tshark -r "$1" -T fields -e _ws.col.Info 2> /dev/null; }
is "monitor" "Rcvd Adapter Id: 0, Opcode: Unknown (%u)" "$(info monitor.btsnoop)"
is "H4" "Handle: 0x60, SeqNo: 7, SDU length: 4, Status: Valid" "$(info h4.btsnoop)"
finish
