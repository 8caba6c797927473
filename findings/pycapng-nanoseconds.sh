#!/usr/bin/env bash
# Question: which time does pycapng give of a packet at 0.123456789 s in a pcap file with nanoseconds?
# Guess: that time.
# True: 123.456789 s: it takes the nanoseconds for microseconds. In pcapng it ignores if_tsoffset, as python-pcapng does.
# Version: pycapng 0.19.7. Seen: 1700000123456789000. libpcap: the magic number 0xA1B23C4D has nanoseconds. pcapng, 4.2.
. "$(dirname "$0")/lib.sh"
python_with pycapng==0.19.7
python - > seen 2> errors <<'PYTHON'
from captures import *
import pycapng
data = struct.pack(">I", 1) + received(att("1B0300AABB"))[1]
header = struct.pack("<IHHiIII", 0xA1B23C4D, 2, 4, 0, 0, 65535, 201)
open("nano.pcap", "wb").write(header + struct.pack("<IIII", 1_700_000_000, 123_456_789, len(data), len(data)) + data)
open("offset.pcapng", "wb").write(section(201, option(14, struct.pack("<q", 1_700_000_000))) + packet(data, time=5))
for name in ("nano.pcap", "offset.pcapng"):
    print(pycapng.read_packets(name)[0].timestamp_ns)
PYTHON
is "nanoseconds since 1970" "1700000123456789000 5000" "$(xargs < seen)"
finish
