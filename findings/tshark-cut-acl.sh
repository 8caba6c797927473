#!/usr/bin/env bash
# Question: an ACL packet lacks its last octet, with a header that promises it. Does tshark mark the packet?
# Guess: yes, as malformed or truncated.
# True: no, while the ATT PDU keeps its fixed fields: a value that is shorter looks whole. Six octets less are marked.
# Version: tshark 4.0.17. Seen: "Handle Value Notification, Handle: 0x0003 (Unknown)" with the value 00 for 00 48.
. "$(dirname "$0")/lib.sh"
needs tshark
python - <<'PYTHON'
from captures import *
whole = att("1B0300 0048")
btsnoop("cut.btsnoop", [event(connected())] + [received(whole[:len(whole) - cut]) for cut in (0, 1, 4)])
PYTHON
is "values" "0048 00" "$(tshark -r cut.btsnoop -T fields -e btatt.value 2> /dev/null | xargs)"
is "malformed frames" 4 "$(tshark -r cut.btsnoop -Y _ws.malformed -T fields -e frame.number 2> /dev/null | xargs)"
is "frames of any mark" 4 "$(tshark -r cut.btsnoop -Y _ws.expert -T fields -e frame.number 2> /dev/null | xargs)"
finish
