#!/usr/bin/env bash
# Question: does `text2pcap -D` keep the direction (I, O) for HCI packets of link type 201?
# Guess: yes, and a link type with a direction in its header all the more.
# True: only the option of pcapng has it. The direction in the header of link type 201, which dissectors use, is "received" for each packet.
# Link type 187 keeps the direction.
# Version: text2pcap 4.0.17. Seen: "Rcvd Read Request" on a packet marked outbound. Its file is pcapng, also when its name ends in .pcap.
. "$(dirname "$0")/lib.sh"
needs text2pcap tshark
cat > hci.txt <<'TEXT'
I 000000 04 05 04 00 40 00 13
O 000000 02 40 20 07 00 03 00 04 00 0a 03 00
TEXT
for link in 187 201; do text2pcap -q -D -l $link hci.txt $link.pcap 2> /dev/null; done
show() { tshark -r "$1.pcap" -T fields -e frame.packet_flags_direction -e _ws.col.Info 2> /dev/null | sed 's/0x0*//;s/, .*//' | tr '\t\n' ' ,'; }
is "link type 187" "1 Rcvd Disconnect Complete,2 Sent Read Request," "$(show 187)"
is "link type 201" "1 Rcvd Disconnect Complete,2 Rcvd Read Request," "$(show 201)"
is "first octets of 187.pcap" 0a0d0d0a "$(od -An -tx1 -N4 187.pcap | tr -d ' ')"
finish
