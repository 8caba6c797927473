#!/usr/bin/env bash
# Question: does the library of Aranet's sensors recognize all marks of "no value"?
# Guess: yes; it has a method for them.
# True: for the humidity of an Aranet4 it tests the ninth bit of one octet, so 128 to 255 % are measurements.
# And 0.0 °C of a radon sensor, a temperature that exists, is no value.
# Version: aranet4 2.6.0. Seen: 255 % and -1.
. "$(dirname "$0")/lib.sh"
python_with aranet4==2.6.0
python - > seen <<'PYTHON'
from types import SimpleNamespace
from aranet4.client import Aranet4Advertisement

def read(name, octets):
    device = SimpleNamespace(name=name), SimpleNamespace(manufacturer_data={0x0702: bytes.fromhex(octets)})
    return Aranet4Advertisement(*device).readings

print(read("Aranet4 1", "2105030100 050001 4304 9F01 8B27 FF 0C 02 3C00 1000 55").humidity)
print(read("AranetRn+ 1", "03210406 0100 0000 0700 0000 C927 CE01 00 64 01 5802 F601 08").temperature)
PYTHON
is "humidity of an Aranet4, temperature of a radon sensor" "255 -1" "$(xargs < seen)"
finish
