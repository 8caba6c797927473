#!/usr/bin/env bash
# Question: which address type and which RSSI does btsocket report for an LE device in BlueZ's management events?
# Guess: LE Public and -60 dBm.
# True: BR/EDR and 196; no type for BR/EDR (0); LE Public for a random address (2): it takes the number of the type for bits, and RSSI has no sign.
# Version: btsocket 0.3.0. Seen: "[BREDR] 196". BlueZ, mgmt-api: Address_Type of Device Found is 0 BR/EDR, 1 LE Public, 2 LE Random; RSSI in dBm.
. "$(dirname "$0")/lib.sh"
python_with btsocket==0.3.0
python - > seen 2> /dev/null <<'PYTHON'
import struct
from btsocket import btmgmt_protocol
for kind in range(3):
    body = b"\x01\x02\x03\x04\x05\xc6" + struct.pack("<BbIH", kind, -60, 0, 0)
    found = btmgmt_protocol.reader(struct.pack("<HHH", 0x0012, 0, len(body)) + body).event_frame
    print(found.address_type, found.rssi)
PYTHON
is "types 0, 1 and 2, at -60 dBm" "[] 196 [BREDR] 196 [LEPublic] 196" "$(xargs < seen)"
finish
