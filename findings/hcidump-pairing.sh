#!/usr/bin/env bash
# Question: can keys be copied from hcidump's text: the identity address, and Rand of a legacy bond?
# Guess: yes, as btmon prints them.
# True: the identity address is not the packet's, and another one each time. Rand is in the order of the air, where btmon prints the number.
# Version: hcidump and btmon 5.66. Seen: "bdaddr 55:8D:B4:AB:22:D0 (Public)" for 66:55:44:33:22:11. Vol 3, Part H, 3.6.5 and 3.6.3.
. "$(dirname "$0")/lib.sh"
needs btmon hcidump
python - <<'PYTHON'
from captures import *
keys = [acl(0x40, 6, bytes.fromhex("07 3412 0807060504030201")), acl(0x40, 6, bytes.fromhex("09 00 112233445566"))]
btsnoop("h4.btsnoop", [event(connected())] + [received(key) for key in keys])
PYTHON
is "btmon's address" 1 "$(btmon -r h4.btsnoop 2>&1 | grep -c 'Address: 66:55:44:33:22:11')"
is "hcidump's address is right" 0 "$(hcidump -r h4.btsnoop | grep -c '66:55:44:33:22:11')"
is "hcidump prints one" 1 "$(hcidump -r h4.btsnoop | grep -c 'bdaddr [0-9A-F:]* (Public)')"
is "Rand of btmon" 0x0102030405060708 "$(btmon -r h4.btsnoop 2>&1 | grep -o 'Rand: .*' | cut -d' ' -f2)"
is "Rand of hcidump" 0x0807060504030201 "$(hcidump -r h4.btsnoop | grep -o 'Rand .*' | cut -d' ' -f2)"
finish
