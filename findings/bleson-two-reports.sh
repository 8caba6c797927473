#!/usr/bin/env bash
# Question: what does bleson report of an LE Advertising Report event with two reports?
# Guess: both devices, or the first.
# True: neither: an advertisement without address, data and RSSI, and a line in its own log. Most controllers send one, some send more when many devices
# advertise.
# Version: bleson 0.1.8. Seen: None twice. Vol 4, Part E, 7.7.65.2: Num_Reports is 1 to 25.
. "$(dirname "$0")/lib.sh"
python_with bleson==0.1.8
python - > seen 2> errors <<'PYTHON'
from bleson.core.hci.type_converters import AdvertisingDataConverters
report = bytes.fromhex("0001 01020304 05C6 03 020106 C4")
for count in (1, 2):
    found = AdvertisingDataConverters.from_hcipayload(bytes([count]) + report * count)
    print(found.address is not None, found.rssi)
PYTHON
is "address and RSSI, of one report and of two" "True -60 False None" "$(grep -E '^(True|False)' seen | xargs)"
finish
