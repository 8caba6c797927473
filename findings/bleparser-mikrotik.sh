#!/usr/bin/env bash
# Question: which acceleration does bleparser report for a MikroTik tag at rest, with a hair's breadth below zero on one axis (FD FF)?
# Guess: -0.012 m/s².
# True: 255.99 m/s²: the octet of whole numbers has no sign. A tag without a thermometer has -128 °C.
# Version: bleparser 3.7.3. Seen: 255.98828125, which the library's own test expects.
# help.mikrotik.com, "MikroTik Tag advertisement formats": signed 8.8 fixed point, two's complement.
. "$(dirname "$0")/lib.sh"
python_with bleparser==3.7.3
python - > seen <<'PYTHON'
from bleparser import BleParser
octets = bytes.fromhex("15FF4F09 0100 10A9 0000 FDFF 0100 0080 6BE86600 00 62")
body = bytes.fromhex("02010300") + bytes.fromhex("DD7B146E2CDC") + bytes([len(octets)]) + octets + b"\xd5"
values, _ = BleParser().parse_raw_data(b"\x04\x3e" + bytes([len(body)]) + body)
print(values["acceleration y"], values["temperature"])
PYTHON
is "acceleration and temperature" "255.98828125 -128.0" "$(xargs < seen)"
finish
