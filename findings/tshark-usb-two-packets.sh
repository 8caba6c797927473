#!/usr/bin/env bash
# Question: what does tshark show of a bulk transfer with two ACL packets? The first fills the endpoint's packets of 64 octets, so that nothing short ends it.
# Guess: the first packet, and the rest as unexplained octets.
# True: nothing. The first packet appears in the frame of the next transfer, and the second and that transfer's packet are nowhere.
# Version: tshark 4.0.17. Seen: no ATT in frame 9; the notification in frame 10; no Read Request, no Read Response.
# Linux's btusb reads on in the same transfer (drivers/bluetooth/btusb.c, btusb_recv_bulk).
. "$(dirname "$0")/lib.sh"
needs tshark
python - <<'PYTHON'
from captures import *
notification = bytes.fromhex("40203C0038000400 1B1900") + bytes(53)
request = bytes.fromhex("4020070003000400 0A1900")
response = bytes.fromhex("4020060002000400 0B64")
start = usb_controller() + [urb("S", 2, 0x00, bytes.fromhex("030C00"), bytes.fromhex("2000000000000300")), urb("C", 1, 0x81, bytes.fromhex("0E0401030C00"))]
pcap("two.pcap", 220, start + [urb("C", 3, 0x82, notification + request), urb("C", 3, 0x82, response)])
pcap("each.pcap", 220, start + [urb("C", 3, 0x82, octets) for octets in (notification, request, response)])
PYTHON
shown() { tshark -r "$1" -Y btatt -T fields -e frame.number -e btatt.opcode 2> /dev/null | xargs; }
is "each in a transfer" "9 0x1b 10 0x0a 11 0x0b" "$(shown each.pcap)"
is "two in one transfer" "10 0x1b" "$(shown two.pcap)"
finish
