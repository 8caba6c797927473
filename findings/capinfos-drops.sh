#!/usr/bin/env bash
# Question: does capinfos report the packets that a btsnoop log lost?
# Guess: yes: each record has the number of drops so far.
# True: no, and neither has tshark a field for it.
# Version: capinfos and tshark 4.0.17. Seen: nothing about drops for a log with 7 of them. RFC 1761 and btsnoop: Cumulative Drops.
. "$(dirname "$0")/lib.sh"
needs capinfos tshark
python - <<'PYTHON'
from captures import *
btsnoop("log.btsnoop", [sent(bytes.fromhex("030C00"), 1)] * 2)
octets = bytearray(open("log.btsnoop", "rb").read())
octets[16 + 24 + 4 + 12:16 + 24 + 4 + 16] = struct.pack(">I", 7)
open("log.btsnoop", "wb").write(octets)
PYTHON
is "packets" "Number of packets: 2" "$(capinfos -Mc log.btsnoop 2> /dev/null | grep -o 'Number of packets.*' | xargs)"
is "capinfos on drops" "" "$(capinfos -M log.btsnoop 2> /dev/null | grep -iE 'drop|lost')"
is "tshark on drops" "" "$(tshark -r log.btsnoop -V 2> /dev/null | grep -iE 'drop|lost')"
finish
