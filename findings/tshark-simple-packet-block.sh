#!/usr/bin/env bash
# Question: does tshark read Simple Packet Blocks of pcapng with HCI packets?
# Guess: yes, for all link types alike.
# True: link type 187 (H4) yes; 201 (H4 with direction) and 254 (Linux monitor) no: "appears to have been cut short in the middle of a packet".
# Version: tshark 4.0.17. Seen: as above, with exit status 2 and no packet. The file is whole: pcapng specification, 4.4.
. "$(dirname "$0")/lib.sh"
needs tshark
python - <<'PYTHON'
from captures import *
for link, header in ((187, b"\4"), (201, b"\0\0\0\1\4"), (254, struct.pack(">HH", 0, 3))):
    octets = header + connected()
    open(f"{link}.pcapng", "wb").write(section(link) + block(3, struct.pack("<I", len(octets)) + octets))
PYTHON
for link in 187:1 201:0 254:0; do
    is "packets of link type ${link%:*}" "${link#*:}" "$(tshark -r "${link%:*}.pcapng" 2> /dev/null | grep -c 'LE Meta')"
done
is "message" 1 "$(tshark -r 201.pcapng 2>&1 | grep -c 'cut short in the middle of a packet')"
finish
