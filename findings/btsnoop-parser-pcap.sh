#!/usr/bin/env bash
# Question: does btsnoop-parser's write_pcap keep directions and lengths for Wireshark, as it says?
# Guess: yes; "so Wireshark can colour packets by direction".
# True: the direction of link type 201 is written little-endian, so each packet is sent for Wireshark. The original length is one octet too long, so
# each packet is cut. Times lose up to 1 µs.
# Version: btsnoop-parser 0.10.0, read by tshark 4.0.17. Seen: "Sent Read Response"; 23 octets of which 22 are in the file.
# LINKTYPE_BLUETOOTH_HCI_H4_WITH_PHDR: the direction is in network byte order.
. "$(dirname "$0")/lib.sh"
needs tshark
python_with btsnoop-parser==0.10.0
python - <<'PYTHON'
import btsnoop_parser
from captures import *
btsnoop("log.btsnoop", [event(connected()), sent(att("0A0300")), received(att("0B48"))])
btsnoop_parser.write_pcap(btsnoop_parser.parse_btsnoop_file("log.btsnoop"), "log.pcap")
PYTHON
is "directions" "Sent Sent Sent" "$(tshark -r log.pcap -T fields -e _ws.col.Info 2> /dev/null | cut -d' ' -f1 | xargs)"
is "octets, and octets in the file" "23 22 13 12 12 11" "$(tshark -r log.pcap -T fields -e frame.len -e frame.cap_len 2> /dev/null | xargs)"
finish
