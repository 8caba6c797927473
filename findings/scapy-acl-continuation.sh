#!/usr/bin/env bash
# Question: what does scapy make of an ATT PDU in two ACL packets, as a controller with small buffers sends it?
# Guess: one PDU in the second packet, or raw octets.
# True: a whole notification with the octets of the first packet, and an L2CAP packet whose length and channel are octets of the value.
# Version: scapy 2.8.0. Seen: value "11"; then L2CAP len=4369 cid=4369. Vol 4, Part E, 5.4.2: Packet_Boundary_Flag 1 is a continuation.
. "$(dirname "$0")/lib.sh"
python_with scapy==2.8.0
python - > seen 2> /dev/null <<'PYTHON'
from captures import *
from scapy.layers.bluetooth import ATT_Handle_Value_Notification, HCI_Hdr, L2CAP_Hdr
whole = att("1B0300" + 10 * "11")[4:]
first, second = (HCI_Hdr(b"\2" + struct.pack("<HH", 0x40 | boundary << 12, len(part)) + part) for boundary, part in ((2, whole[:8]), (1, whole[8:])))
print(first[ATT_Handle_Value_Notification].value.hex(), second[L2CAP_Hdr].len, second[L2CAP_Hdr].cid)
PYTHON
is "value of the first, length and channel of the second" "11 4369 4369" "$(cat seen)"
finish
