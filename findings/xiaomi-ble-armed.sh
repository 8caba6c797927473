#!/usr/bin/env bash
# Question: a Xiaomi lock sends object 0x0008 (armed) with the value 1. Is it armed in Home Assistant?
# Guess: yes.
# True: no: the library inverts the value. 0 is armed.
# Version: xiaomi-ble 1.21.2. Seen: 1 → False, 0 → True. Xiaomi's definition of the object, as translated: 0x00 is disarmed, 0x01 armed.
. "$(dirname "$0")/lib.sh"
python_with xiaomi-ble==1.21.2
python - > seen <<'PYTHON'
from xiaomi_ble.parser import XiaomiBluetoothDeviceData, obj0008
for value in (0, 1):
    device = XiaomiBluetoothDeviceData()
    obj0008(bytes([value]), device, "")
    print(value, *[each.native_value for each in device._finish_update().binary_entity_values.values()])
PYTHON
is "value and armed" "0 True 1 False" "$(xargs < seen)"
finish
