#!/usr/bin/env bash
# Question: which direction does PyPCAPKit read from epb_flags of pcapng?
# Guess: inbound for 1, outbound for 2.
# True: "unknown" for both, and a frame check sequence of 2 or 4 octets: it reads the bits from the wrong end of the octets.
# Version: pypcapkit 1.4.1.post2. Seen: direction 0, fcs_len 2 and 4. pcapng, 4.3: bits 0 and 1 are the direction, the least significant first.
. "$(dirname "$0")/lib.sh"
python_with pypcapkit==1.4.1.post2
python - > seen 2> errors <<'PYTHON'
from captures import *
import logging
import pcapkit
logging.disable(logging.CRITICAL)
data = struct.pack(">I", 1) + received(att("1B0300AABB"))[1]
for flags in (1, 2):
    open("flags.pcapng", "wb").write(section(201) + packet(data, option(2, struct.pack("<I", flags))))
    found = list(pcapkit.extract(fin="flags.pcapng", nofile=True, store=True).frame[0].info.options.values())[0]
    print(found.direction.value if hasattr(found.direction, "value") else found.direction, found.fcs_len)
PYTHON
is "direction and check sequence, of inbound and outbound" "0 2 0 4" "$(xargs < seen)"
finish
