#!/usr/bin/env bash
# Question: what does bleson read of an advertised TX power of -4 dBm?
# Guess: -4.
# True: 252. The RSSI is signed.
# Version: bleson 0.1.8. Seen: 252. Core Specification Supplement, Part A, 1.5: -127 to 127 dBm.
. "$(dirname "$0")/lib.sh"
python_with bleson==0.1.8
python - > seen 2> errors <<'PYTHON'
from bleson.core.hci.type_converters import AdvertisingDataConverters
found = AdvertisingDataConverters.from_hcipayload(bytes.fromhex("01 0001 01020304 05C6 03 020AFC C4"))
print(found.tx_pwr_lvl, found.rssi)
PYTHON
is "TX power and RSSI" "252 -60" "$(cat seen)"
finish
