#!/usr/bin/env bash
# Question: which temperature does tshark show for a Temperature Measurement of 36.5 °C?
# Guess: 36.5 °C. It names the unit and the flags.
# True: always 0. The FLOAT of IEEE 11073 is read, and the number is not.
# Version: tshark 4.0.17. Seen: "Value [Celsius]: 0" for 6D 01 00 FF and for 18 FE FF FE (GATT Specification Supplement, 3.224: medfloat32).
. "$(dirname "$0")/lib.sh"
needs tshark
python - <<'PYTHON'
from captures import *
btsnoop("thermometer.btsnoop", [
    event(connected()), sent(att("080100FFFF0328")), received(att("0907 0200 20 0300 1C2A")),
    received(att("1D0300 00 6D0100FF")), sent(att("1E")), received(att("1D0300 00 18FEFFFE"))])
PYTHON
is "values" "Value [Celsius]: 0 Value [Celsius]: 0" "$(tshark -r thermometer.btsnoop -V 2> /dev/null | grep -o 'Value \[Cel.*' | xargs)"
finish
