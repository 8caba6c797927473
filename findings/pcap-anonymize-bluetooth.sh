#!/usr/bin/env bash
# Question: what does pcap-anonymize change in an HCI capture?
# Guess: nothing, or it refuses it.
# True: the addresses and names of Bluetooth stay, without a message, and every time becomes the time of the conversion.
# Version: pcap-anonymize 0.3.0 with scapy 2.6.1. Seen: the address C6:05:04:03:02:01 in the output; not one time of 2023.
. "$(dirname "$0")/lib.sh"
python_with pcap-anonymize==0.3.0 scapy==2.6.1
python - > seen 2> errors <<'PYTHON'
from captures import *
from pcap_anonymize import anonymize_pcap
pcap("log.pcap", 201, [struct.pack(">I", 1) + event(connected())[1], struct.pack(">I", 1) + received(att("1B0300AABB"))[1]])
anonymize_pcap("log.pcap", "anonymous.pcap")
before, after = open("log.pcap", "rb").read(), open("anonymous.pcap", "rb").read()
print(b"\x01\x02\x03\x04\x05\xc6" in after, len(before) == len(after), struct.unpack_from("<I", after, 24)[0] == 1_700_000_000)
PYTHON
is "address, length, time" "True True False" "$(tail -1 seen)"
finish
