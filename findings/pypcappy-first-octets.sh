#!/usr/bin/env bash
# Question: what is the data of a packet in pypcappy?
# Guess: the octets of the packet.
# True: the octets after the eighth, then the padding and the options of the block. HCI packets lose their header.
# Version: pypcappy 0.0.7. Seen: a comment in the data. pcapng, 4.3: the data begins after the original length, and has the captured length.
. "$(dirname "$0")/lib.sh"
python_with pypcappy==0.0.7
python - > seen 2> errors <<'PYTHON'
from captures import *
import pypcappy
data = struct.pack(">I", 1) + received(att("1B0300AABB"))[1]
open("one.pcapng", "wb").write(section(201) + packet(data, option(1, b"note")))
found = list(pypcappy.PcapNgFile("one.pcapng").packets)[0].data
print(found.startswith(data[8:]), b"note" in found, data in found)
PYTHON
is "begins after 8 octets, has the comment, has the packet" "True True False" "$(cat seen)"
finish
