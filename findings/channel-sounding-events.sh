#!/usr/bin/env bash
# Question: do btmon and tshark of Debian 12 name the events of Channel Sounding and of periodic advertising with responses?
# Guess: tshark does; Debian updated it in 2025, a year after the specification.
# True: both print the number of the subevent, and tshark not even the handle.
# Version: btmon 5.66, tshark 4.0.17. Seen: "Unknown (0x31)", "LE Meta (Unknown 0x27)". Vol 4, Part E, 7.7.65.36 and 7.7.65.44.
. "$(dirname "$0")/lib.sh"
needs btmon tshark
python - <<'PYTHON'
from captures import *

def meta(octets):
    octets = bytes.fromhex(octets)
    return b"\x3e" + bytes([len(octets)]) + octets

events = [meta("31 4000 00 0000 0000 0000 00 00 00 00 01 01 00 05 00 01 02 03 04"), meta("27 01 00 04")]
btsnoop("monitor.btsnoop", [(3, each) for each in events], MONITOR)
btsnoop("h4.btsnoop", [event(each) for each in events])
PYTHON
is "btmon" "Unknown (0x31) Unknown (0x27)" "$(btmon -r monitor.btsnoop 2>&1 | grep -o 'Unknown (.*' | xargs)"
is "tshark" "Rcvd LE Meta (Unknown 0x31) Rcvd LE Meta (Unknown 0x27)" "$(tshark -r h4.btsnoop -T fields -e _ws.col.Info 2> /dev/null | xargs)"
finish
