#!/usr/bin/env bash
# Question: does `tshark -T fields -e btatt.value` print the octets of every notification?
# Guess: yes.
# True: only while the characteristic is unknown. Once tshark knows it, the field is empty, and so a script that worked with a capture
# without discovery finds nothing in one with discovery.
# Version: tshark 4.0.17. Seen: "0x0003" without octets for Heart Rate Measurement, "0x0009  0048" for an undiscovered handle.
. "$(dirname "$0")/lib.sh"
needs tshark
python - <<'PYTHON'
from captures import *
btsnoop("discovered.btsnoop", [
    event(connected()), sent(att("080100FFFF0328")), received(att("0907 0200 10 0300 372A")),
    received(att("1B0300 0048")), received(att("1B0900 0048"))])
PYTHON
is "handles and values" "0x0003 0x0009 0048" \
    "$(tshark -r discovered.btsnoop -Y 'btatt.opcode == 0x1b' -T fields -e btatt.handle -e btatt.value 2> /dev/null | xargs)"
finish
