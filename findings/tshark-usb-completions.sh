#!/usr/bin/env bash
# Question: is a USB capture of HCI commands without faults in tshark?
# Guess: yes: it knows the transport.
# True: each completion of a command's transfer, which has no octets, is "Malformed Packet": a filter for malformed packets finds one a command.
# Version: tshark 4.0.17. Seen: "Sent Reset", then "Rcvd[Malformed Packet]". Vol 4, Part B, 2.1: a command is the data of a control transfer to the device.
. "$(dirname "$0")/lib.sh"
needs tshark
python - <<'PYTHON'
from captures import *
pcap("usb.pcap", 220, usb_controller() + [
    urb("S", 2, 0x00, bytes.fromhex("030C00"), bytes.fromhex("2000000000000300")), urb("C", 2, 0x00, length=3),
    urb("S", 1, 0x81, length=16), urb("C", 1, 0x81, bytes.fromhex("0E0401030C00"))])
PYTHON
is "malformed" "8" "$(tshark -r usb.pcap -Y _ws.malformed -T fields -e frame.number 2> /dev/null | xargs)"
is "command and its completion" "Sent Reset Rcvd[Malformed Packet]" "$(tshark -r usb.pcap -Y 'frame.number in {7,8}' -T fields -e _ws.col.Info 2> /dev/null | xargs)"
finish
