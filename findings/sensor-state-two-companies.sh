#!/usr/bin/env bash
# Question: which manufacturer data does bluetooth-sensor-state-data give a parser of Home Assistant, if an advertisement has that of two companies?
# Guess: both at first, then those that changed.
# True: none at first, and none as long as both stay the same: a parser has no sensor of such a device before a value changes. Of one company, each
# advertisement counts, also an equal one.
# Version: bluetooth-sensor-state-data 1.9.2, home-assistant-bluetooth 2.0.0. Seen: as above. Its document of the method: find changed manufacturer data.
. "$(dirname "$0")/lib.sh"
python_with bluetooth-sensor-state-data==1.9.2 home-assistant-bluetooth==2.0.0
python - > seen 2> errors <<'PYTHON'
from bluetooth_sensor_state_data import BluetoothData
from home_assistant_bluetooth import BluetoothServiceInfo

class Parser(BluetoothData):
    def _start_update(self, data):
        self.seen = sorted(self.changed_manufacturer_data(data))

def seen(*advertisements):
    parser, all = Parser(), []
    for manufacturer_data in advertisements:
        parser.update(BluetoothServiceInfo("Tag", "C0:00:00:00:00:01", -60, manufacturer_data, {}, [], "local"))
        all.append("+".join(map(str, parser.seen)) or "none")
    return all

print(*seen({0x0499: b"\x01", 0x0059: b"\x02"}, {0x0499: b"\x01", 0x0059: b"\x02"}, {0x0499: b"\x03", 0x0059: b"\x02"}))
print(*seen({0x0499: b"\x01"}, {0x0499: b"\x01"}))
PYTHON
is "two companies: first, the same, one changed; one company: first, the same" "none none 1177 1177 1177" "$(xargs < seen)"
finish
