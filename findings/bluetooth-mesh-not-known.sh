#!/usr/bin/env bash
# Question: what does bluetooth-mesh make of a sensor's "value is not known", and of an unknown time to charge?
# Guess: None.
# True: 63.5 °C, a temperature in range, and 1.8e308 minutes.
# Version: bluetooth-mesh 0.9.3, bluetooth-mesh-messages 0.9.13. Seen: as above.
# GATT Specification Supplement, Temperature 8: 0x7F is not known. Mesh Model, 3.1.6.3: 0xFFFFFF is unknown.
. "$(dirname "$0")/lib.sh"
python_with bluetooth-mesh==0.9.3 bluetooth-mesh-messages==0.9.13 bluetooth-mesh-network==0.9.5
python - > seen 2> /dev/null <<'PYTHON'
from bluetooth_mesh.messages import AccessMessage
sensor = AccessMessage.parse(bytes.fromhex("52") + (0x4F << 5).to_bytes(2, "little") + b"\x7f")
print(sensor.sensor_status[0].present_ambient_temperature.temperature)
print(AccessMessage.parse(bytes.fromhex("8224 64 000001 FFFFFF 05")).generic_battery_status.time_to_charge)
PYTHON
is "temperature and time" "63.5 1.7976931348623157e+308" "$(xargs < seen)"
finish
