#!/usr/bin/env bash
# Question: which battery and which hint does FindMy read of an accessory with the status 0xFF and the hint 0xFF?
# Guess: very low, and 255.
# True: full, of an "Apple Device", and 0: it takes both octets modulo 255. All other values are right.
# Version: FindMy 0.10.2. Seen: "Full Apple Device 0"; of 0xFE "Very Low AirPods 254". Its own documentation: the status as reported by the device.
. "$(dirname "$0")/lib.sh"
python_with FindMy==0.10.2
python - > seen 2> errors <<'PYTHON'
from findmy.scanner.scanner import OfflineFindingDevice
for octet in (0xFF, 0xFE):
    device = OfflineFindingDevice.from_ble_payload("C6:05:04:03:02:01", bytes([0x12, 25, octet]) + bytes(22) + bytes([1, octet]))
    print(device.battery_level, device.device_type, device.hint)
PYTHON
is "0xFF, 0xFE" "Full Apple Device 0 Very Low AirPods 254" "$(xargs < seen)"
finish
