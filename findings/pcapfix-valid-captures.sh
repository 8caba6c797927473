#!/usr/bin/env bash
# Question: does pcapfix leave a valid Bluetooth capture in pcap alone?
# Guess: yes: "Nothing to fix".
# True: it reports success and writes a file without most packets if the capture has a packet shorter than 10 octets (most events and completions do),
# a step back in time, or a gap above a day. Of a packet cut by the snapshot length it changes the original length.
# Version: pcapfix 1.1.7. Seen: "Corruption(s) fixed", "2 packets" of 6, of 3 and of 3. libpcap's format has no such limits.
. "$(dirname "$0")/lib.sh"
needs pcapfix
python - <<'PYTHON'
from captures import *
data = struct.pack(">I", 1) + received(att("1B0300AABB"))[1]
pcap("plain.pcap", 201, [data] * 3)
pcap("short.pcap", 201, [bytes.fromhex("00000001 04 0E 00 00 00")] * 6)
pcap("cut.pcap", 201, [data, (data, len(data) + 10), data, data])
for name, seconds in (("back", -1), ("gap", 90_000)):
    whole = bytearray(open("plain.pcap", "rb").read())
    for number in (1, 2):
        struct.pack_into("<I", whole, 24 + number * (16 + len(data)), 1_700_000_000 + seconds)
    open(name + ".pcap", "wb").write(whole)
PYTHON
for name in plain short back gap cut; do
    pcapfix $name.pcap > $name.log 2>&1
    echo "$name $(grep -oE 'Nothing to fix|Wrote [0-9]+ packets' $name.log)"
done > seen
is "what was done" "plain Nothing to fix short Wrote 2 packets back Wrote 2 packets gap Wrote 2 packets cut Wrote 4 packets" "$(xargs < seen)"
is "lengths of the cut packet" "18 18" "$(python -c 'import struct; print(*struct.unpack_from("<II", open("fixed_cut.pcap", "rb").read(), 24 + 34 + 8))')"
finish
