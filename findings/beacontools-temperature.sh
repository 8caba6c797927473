#!/usr/bin/env bash
# Question: which temperature does beacontools read in an Eddystone-TLM frame of -0.5 °C (FF 80)?
# Guess: -0.5: the class of the library has a signed test value.
# True: 255.5.
# Version: beacontools 2.1.0. Seen: 255.5. Eddystone-TLM, "Temperature": signed 8.8 fixed point.
. "$(dirname "$0")/lib.sh"
python_with beacontools==2.1.0
python - > seen <<'PYTHON'
from beacontools import parse_packet
print(parse_packet(bytes.fromhex("0201060303AAFE1116AAFE20000BB8FF800000000100000002")).temperature)
PYTHON
is "temperature" 255.5 "$(cat seen)"
finish
