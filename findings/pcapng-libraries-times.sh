#!/usr/bin/env bash
# Question: which time do python-pcapng and scapy give to a packet of an interface with if_tsoffset, and with nanoseconds?
# Guess: the time that Wireshark shows.
# True: both ignore if_tsoffset: the packet is of 1970. python-pcapng makes a float, which is 166 ns off; scapy keeps nanoseconds.
# Version: python-pcapng 2.1.1, scapy 2.8.0, tshark 4.0.17. Seen: 0.5, 0.5, and 1700000000.5 with tshark.
# pcapng specification, 4.2: if_tsoffset is added to each time.
. "$(dirname "$0")/lib.sh"
needs tshark
python_with python-pcapng==2.1.1 scapy==2.8.0
python - > seen <<'PYTHON'
import pcapng
from scapy.utils import rdpcap
from captures import *
end = struct.pack("<HH", 0, 0)
octets = b"\4" + connected()
open("offset.pcapng", "wb").write(section(187, option(14, struct.pack("<q", 1_700_000_000)) + end) + packet(octets, time=500_000))
open("nano.pcapng", "wb").write(section(187, option(9, b"\x09") + end) + packet(octets, time=1_700_000_000_123_456_789))
for name in ("offset.pcapng", "nano.pcapng"):
    time, = (each.timestamp for each in pcapng.FileScanner(open(name, "rb")) if hasattr(each, "timestamp"))
    print(f"{time:.9f}", f"{rdpcap(name)[0].time:.9f}")
PYTHON
is "times of the libraries" "0.500000000 0.500000000 1700000000.123456955 1700000000.123456789" "$(xargs < seen)"
is "tshark's" "1700000000.500000000" "$(tshark -r offset.pcapng -T fields -e frame.time_epoch 2> /dev/null)"
finish
