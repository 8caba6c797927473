#!/usr/bin/env bash
# Question: what does tshark show of a USB capture that begins between two transfers of one event?
# Guess: the rest of the event as unknown octets, and all later events.
# True: it takes the rest for the beginning of an event, and swallows later events as long as the second octet says.
# Version: tshark 4.0.17. Seen: of six Command Complete events after the four octets "0E 18 00 00", four are missing.
# Vol 4, Part B, 2.1: a transfer that is shorter than the endpoint's packets ends an event.
. "$(dirname "$0")/lib.sh"
needs tshark
python - <<'PYTHON'
from captures import *
end = urb("C", 1, 0x81, bytes.fromhex("0E180000"))
pcap("usb.pcap", 220, usb_controller() + [end] + 6 * [urb("C", 1, 0x81, bytes.fromhex("0E0401030C00"))])
PYTHON
is "Command Complete events of 6" 2 "$(tshark -r usb.pcap -Y 'frame.number > 7 && bthci_evt' -T fields -e _ws.col.Info 2> /dev/null | grep -c .)"
finish
