#!/usr/bin/env bash
# Question: does the filter frame.p2p_dir, which selects sent or received packets of an HCI log, work for the same packets captured on USB?
# Guess: yes: tshark prints Sent and Rcvd for them.
# True: it finds none of them, and hci_h4.direction is absent, too. usb.endpoint_address.direction has it, the other way round: 1 is received, 0 is sent.
# Version: tshark 4.0.17. Seen: 0 packets of USB, 1 of an H4 log. The line of the same packet begins with "Rcvd".
. "$(dirname "$0")/lib.sh"
needs tshark
python - <<'PYTHON'
from captures import *
notification, request = att("1B0300AABB"), att("0A0300")
pcap("usb.pcap", 220, usb_controller() + [urb("C", 1, 0x81, connected()), urb("C", 3, 0x82, notification), urb("S", 3, 2, request)])
btsnoop("h4.btsnoop", [event(connected()), received(notification), sent(request)])
PYTHON
count() { tshark -r "$1" -Y "btatt and $2" 2> /dev/null | wc -l; }
is "received, sent, in an H4 log" "1 1" "$(count h4.btsnoop frame.p2p_dir==1) $(count h4.btsnoop frame.p2p_dir==0)"
is "received, sent, on USB" "0 0" "$(count usb.pcap frame.p2p_dir==1) $(count usb.pcap frame.p2p_dir==0)"
is "the words, and the endpoint's direction" "Rcvd 1 Sent 0" \
    "$(tshark -r usb.pcap -Y btatt -T fields -e _ws.col.Info -e usb.endpoint_address.direction 2> /dev/null | awk '{ print $1, $NF }' | xargs)"
finish
