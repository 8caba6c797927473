"""Parsers that `attlas generate python --homeassistant` makes, run with the packages that Home Assistant uses."""

import json
import os
import subprocess
from pathlib import Path

import pytest
from home_assistant_bluetooth import BluetoothServiceInfo
from sensor_state_data import DeviceKey, SensorDeviceClass, Units

ROOT = Path(__file__).resolve().parents[2]
VENDORS = ROOT / "Dissectors" / "vendors"


def attlas(*arguments: object) -> str:
    command = [os.environ["ATTLAS"], *map(str, arguments)]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def parser(*arguments: object):
    names: dict = {"__name__": "made"}
    exec(compile(attlas("generate", "python", "--homeassistant", *arguments), "made.py", "exec"), names)
    return next(value for name, value in names.items() if name.endswith("BluetoothDeviceData"))()


def advertisement(name="", manufacturer=None, service_data=None, services=()):
    return BluetoothServiceInfo(
        name=name,
        address="CB:B8:33:4C:88:4F",
        rssi=-60,
        manufacturer_data=manufacturer or {},
        service_data=service_data or {},
        service_uuids=list(services),
        source="local",
    )


def values(update) -> dict:
    return {key.key: value.native_value for key, value in update.entity_values.items()}


def test_ruuvitag():
    """The first test vector of docs.ruuvi.com for data format 5."""
    made = parser(VENDORS / "ruuvi.yaml")
    info = advertisement(manufacturer={0x0499: bytes.fromhex("0512FC5394C37C0004FFFC040CAC364200CDCBB8334C884F")})
    assert made.supported(info)
    update = made.update(info)
    found = values(update)
    assert found["temperature"] == pytest.approx(24.3)
    assert found["humidity"] == pytest.approx(53.49)
    assert (found["pressure"], found["battery_voltage"], found["movement_counter"]) == (100044, 2977, 66)
    description = update.entity_descriptions[DeviceKey("temperature", None)]
    assert description.device_class is SensorDeviceClass.TEMPERATURE
    assert description.native_unit_of_measurement is Units.TEMP_CELSIUS
    assert update.entity_values[DeviceKey("temperature", None)].name == "Temperature"


def test_ruuvitag_without_values():
    """The third one: what is not available is no sensor."""
    made = parser(VENDORS / "ruuvi.yaml")
    update = made.update(advertisement(manufacturer={0x0499: bytes.fromhex("058000FFFFFFFF800080008000FFFFFFFFFFFFFFFFFFFFFF")}))
    assert not {"temperature", "humidity", "pressure", "movement_counter"} & values(update).keys()


def test_draft_of_infer(tmp_path):
    """From a recording of an unknown tag to sensors: its counter is in all advertisements in order."""
    capture = ROOT / "Captures" / "tags.btsnoop"
    draft = tmp_path / "tag.yaml"
    draft.write_text(attlas("infer", capture, "manufacturer-data:0xFFFF"))
    made = parser(draft)
    recorded = json.loads(attlas("values", capture, "manufacturer-data:0xFFFF", "--json"))
    sent = [bytes.fromhex(value["value"]) for value in recorded["advertised"][0]["directions"][0]["distinct"]]
    assert len(sent) == 24
    found = [values(made.update(advertisement(manufacturer={0xFFFF: octets}))) for octets in sent]
    assert [int(sensors["clock_0"] * 10 + 0.5) for sensors in found] == [octets[0] for octets in sent]


def test_two_companies():
    """What else a device advertises does not matter."""
    made = parser(VENDORS / "ruuvi.yaml")
    ruuvi = bytes.fromhex("0512FC5394C37C0004FFFC040CAC364200CDCBB8334C884F")
    for _ in range(2):
        assert values(made.update(advertisement(manufacturer={0x0059: b"\x01", 0x0499: ruuvi})))["pressure"] == 100044


def test_what_does_not_fit_changes_nothing():
    made = parser(VENDORS / "ruuvi.yaml")
    assert not made.supported(advertisement(manufacturer={0x0499: b"\x05\x12"}))
    assert not made.supported(advertisement(manufacturer={0x004C: bytes(24)}))


def test_conditions(tmp_path):
    definition = tmp_path / "thermo.yaml"
    definition.write_text(
        """
manufacturer-data:
  - company: any
    when: { name: "Th\\"ermo", octets: [1] }
    name: Thermometer
    confidence: B
    fields:
      - { name: Temperature, type: sint16, scale: 0.01, unit: °C }
      - { name: State, type: uint8, values: { 1: "On \\" # on" } }
service-data:
  - uuid: FCD3
    name: Switch
    fields: [{ name: Flags, type: uint8, bits: { 0: Open } }, { name: Air, type: uint16, unit: ppm, special: { 0xFFFF: unknown } }]
"""
    )
    made = parser(definition)
    assert values(made.update(advertisement('Th"ermo 1', {0x092E: b"\x01"})))["temperature"] == pytest.approx(23.5)
    assert values(made.update(advertisement('Th"ermo 1', {0x092E: b"\x01"})))["state"] == 'On " # on'
    made = parser(definition)
    assert not made.supported(advertisement("Other", {0x092E: b"\x01"}))
    assert not made.supported(advertisement('Th"ermo 1', {0x092E: b"\x01\x02"}))
    update = made.update(advertisement(service_data={"0000fcd3-0000-1000-8000-00805f9b34fb": b"\x01\xff\xff"}))
    assert update.binary_entity_values[DeviceKey("open", None)].native_value is True
    assert "air" not in values(update)


@pytest.mark.parametrize("path", sorted(VENDORS.glob("*.yaml")), ids=lambda path: path.stem)
def test_each_vendor(path):
    """Each file of what is advertised makes a parser, which reads the definition's examples or none of them."""
    if not any(key in path.read_text() for key in ("manufacturer-data:", "service-data:")):
        return
    check = subprocess.run([os.environ["ATTLAS"], "generate", "python", "--check", path], capture_output=True, text=True)
    if check.returncode == 0:
        made = parser(path)
        assert made.update(advertisement("x", {0xFFFE: b"\x00"})) is not None
