#!/usr/bin/env bash
# Question: what is timestamp_microseconds of fpcap for a packet at 0.123456789 s in pcapng with nanoseconds?
# Guess: 123456.
# True: 123456789: the rest of the second in the units of the interface, which are not given. Of a resolution of 2^-20 s, 0.5 s is 524288. Of pcap with
# nanoseconds it is 123456. if_tsoffset is ignored.
# Version: fpcap 0.2.0. Seen: as above. pcapng, 4.2: if_tsresol.
. "$(dirname "$0")/lib.sh"
python_with fpcap==0.2.0
python - > seen 2> errors <<'PYTHON'
from captures import *
import fpcap
data = struct.pack(">I", 1) + received(att("1B0300AABB"))[1]
open("nano.pcapng", "wb").write(section(201, option(9, b"\x09")) + packet(data, time=1_700_000_000_123_456_789))
open("binary.pcapng", "wb").write(section(201, option(9, b"\x94")) + packet(data, time=1_700_000_000 * (1 << 20) + (1 << 19)))
header = struct.pack("<IHHiIII", 0xA1B23C4D, 2, 4, 0, 0, 65535, 201)
open("nano.pcap", "wb").write(header + struct.pack("<IIII", 1_700_000_000, 123_456_789, len(data), len(data)) + data)
for name in ("nano.pcapng", "binary.pcapng", "nano.pcap"):
    print(next(iter(fpcap.PacketReader(name))).timestamp_microseconds)
PYTHON
is "nanoseconds, 2^-20 s, pcap" "123456789 524288 123456" "$(xargs < seen)"
finish
