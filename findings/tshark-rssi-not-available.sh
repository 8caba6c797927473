#!/usr/bin/env bash
# Question: what does tshark show for an advertising report whose RSSI is not available?
# Guess: "not available".
# True: "RSSI: 127 dBm", which is also what a filter or a plot of bthci_evt.rssi gets.
# Version: tshark 4.0.17. Seen: as above; btmon 5.66 says "invalid (0x7f)". Vol 4, Part E, 7.7.65.2: 0x7F is not available.
. "$(dirname "$0")/lib.sh"
needs tshark btmon
python - <<'PYTHON'
from captures import *
report = bytes.fromhex("3E0C0201000101020304 05C6007F")
btsnoop("h4.btsnoop", [event(report)])
btsnoop("monitor.btsnoop", [(3, report)], MONITOR)
PYTHON
is "tshark" "RSSI: 127 dBm" "$(tshark -r h4.btsnoop -V 2> /dev/null | grep -o 'RSSI.*')"
is "above -50 dBm" 1 "$(tshark -r h4.btsnoop -Y 'bthci_evt.rssi > -50' 2> /dev/null | wc -l)"
is "btmon" "RSSI: invalid (0x7f)" "$(btmon -r monitor.btsnoop 2> /dev/null | grep -o 'RSSI.*')"
finish
