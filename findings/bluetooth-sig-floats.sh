#!/usr/bin/env bash
# Question: which values does bluetooth-sig, which reads 400 characteristics, give for 36.5 °C and for 120/80 mmHg?
# Guess: 36.5, 120 and 80.
# True: 3.65e+129 °C and 1.2e-06 mmHg: exponents of medfloat32 are read as biased by 128, those of medfloat16 by 8.
# Version: bluetooth-sig 0.6.0. Seen: methane 6C 07 (1,900 ppb) as 1.9e-05; Luminous Energy DC 05 00 as 1500, not 1,500,000 lm·h.
# IEEE 11073-20601, and the GATT Specification Supplement: the exponent is in two's complement.
. "$(dirname "$0")/lib.sh"
python_with bluetooth-sig==0.6.0
python - > seen 2> /dev/null <<'PYTHON'
from bluetooth_sig import BluetoothSIGTranslator
translator = BluetoothSIGTranslator()
print(translator.parse_characteristic("2A1C", bytes.fromhex("006D0100FF")).temperature)
try:
    print(translator.parse_characteristic("2A35", bytes.fromhex("00780050005D00")).systolic)
except Exception as error:
    print(type(error).__name__)
print(translator.parse_characteristic("2BD1", bytes.fromhex("6C07")))
print(translator.parse_characteristic("2AFD", bytes.fromhex("DC0500")))
PYTHON
is "temperature, pressure, methane, energy" "3.65e+129 1.2e-06 1.9e-05 1500" "$(xargs < seen)"
finish
