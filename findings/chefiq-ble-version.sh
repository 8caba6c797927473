#!/usr/bin/env bash
# Question: which temperatures does chefiq-ble report for the recorded advertisement of a CQ60 that ble_monitor has for a test (protocol 4.0.0)?
# Guess: 19.2 °C around it, and 20.1 °C in the food, as ble_monitor.
# True: 496.3 and 19.2 °C: from version 3 on it expects no battery and no chip temperature before them, and takes 99 % and 19 °C for a temperature.
# Version: chefiq-ble 1.0.1. Seen: as above. Chef iQ has published no description; in the other layout all six sensors of the probe at rest are within 1.1 °C.
. "$(dirname "$0")/lib.sh"
python_with chefiq-ble==1.0.1 habluetooth==7.1.2 bleak==3.0.2
python - > seen 2> /dev/null <<'PYTHON'
from bleak.backends.device import BLEDevice
from chefiq_ble.parser import ChefIqBluetoothDeviceData
from habluetooth import BluetoothServiceInfoBleak
data = {0x05CD: bytes.fromhex("01406313C000C900C900CA00CB00C0008D11")}
address = "D9:38:36:2E:33:73"
update = ChefIqBluetoothDeviceData().update(BluetoothServiceInfoBleak(
    "CQ60", address, -60, data, {}, [], "local", BLEDevice(address, "CQ60", None), None, True, 0.0, None, None))
values = {str(key.key): value.native_value for key, value in update.entity_values.items()}
print(values["ambient_temperature"], values["food_temperature"], values.get("battery_percent"))
PYTHON
is "around, in the food, battery" "496.3 19.2 None" "$(cat seen)"
finish
