#!/usr/bin/env bash
# Question: does btmon show ISO data of a btsnoop log of data link 1002 (H4), as Android and Zephyr write it?
# Guess: yes, it shows ISO data of monitor logs (data link 2001).
# True: no. Packets of indicator 0x05 are left out without a word, and the numbers of the packets have no gap.
# Version: btmon 5.66. Seen: 1 ISO packet of the monitor log, 0 of the same packet in H4. H4's indicator of ISO data is 0x05 (Vol 4, Part A, 2).
. "$(dirname "$0")/lib.sh"
needs btmon
python - <<'PYTHON'
from captures import *
iso = struct.pack("<HHHH", 0x60 | 2 << 12, 8, 7, 4) + b"\1\2\3\4"
btsnoop("monitor.btsnoop", [(3, connected()), (ISO_RX, iso), (3, disconnected())], MONITOR)
btsnoop("h4.btsnoop", [event(connected()), received(iso, 5), event(disconnected())], H4)
PYTHON
is "ISO packets of the monitor log" 1 "$(btmon -r monitor.btsnoop 2>&1 | grep -c '> ISO Data RX')"
is "ISO packets of the H4 log" 0 "$(btmon -r h4.btsnoop 2>&1 | grep -c 'ISO Data')"
is "number of the packet after it" 2 "$(btmon -r h4.btsnoop 2>&1 | grep -c '#[12] ')"
finish
