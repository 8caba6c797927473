#!/usr/bin/env bash
# Question: do libraries agree about the temperature and humidity of a Jaalee JHT?
# Guess: yes, to a tenth.
# True: bleparser and jaalee-ble use the formula of a sensor SHT20: 1.6 °C below and 2.8 % above Theengs Decoder, which changed it in a later version to
# 175 · raw / 65,535 - 45, and 100 · raw / 65,535.
# Version: bleparser 3.7.3, jaalee-ble 1.1.0, TheengsDecoder 2.5.0. Seen: 7.41, 7.42 and 9.05 °C; 38.06, 38.06 and 35.25 % for the same octets.
. "$(dirname "$0")/lib.sh"
octets=4F105A3E
python_with bleparser==3.7.3
python - $octets > bleparser 2> /dev/null <<'PYTHON'
import sys
from bleparser import BleParser
data = bytes.fromhex("020106" "0E1625F560" "FFEEDDCCBBAA" + sys.argv[1])
report = bytes.fromhex("02010001" "FFEEDDCCBBAA") + bytes([len(data)]) + data + b"\xc4"
found, _ = BleParser(discovery=True).parse_raw_data(b"\x04\x3e" + bytes([len(report)]) + report)
print(found["temperature"], found["humidity"])
PYTHON
python_with jaalee-ble==1.1.0
python - $octets > jaalee 2> /dev/null <<'PYTHON'
import sys
from jaalee_ble.parser import _UNPACK_COMPACT, _decode_temp_humi
print(*_decode_temp_humi(*_UNPACK_COMPACT(bytes.fromhex(sys.argv[1]))))
PYTHON
python_with TheengsDecoder==2.5.0
python - $octets > theengs 2> /dev/null <<'PYTHON'
import json
import sys
from TheengsDecoder import decodeBLE
found = json.loads(decodeBLE(json.dumps({"id": "AA:BB:CC:DD:EE:FF", "servicedatauuid": "f525", "servicedata": "00",
                                         "manufacturerdata": "4c000215" + 14 * "00" + "f525" + sys.argv[1].lower() + "cc60"})))
print(round(found["tempc"], 2), round(found["hum"], 2))
PYTHON
is "bleparser" "7.41 38.06" "$(cat bleparser)"
is "jaalee-ble" "7.42 38.06" "$(cat jaalee)"
is "Theengs Decoder" "9.05 35.25" "$(cat theengs)"
finish
