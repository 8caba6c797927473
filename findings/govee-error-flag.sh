#!/usr/bin/env bash
# Question: which battery does a Govee H5075 have whose last octet is B2?
# Guess: 178 % cannot be, so all readers take the highest bit off.
# True: govee-ble 50 %, with the temperature as an error; bleparser and TheengsDecoder 178 %, with the temperature. Below zero, TheengsDecoder also
# leaves the digits of the humidity in the temperature.
# Version: govee-ble 1.5.2, bleparser 3.7.3, TheengsDecoder 2.5.0. Seen: 50, 178, 178; -4.7615 °C for -4.7 °C and 61.5 %.
. "$(dirname "$0")/lib.sh"
python_with govee-ble==1.5.2 habluetooth==7.1.2 bleparser==3.7.3 TheengsDecoder==2.5.0
python - > seen <<'PYTHON'
import json
from bleak.backends.device import BLEDevice
from bleak.backends.scanner import AdvertisementData
from bleparser import BleParser
from govee_ble import GoveeBluetoothDeviceData
from habluetooth import BluetoothServiceInfoBleak
from TheengsDecoder import decodeBLE

ADDRESS, NAME = "AA:BB:CC:DD:EE:FF", "GVH5075_1234"

def govee(data):
    info = BluetoothServiceInfoBleak(NAME, ADDRESS, -60, {0xEC88: data}, {}, [], "", BLEDevice(ADDRESS, NAME, None),
                                     AdvertisementData(NAME, {0xEC88: data}, {}, [], None, -60, ()), True, 0, None, None)
    values = {key.key: value.native_value for key, value in GoveeBluetoothDeviceData().update(info).entity_values.items()}
    return values["battery"], values["temperature"]

def ble(data):
    parts = bytes([len(data) + 3, 0xFF, 0x88, 0xEC]) + data + bytes([len(NAME) + 1, 9]) + NAME.encode()
    body = bytes.fromhex("02010001FFEEDDCCBBAA") + bytes([len(parts)]) + parts + b"\xc4"
    values, _ = BleParser().parse_raw_data(b"\x04\x3e" + bytes([len(body)]) + body)
    return values["battery"], values["temperature"]

def theengs(data):
    values = json.loads(decodeBLE(json.dumps({"id": ADDRESS, "name": NAME, "rssi": -60, "manufacturerdata": "88ec" + data.hex()})))
    return values["batt"], round(values["tempc"], 4)

flagged, cold = bytes.fromhex("0003215D B2 00"), bytes.fromhex("0080B9FF 32 00")
for reader in (govee, ble, theengs):
    print(reader.__name__, *reader(flagged), *reader(cold))
PYTHON
is "battery and temperature, with the flag and below zero" \
    "govee 50 error 50 -4.7 ble 178 20.5 50 -4.7 theengs 178 20.5 50 -4.7615" "$(xargs < seen)"
finish
