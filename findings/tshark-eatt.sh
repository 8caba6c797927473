#!/usr/bin/env bash
# Question: does tshark of Debian 12 follow ATT on enhanced bearers, and notifications of several values?
# Guess: yes, both are of Core 5.2 (2019), and tshark 4.0 is of 2022.
# True: no. The credit-based connection is "Unknown command", its data is no ATT, and opcodes 0x20, 0x21 and 0x23 are "<unknown>".
# Version: tshark 4.0.17. Seen: 0 of 2 ATT PDUs on the enhanced bearer. Vol 3, Part A, 4.25; Part G, 5.4; Part F, 3.4.4.11 and 3.4.7.4.
. "$(dirname "$0")/lib.sh"
needs tshark
python - <<'PYTHON'
from captures import *
signal = lambda octets: acl(0x40, 5, bytes.fromhex(octets))
records = [event(connected()), sent(signal("17010A002700400040000500 4000")), received(signal("18010A00400040000500 00004100")),
           sent(acl(0x40, 0x41, bytes.fromhex("03000A0300"))), received(acl(0x40, 0x40, bytes.fromhex("02000B48"))),
           sent(att("2003000500")), received(att("210100AA0100BB")), received(att("2303000100AA"))]
btsnoop("eatt.btsnoop", records)
PYTHON
info() { tshark -r eatt.btsnoop -Y "frame.number == $1" -T fields -e _ws.col.Info 2> /dev/null; }
is "request for enhanced channels" "Sent Unknown command" "$(info 2)"
is "read request on the channel" "Sent Connection oriented channel" "$(info 4)"
is "frames with ATT" "6 7 8" "$(tshark -r eatt.btsnoop -Y btatt -T fields -e frame.number 2> /dev/null | xargs)"
is "Read Multiple Variable Request" "Sent <unknown>" "$(info 6)"
is "Multiple Handle Value Notification" "Rcvd <unknown>" "$(info 8)"
finish
