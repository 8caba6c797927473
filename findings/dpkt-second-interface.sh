#!/usr/bin/env bash
# Question: does dpkt read a pcapng file with two interfaces, of which the second has nanoseconds and another link type?
# Guess: yes: times are right, and the packets of the other link type can be told apart.
# True: the resolution and the link type of the first interface count for all packets: a time of the second is 1,000 times too large.
# Version: dpkt 1.9.8; scapy 2.8.0 and python-pcapng 2.1.1 are right. Seen: 1700000000 and 1700000000000. pcapng, 4.2 and 4.3.
. "$(dirname "$0")/lib.sh"
python_with dpkt==1.9.8
python - > seen 2> /dev/null <<'PYTHON'
from captures import *
import dpkt
air = block(1, struct.pack("<HHI", 251, 0, 0) + option(9, b"\x09"))
open("log.pcapng", "wb").write(section(187) + air + packet(b"\1\3\x0c\0") + packet(bytes.fromhex("D6BE898E0206010203040506000000"), interface=1, time=1_700_000_000 * 10**9))
reader = dpkt.pcapng.Reader(open("log.pcapng", "rb"))
print(reader.datalink(), *[int(time) for time, _ in reader])
PYTHON
is "link type and times" "187 1700000000 1700000000000" "$(cat seen)"
finish
