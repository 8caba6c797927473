#!/usr/bin/env bash
# Question: which temperature does Theengs Decoder report for a Jaalee JHT in the sun, at 51.25 °C?
# Guess: 51.25 °C.
# True: -123.75 °C: it takes the raw number of the sensor, which has no sign, for a signed one; from 42.5 °C on, 175 °C are missing.
# Version: TheengsDecoder 2.5.0. Seen: -123.75 °C for 8CCD, and 42.5 °C for 7FFF. Its own formula, 175 · raw / 65,535 - 45, is that of sensors from -45 to 130 °C.
. "$(dirname "$0")/lib.sh"
python_with TheengsDecoder==2.5.0
python - > seen 2> /dev/null <<'PYTHON'
import json
from TheengsDecoder import decodeBLE
for raw in ("7fff", "8ccd"):
    message = {"id": "AA:BB:CC:DD:EE:FF", "servicedatauuid": "f525", "servicedata": "00", "manufacturerdata": "4c000215" + 14 * "00" + "f525" + raw + "8000cc60"}
    print(round(json.loads(decodeBLE(json.dumps(message)))["tempc"], 2))
PYTHON
is "at 42.5 and 51.25 °C" "42.5 -123.75" "$(xargs < seen)"
finish
