#!/usr/bin/env bash
# Question: `mergecap` joins the btsnoop logs of two phones. Are they apart in the result?
# Guess: yes, pcapng has an interface for each file.
# True: both are on interface 0, so that two hosts with the same connection handle become one conversation.
# Version: mergecap 4.0.17. Seen: one interface. `mergecap -I none` keeps two.
. "$(dirname "$0")/lib.sh"
needs mergecap tshark
python - <<'PYTHON'
from captures import *
btsnoop("one.btsnoop", [event(connected())])
btsnoop("two.btsnoop", [event(connected(address=b"\x11\x22\x33\x44\x55\xc6"))], start=1_700_000_000_000_500)
PYTHON
mergecap -w merged.pcapng one.btsnoop two.btsnoop
mergecap -I none -w apart.pcapng one.btsnoop two.btsnoop
is "interfaces" "0 0" "$(tshark -r merged.pcapng -T fields -e frame.interface_id 2> /dev/null | xargs)"
is "interfaces with -I none" "0 1" "$(tshark -r apart.pcapng -T fields -e frame.interface_id 2> /dev/null | xargs)"
finish
