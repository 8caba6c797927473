#!/usr/bin/env bash
# Question: what does victron-ble report for values of a battery monitor and of a Lynx Smart BMS that are "not available"?
# Guess: None, as for the voltage.
# True: a current of -0.001 A (of a DC energy meter, too), a temperature of 655.35 K, and a state of charge of 102.3 %.
# Version: victron-ble 0.9.3. Seen: as above. Victron, Extra Manufacturer Data: 0x3FFFFF of the current and 0x3FF of the charge are no value;
# the temperature ends at 655.34 K.
. "$(dirname "$0")/lib.sh"
python_with victron-ble==0.9.3
python - > seen 2> errors <<'PYTHON'
from victron_ble.devices import BatteryMonitor, DcEnergyMeter, LynxSmartBMS

def packed(*fields):
    """Values and their bits, from the least significant on."""
    value = shift = 0
    for number, bits in fields:
        value |= number << shift
        shift += bits
    return value.to_bytes(16, "little")

monitor = BatteryMonitor("00").parse_decrypted(packed((0xFFFF, 16), (0x7FFF, 16), (0, 16), (0xFFFF, 16), (2, 2), (0x3FFFFF, 22), (0xFFFFF, 20), (0x3FF, 10)))
print(monitor["voltage"], monitor["soc"], monitor["current"], monitor["temperature_kelvin"])
print(DcEnergyMeter("00").parse_decrypted(packed((4, 16), (0x7FFF, 16), (0, 16), (0xFFFF, 16), (2, 2), (0x3FFFFF, 22)))["current"])
lynx = packed((0, 8), (0xFFFF, 16), (0x7FFF, 16), (0x7FFF, 16), (0, 16), (0, 18), (0x3FF, 10), (0xFFFFF, 20), (0x7F, 7))
print(LynxSmartBMS("00").parse_decrypted(lynx)["soc"])
PYTHON
is "voltage, charge, current, temperature; current of a meter; charge of a BMS" "None None -0.001 655.35 -0.001 102.3" "$(xargs < seen)"
finish
