#!/usr/bin/env bash
# Question: what does bluetooth-mesh make of a sensor's "value is not known", of an unknown time to charge, and of an unknown transition time?
# Guess: None.
# True: 63.5 °C, a temperature in range, 1.8e308 minutes, and 63 s; the transition is left out when the message is built again.
# Version: bluetooth-mesh 0.9.3, bluetooth-mesh-messages 0.9.13. Seen: as above.
# GATT Specification Supplement, Temperature 8: 0x7F is not known. Mesh Model, 3.1.6.3: 0xFFFFFF is unknown; 3.1.3: 0x3F steps are unknown.
. "$(dirname "$0")/lib.sh"
python_with bluetooth-mesh==0.9.3 bluetooth-mesh-messages==0.9.13 bluetooth-mesh-network==0.9.5
python - > seen 2> /dev/null <<'PYTHON'
from bluetooth_mesh.messages import AccessMessage
sensor = AccessMessage.parse(bytes.fromhex("52") + (0x4F << 5).to_bytes(2, "little") + b"\x7f")
print(sensor.sensor_status[0].present_ambient_temperature.temperature)
print(AccessMessage.parse(bytes.fromhex("8224 64 000001 FFFFFF 05")).generic_battery_status.time_to_charge)
message = AccessMessage.parse(bytes.fromhex("8202 01 05 7F 00"))
print(message.generic_onoff_set.transition_time, AccessMessage.build(message).hex())
PYTHON
is "temperature and times" "63.5 1.7976931348623157e+308 63 82020105" "$(xargs < seen)"
finish
