#!/usr/bin/env bash
# Question: does polar-python read a Heart Rate Measurement by its flags?
# Guess: yes.
# True: it takes the second octet for the rate and all others for RR intervals: 328 /min is 72 /min, and 100 kJ an interval of 98 ms.
# Version: polar-python 1.1.1. Seen: 72 with [1.0, 3.9] ms for 328 /min and 1 s; [97.7, 1000, 500] for 100 kJ, 1 s and 0.5 s.
# Heart Rate Service, 3.1.1.1: 16 bits with flag 0, Energy Expended with flag 3, RR intervals with flag 4.
. "$(dirname "$0")/lib.sh"
python_with polar-python==1.1.1
python - > seen 2> /dev/null <<'PYTHON'
from polar_python.parsers.hr import parse_hr_data
for value in ("1148010004", "1E48640000040002", "1648 0004"):
    found = parse_hr_data(bytes.fromhex(value))
    print(found.heartrate, [round(each, 1) for each in found.rr_intervals])
PYTHON
is "16 bits, energy, neither" "72 [1.0, 3.9] 72 [97.7, 1000.0, 500.0] 72 [1000.0]" "$(xargs < seen)"
finish
