#!/usr/bin/env bash
# Question: two devices connect after each other and get the same connection handle. Whose attributes does tshark name?
# Guess: none for the second device, which was not discovered: its address is on the line.
# True: the first device's.
# Version: tshark 4.0.17. Seen: "Sent Read Request, Handle: 0x0003 (Heart Rate Measurement)" to a device without it.
# Vol 3, Part F, 3.2.2: a handle names an attribute of one server.
. "$(dirname "$0")/lib.sh"
needs tshark
python - <<'PYTHON'
from captures import *
btsnoop("two.btsnoop", [
    event(connected()), sent(att("080100FFFF0328")), received(att("0907 0200 10 0300 372A")), event(disconnected()),
    event(connected(address=b"\x11\x22\x33\x44\x55\xc6")), sent(att("0A0300"))])
PYTHON
is "the second device's attribute" "c6:55:44:33:22:11 Sent Read Request, Handle: 0x0003 (Unknown: Heart Rate Measurement)" \
    "$(tshark -r two.btsnoop -Y 'frame.number == 6' -T fields -e bthci_acl.dst.bd_addr -e _ws.col.Info 2> /dev/null | tr '\t' ' ')"
finish
