#!/usr/bin/env bash
# Question: which acceleration and which transmit power does TheengsDecoder report for Ruuvi's own test vector (data format 5)?
# Guess: 10.16 m/s² on the z axis (1,036 mg), and 4 dBm.
# True: 1.016 m/s², a tenth. And `tx` disappears whenever the voltage is a multiple of 8 mV: a RuuviTag's power seems to come and go.
# Version: TheengsDecoder 2.5.0. Seen: accz 1.01596894; 256 of 2,047 voltages without tx.
# Ruuvi, data format 5: acceleration in mg; the power is the five lowest bits of two octets.
. "$(dirname "$0")/lib.sh"
python_with TheengsDecoder==2.5.0
python - > seen <<'PYTHON'
import json
from TheengsDecoder import decodeBLE

def decode(power):
    data = f"99040512FC5394C37C0004FFFC040C{power:04X}4200CDCBB8334C884F"
    return json.loads(decodeBLE(json.dumps({"id": "AA:BB:CC:DD:EE:FF", "rssi": -60, "manufacturerdata": data})))

print(round(decode(0xAC36)["accz"], 3), decode(0xAC36)["tx"])
missing = [1600 + step for step in range(2047) if "tx" not in decode(step << 5 | 22)]
print(len(missing), {voltage % 8 for voltage in missing})
PYTHON
is "acceleration and power; voltages without power" "1.016 4 256 {0}" "$(xargs < seen)"
finish
