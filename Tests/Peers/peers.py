"""The peers of advertised.py: how each library is asked, and which fields of attlas have the same numbers."""
import asyncio
import functools
import logging
import math
from dataclasses import dataclass
from typing import Callable

from advertised import CORNERS, Advertisement, octets

logging.disable(logging.CRITICAL)


@dataclass
class Peer:
    name: str
    make: Callable
    ask: Callable
    # attlas's field: the quantity of the library, or that and a function of the number.
    fields: dict
    derive: Callable = None
    # Only what the library reads is compared: it does not know all that attlas does.
    partial: bool = False
    rounding: float = 0.0051
    # The characteristic that has the values, if they are not advertised.
    characteristic: str = ""

    def translate(self, values):
        out = {}
        for name, target in self.fields.items():
            if name in values:
                quantity, convert = target if isinstance(target, tuple) else (target, None)
                value = values[name]
                out[quantity] = convert(value) if convert and value is not None else value
        if self.derive:
            self.derive(values, out)
        return out


def home_assistant(parser, quantities, convert=lambda value: value):
    """A function that asks a parser of the Home Assistant family. `quantities` selects and renames keys of its sensors."""
    from habluetooth import BluetoothServiceInfoBleak
    from bleak.backends.device import BLEDevice
    from bleak.backends.scanner import AdvertisementData

    def full(uuid):
        text = f"{uuid:04x}" if isinstance(uuid, int) else uuid.lower()
        return f"0000{text}-0000-1000-8000-00805f9b34fb" if len(text) == 4 else text

    def all_values(advertisement):
        services = [full(uuid) for uuid in advertisement.services]
        data = {full(uuid): value for uuid, value in advertisement.service_data.items()}
        device = BLEDevice(advertisement.address, advertisement.name, None)
        info = BluetoothServiceInfoBleak(
            advertisement.name or advertisement.address, advertisement.address, -60, dict(advertisement.manufacturer), data, services, "local", device,
            AdvertisementData(advertisement.name, advertisement.manufacturer, data, services, None, -60, ()), True, 0.0, None, None)
        try:
            update = parser().update(info)
        except Exception:  # The library's own failure is no value.
            return {}
        return {str(key.key): value.native_value for key, value in (update.entity_values | update.binary_entity_values).items()}

    def ask(advertisement):
        found = all_values(advertisement)
        return {quantity: convert(found[key]) if isinstance(found[key], str) else found[key] for key, quantity in quantities.items() if key in found}
    ask.all = all_values
    return ask


ATH = {"temperature": "temperature", "humidity": "humidity", "battery": "battery"}
FIELDS = {"Temperature": "temperature", "Humidity": "humidity", "Battery": "battery"}


def flag(value):
    return value not in (0, "none", "no", "closed", "dark", "released", "clear", "off", False)


def qingping(source):
    # Motion and illuminance both have an illuminance: one of them.
    kinds = [(1, 4), (2, 1), (4, 1), (7, 2), source.choice(((8, 4), (9, 4))), (0x11, 1), (0x12, 4), (0x13, 2), (0x15, 2), (0x19, 1), (0x18, 2)]
    data = bytes([source.choice((0x08, 0x48, 0x88, 0xC8)), source.choice((0x01, 0x10, 0x12, 0x26, 0x33, 0x52))]) + bytes.fromhex("FFEEDDCCBBAA")
    for kind, size in source.sample(kinds, source.randint(1, 3)):
        data += bytes([kind, size]) + (bytes([source.randrange(3)]) if kind == 4 else octets(source, size))
    return Advertisement(service_data={0xFDCD: data})


def sensorpush(source):
    kind, size, name = source.choice(((0, 7, "SensorPush HTP.xw A1"), (1, 5, "SensorPush HT.w A1"), (2, 4, "SensorPush TC.x A1")))
    legal = (72001 * 40001 * 95001, 66001 * 40001, 32001)[kind]
    packed = int.from_bytes(octets(source, size - 1), "little") % legal
    data = bytes([kind << 2]) + packed.to_bytes(size - 1, "little")
    return Advertisement(name=name, manufacturer={int.from_bytes(data[:2], "little"): data[2:]})


def sensorpush_ht1(source):
    data = octets(source, 3)
    data += bytes([1 << 2 | source.randrange(4)])
    return Advertisement(name="s", services=["EF090000-11D6-42BA-93B8-9DD7EC090AA9"],
                         manufacturer={int.from_bytes(data[:2], "little"): data[2:]})


def thermopro(source):
    data = octets(source, 7)
    return Advertisement(name=source.choice(("TP357S (1234)", "TP393 (1234)")), manufacturer={int.from_bytes(data[:2], "little"): data[2:6]})


def thermopro_probe(source):
    data = bytes([source.randrange(4)]) + octets(source, 6)
    return Advertisement(name=source.choice(("TP960 (0000)", "TP970 (0000)")), manufacturer={int.from_bytes(data[:2], "little"): data[2:]})


def ruuvi(source):
    kind, size = source.choice(((3, 14), (5, 24), (6, 20), (0xE1, 40)))
    data = bytearray(bytes([kind]) + octets(source, size - 1))
    if kind == 3:
        data[1], data[3] = source.randrange(201), source.randrange(100)
    return Advertisement(manufacturer={0x0499: bytes(data)})


def ruuvi_light(step):
    """Data format 6: 254 logarithmic steps up to 65,535 lx, which the library rounds."""
    return round(math.exp(step * math.log(65536) / 254) - 1)


def mopeka(source):
    return Advertisement(services=["FEE5"], manufacturer={0x59: bytes([source.choice((3, 4, 5, 6, 8, 9, 0xA, 0xB, 0xC, 0x12))]) + octets(source, 9)})


def oral_b(source):
    data = bytes([source.choice((1, 2, 4, 6)), source.choice((0, 32, 39, 49, 64, 80, 112, 5)), 8, source.choice((1, 2, 3, 4, 9, 115, 8, 30))])
    return Advertisement(manufacturer={0xDC: data + octets(source, source.choice((5, 7)))})


def named(value):
    """The library's words for a number without a name are no value."""
    return None if isinstance(value, int) or str(value).startswith("unknown ") else value


def oral_b_pressure(values, out):
    for name, word in (("Power Button Pressed", "power button pressed"), ("Button Pressed", "button pressed"), ("Pressure High", "high")):
        if values.get(name):
            out["pressure"] = word
            return
    if values:
        out["pressure"] = "normal"


def govee_error(values, out):
    """Outside -40 to 100 °C, and with the error bit, the library gives errors for all but the battery."""
    if out and (out["temperature"] is None or not -40 <= out["temperature"] <= 100 or values["Error"] == "yes"):
        for quantity in out.keys() - {"battery"}:
            out[quantity] = "error"


def by_name(names, size, company=0x0001):
    def make(source):
        return Advertisement(name=source.choice(names), manufacturer={company: b"\1\1" + octets(source, size - 2)})
    return make


def govee_plain(source):
    return Advertisement(name="GVH5075_1234", manufacturer={0xEC88: b"\0" + octets(source, 4) + b"\0"})


def govee_h5074(source):
    return Advertisement(name="Govee_H5074_1234", manufacturer={0xEC88: b"\0" + octets(source, 5) + b"\2"})


def govee_h5179(source):
    return Advertisement(name="Govee_H5179_1234", manufacturer={0x8801: bytes.fromhex("EC000101") + octets(source, 5)})


def inkbird_ibs(source):
    name = source.choice(("sps", "tps"))
    # Only a "tps" is sold without the sensor of humidity.
    humidity = source.choice(((0, 0xFFFF) if name == "tps" else ()) + (1, 10000, source.randrange(1, 10001)))
    data = octets(source, 2) + humidity.to_bytes(2, "little") + bytes([source.randrange(2)]) + octets(source, 2) + bytes([source.randrange(101), 8])
    return Advertisement(name=name, manufacturer={int.from_bytes(data[:2], "little"): data[2:]})


def bthome_size(number):
    from bthome_ble.const import MEAS_TYPES
    return MEAS_TYPES[number].data_length


# Objects that are one number, and not a duration of the library or an event.
BTHOME = [number for number in range(0x01, 0x66) if number not in (0x50, 0x53, 0x54, 0x3A, 0x3B, 0x3C) and not 0x66 <= number < 0xF0]


def bthome(source):
    from bthome_ble.const import MEAS_TYPES
    number = source.choice([each for each in BTHOME if each in MEAS_TYPES])
    binary = 0x0F <= number <= 0x11 or 0x15 <= number <= 0x2D
    value = bytes([source.randrange(2)]) if binary else octets(source, bthome_size(number))
    return Advertisement(name="x", service_data={0xFCD2: b"\x40" + bytes([number]) + value})


def bthome_number(value):
    """The labels of binary objects as numbers."""
    words = {"on": 1, "off": 0, "open": 1, "closed": 0, "low": 1, "charging": 1, "detected": 1, "cold": 1, "connected": 1, "hot": 1, "light detected": 1,
             # A lock is open, for the library and for BTHome.
             "unlocked": 1, "wet": 1, "moving": 1, "plugged in": 1, "home": 1, "problem": 1, "running": 1, "safe": 1}
    return bool(words.get(value, 0)) if isinstance(value, str) else value


def only_number(parser):
    inner = home_assistant(parser, {})

    def ask(advertisement):
        found = {key: value for key, value in inner.all(advertisement).items() if key not in ("signal_strength", "packet_id")}
        return {"value": next(iter(found.values()))} if len(found) == 1 else {}
    return ask


XIAOMI = {0x1004: 2, 0x1006: 2, 0x1008: 1, 0x1009: 2, 0x1010: 2, 0x100A: 1, 0x100D: 4, 0x1013: 1, 0x4801: 4, 0x4803: 1, 0x4808: 2, 0x4C01: 4,
          0x4C02: 1, 0x4C03: 1, 0x4C08: 4, 0x4802: 1}


def xiaomi(source):
    number = source.choice(list(XIAOMI))
    data = bytes.fromhex("5050") + source.choice((0x01AA, 0x0098)).to_bytes(2, "little") + bytes([source.randrange(256)]) + bytes.fromhex("FFEEDDCCBBAA")
    return Advertisement(service_data={0xFE95: data + number.to_bytes(2, "little") + bytes([XIAOMI[number]]) + octets(source, XIAOMI[number])})


def aranet(source):
    kind = source.randrange(4)
    head = bytes([0x21]) + octets(source, 3)[:3]
    if kind == 0:
        body = bytes(5)[:4] + octets(source, 9)
        body = octets(source, 4) + octets(source, 8) + bytes([source.randrange(4)]) + octets(source, 5)
        return Advertisement(name="Aranet4 1", manufacturer={0x0702: head + body})
    status = {1: lambda: bytes([source.randrange(16)]), 2: lambda: octets(source, 1), 3: lambda: bytes([source.randrange(4)])}[kind]()
    size = {1: 14, 2: 13, 3: 14}[kind]
    body = octets(source, size - 1) + status + octets(source, 5)
    # 0 is a sensor that is not fitted, for the library.
    return Advertisement(name={1: "Aranet2 1", 2: "Aranet\u2622 1", 3: "AranetRn+ 1"}[kind], manufacturer={0x0702: bytes([kind]) + head + body})


def ask_aranet(advertisement):
    from types import SimpleNamespace
    from aranet4.client import Aranet4Advertisement
    try:
        readings = Aranet4Advertisement(SimpleNamespace(name=advertisement.name), SimpleNamespace(manufacturer_data=advertisement.manufacturer)).readings
    except ValueError:
        return {}
    if not readings:
        return {}
    names = {"temperature": "temperature", "humidity": "humidity", "pressure": "pressure", "co2": "co2", "battery": "battery",
             "radon_concentration": "radon", "interval": "interval", "ago": "ago"}
    found = {quantity: getattr(readings, name) for name, quantity in names.items() if getattr(readings, name, -1) != -1}
    if readings.type.name == "ARANET_RADIATION":
        found["total"], found["rate"], found["duration"] = readings.radiation_total, readings.radiation_rate, readings.radiation_duration
    return found


def switchbot(source):
    kind, size = source.choice(((0x54, 6), (0x69, 6), (0x64, 9), (0x63, 6), (0x73, 6)))
    return Advertisement(service_data={0xFD3D: bytes([kind]) + octets(source, size - 1)})


def ask_switchbot(advertisement):
    from bleak.backends.device import BLEDevice
    from bleak.backends.scanner import AdvertisementData
    from switchbot.adv_parser import parse_advertisement_data
    data = advertisement.service_data[0xFD3D]
    parsed = parse_advertisement_data(
        BLEDevice(advertisement.address, None, None),
        AdvertisementData(None, {}, {"0000fd3d-0000-1000-8000-00805f9b34fb": data}, [], None, -60, ()))
    values = parsed.data.get("data") if parsed else None
    if not values:
        return {}
    found = {name: values[name] for name in ("temperature", "humidity", "battery") if values.get(name) is not None}
    for name, quantity in (("is_light", "light"), ("button_count", "button"), ("lightLevel", "level"), ("inMotion", "moving"),
                           ("contact_open", "open"), ("motion_detected", "motion")):
        if name in values:
            found[quantity] = values[name]
    if "position" in values:
        found["position"] = 100 - values["position"]
    return found


def switchbot_flags(values, out):
    if "Light" in values and "Since Motion" in values:
        out["motion"] = "Motion" in values
    if "position" in out:
        out["position"] = min(out["position"], 100)


def raw_event(advertisement):
    """An LE Advertising Report as bleparser reads it."""
    data = advertisement.octets()
    body = bytes.fromhex("02010001") + bytes.fromhex(advertisement.address.replace(":", ""))[::-1] + bytes([len(data)]) + data + b"\xc4"
    return b"\x04\x3e" + bytes([len(body)]) + body


def ask_bleparser(quantities):
    def ask(advertisement):
        from bleparser import BleParser
        try:
            found, _ = BleParser(discovery=True, filter_duplicates=False).parse_raw_data(raw_event(advertisement))
        except Exception:
            return {}
        return {quantity: found[key] for key, quantity in quantities.items() if found and key in found}
    return ask


def ask_theengs(quantities):
    def ask(advertisement):
        import json
        from TheengsDecoder import decodeBLE
        message = {"id": advertisement.address, "name": advertisement.name, "rssi": -60}
        for company, value in advertisement.manufacturer.items():
            message["manufacturerdata"] = company.to_bytes(2, "little").hex() + value.hex()
        for uuid, value in advertisement.service_data.items():
            message["servicedatauuid"], message["servicedata"] = f"{uuid:04x}", value.hex()
        found = json.loads(decodeBLE(json.dumps(message)) or "{}")
        return {quantity: found[key] for key, quantity in quantities.items() if key in found}
    return ask


def short(make, limit=31):
    """Those that a legacy report holds."""
    def made(source):
        while True:
            advertisement = make(source)
            if len(advertisement.octets()) <= limit:
                return advertisement
    return made


def thermobeacon(source):
    company = source.choice((0x10, 0x11, 0x14, 0x15, 0x18, 0x1B, 0x30))
    return Advertisement(services=["FFF0"], manufacturer={company: b"\0" + bytes([source.choice((0, 0x80))]) + octets(source, 6) + octets(source, 4) +
                                                 source.choice((0, 1600, source.randrange(1601))).to_bytes(2, "little") + octets(source, 4)})


def thermobeacon_limits(values, out):
    """Above 100 °C or 100 %, the library reads nothing."""
    if out.get("temperature", 0) > 100 or out.get("humidity", 0) > 100:
        out.clear()


def blue_maestro(source):
    return Advertisement(manufacturer={0x0133: bytes([source.choice((0x0D, 0x17, 0x1B))]) + octets(source, 14)})


def rapt(source):
    import struct
    head = source.choice((b"PT\x01" + octets(source, 6), b"PT\x02\0" + bytes([1]) + struct.pack(">f", source.uniform(-50, 50))))
    return Advertisement(manufacturer={0x4152: head + octets(source, 2) + struct.pack(">f", source.uniform(900, 1200)) + octets(source, 8)})


def sensorpro(source):
    return Advertisement(manufacturer={0xAA55: b"\1" + source.choice((b"\1", b"\5")) + b"\xa4\xc1" + octets(source, 4) + octets(source, 9)})


def sensirion(source):
    kind, size = source.choice(((4, 6), (6, 6), (8, 8)))
    return Advertisement(name="MyCO2", manufacturer={0x06D5: bytes([0, kind]) + octets(source, size)})


def mikrotik(source):
    return Advertisement(manufacturer={0x094F: b"\1\0" + octets(source, 16)})


def probes(parser, names):
    """A function that asks for values whose keys end in the number of a probe, in the order of the probes."""
    inner = home_assistant(parser, {})

    def ask(advertisement):
        found = {}
        for key, value in sorted(inner.all(advertisement).items()):
            name = key.rsplit("_probe_", 1)[0]
            if name in names:
                found[name if name not in found else "second " + name] = value
        return found
    return ask


def nameless(data):
    """Octets that begin in the place of a company's number."""
    return {int.from_bytes(data[:2], "little"): data[2:]}


def govee_packed(name, tail):
    """Three octets of temperature and humidity within the range of the maker, and others."""
    def make(source):
        packed = source.choice((0, 1, 999, 1000, 0x800001, source.randrange(900_000), 0x800000 | source.randrange(390_000)))
        return Advertisement(name=name, manufacturer={0x0001: b"\1\0" + tail(source, packed.to_bytes(3, "big"))})
    return make


def govee_5183(source):
    data = bytes(octets(source, 8)) + b"".join(source.choice((-1, 0, 2600, source.randrange(0, 30000))).to_bytes(2, "big", signed=True) for _ in "ab")
    return Advertisement(name="GVH5183_1234", services=["8351"], manufacturer={0x67DD: data + b"\0\0"})


def inkbird_air(source):
    data = b"\0\x62" + octets(source, 4) + bytes([0, source.choice((0, 2))])
    data += source.randrange(-400, 600).to_bytes(2, "big", signed=True) + source.randrange(1001).to_bytes(2, "big")
    return Advertisement(name="Ink@IAM-T2", manufacturer={0x3254: data + source.choice((0, 400, 65535 // 2, 10000)).to_bytes(2, "big") + octets(source, 1)})


def celsius(values, out):
    if values.get("Fahrenheit") and out.get("temperature") is not None:
        out["temperature"] = (out["temperature"] - 32) / 1.8


def inkbird_thermometer(source):
    data = octets(source, 4) + source.randrange(-400, 1000).to_bytes(2, "little", signed=True) + source.randrange(1001).to_bytes(2, "little")
    return Advertisement(name="ITH-21-B", manufacturer={0x2449: data + bytes([source.randrange(101)]) + octets(source, 7)})


def inkbird_barbecue(source):
    values = b"".join(source.choice((-1, 0, 1, -50, 3000, source.randrange(-500, 3000))).to_bytes(2, "little", signed=True) for _ in "ab")
    return Advertisement(name="xBBQ", manufacturer=nameless(bytes(4) + b"\x28\xec" + octets(source, 4) + values))


def barbecue(values, out):
    for name, value in zip(("temperature", "second temperature"), [each for each in values.get("Temperature", []) if each is not None]):
        out[name] = value


def tilt(source):
    uuid = source.choice(("A495BB10C5B14B44B5121370F02D74DE", "A495BB60C5B14B44B5121370F02D74DE"))
    data = bytes.fromhex("0215" + uuid) + source.choice((68, 32, 700, source.randrange(1000))).to_bytes(2, "big")
    return Advertisement(manufacturer={0x004C: data + source.choice((1052, 990, 10520, source.randrange(11000))).to_bytes(2, "big") + octets(source, 1)})


def tilt_numbers(values, out):
    """A minor from 5,000 on is of a Tilt Pro, which has another digit."""
    if "Minor" in values:
        is_pro = values["Minor"] >= 5000
        out.update(temperature=values["Major"] / (10 if is_pro else 1), gravity=values["Minor"] / (10000 if is_pro else 1000))


def eddystone(source):
    kind = source.randrange(3)
    data = (b"\x20\0" + octets(source, 12), b"\0" + octets(source, 17) + b"\0\0", b"\x10" + octets(source, 1) + b"\3attlas\7")[kind]
    return Advertisement(services=["FEAA"], service_data={0xFEAA: data})


def ask_beacontools(advertisement):
    from beacontools import parse_packet
    frame = parse_packet(bytes.fromhex("020106") + advertisement.octets())
    names = {"voltage": "voltage", "temperature": "temperature", "advertising_count": "count", "tx_power": "tx"}
    return {quantity: getattr(frame, name) for name, quantity in names.items() if hasattr(frame, name)}


def ruuvi_five(source):
    return Advertisement(manufacturer={0x0499: b"\5" + octets(source, 23)})


def ask_ruuvitag_sensor(advertisement):
    from ruuvitag_sensor.decoder import Df5Decoder
    found = Df5Decoder().decode_data(advertisement.manufacturer[0x0499].hex()) or {}
    names = {"temperature": "temperature", "humidity": "humidity", "pressure": "pressure", "battery": "voltage", "tx_power": "tx",
             "movement_counter": "movement", "measurement_sequence_number": "sequence"}
    return {quantity: found[name] for name, quantity in names.items() if name in found}


AIRTHINGS = {"Wave Plus": "B42E2A68-ADE7-11E4-89D3-123B93F75CBA", "Wave 2": "B42E4DCC-ADE7-11E4-89D3-123B93F75CBA",
             "Wave Mini": "B42E3B98-ADE7-11E4-89D3-123B93F75CBA"}


def airthings(source):
    return Advertisement(value=octets(source, 20))


def ask_airthings(characteristic):
    def ask(advertisement):
        from airthings_ble.sensor_decoders import SENSOR_DECODERS
        found = SENSOR_DECODERS[characteristic.lower()](bytearray(advertisement.value))
        return {name: found[name] for name in ("temperature", "humidity", "pressure", "co2", "voc", "radon_1day_avg", "radon_longterm_avg") if name in found}
    return ask


def airthings_limits(values, out):
    """What the library takes for no measurement, and attlas shows."""
    for quantity, least, most in (("temperature", 0, 100), ("pressure", 0, 1310), ("radon_1day_avg", 0, 16383), ("radon_longterm_avg", 0, 16383),
                                  ("humidity", 0, 100)):
        if out.get(quantity) is not None and not least <= out[quantity] <= most:
            out[quantity] = None


def moat(source):
    return Advertisement(name="Moat_S2", service_data={0x1000: octets(source, 16)})


ADDRESS = bytes.fromhex("AABBCCDDEEFF")


def atc(source):
    """ATC1441's layout, and pvvx's."""
    if source.random() < 0.5:
        return Advertisement(name="ATC_1", service_data={0x181A: ADDRESS + octets(source, 7)})
    return Advertisement(name="ATC_1", service_data={0x181A: ADDRESS[::-1] + octets(source, 9)})


def jaalee(source):
    return Advertisement(service_data={0xF525: bytes([source.randrange(101)]) + ADDRESS[::-1] + octets(source, 4)})


def jaalee_beacon(source):
    return Advertisement(services=["F525"], manufacturer={0x004C: b"\x02\x15" + octets(source, 14) + b"\xf5\x25" + octets(source, 5) +
                                                          bytes([source.randrange(101)])})


def i_beacon(source):
    return Advertisement(name="b", manufacturer={0x004C: b"\x02\x15" + octets(source, 21)})


@functools.cache
def ibeacon_parser():
    from ibeacon_ble import iBeaconParser
    parser = iBeaconParser()
    asyncio.run(parser.async_setup())
    return parser


def ask_ibeacon(advertisement):
    from home_assistant_bluetooth import BluetoothServiceInfo
    found = ibeacon_parser().parse(
        BluetoothServiceInfo(advertisement.name, advertisement.address, -60, advertisement.manufacturer, {}, [], "local"))
    return {"major": found.major, "minor": found.minor, "power": found.power, "uuid": str(found.uuid).replace("-", "")} if found else {}


def chef_iq(source):
    version = source.choice((2, 5, 6, 15))
    return Advertisement(name="CQ60", manufacturer={0x05CD: bytes([source.randrange(16) << 4 | 1, version << 4 | source.randrange(16)]) +
                                                    octets(source, 12)})


def chef_iq_limits(values, out):
    """Outside of -40 to 600 °C, the library reports nothing."""
    for number, value in enumerate(values.get("Tip Temperature", []), 1):
        out[f"tip {number}"] = value
    for name in [name for name, value in out.items() if value is not None and name != "battery" and not -40 <= value <= 600]:
        del out[name]


def ask_aioblescan(advertisement):
    from aioblescan import HCI_Event
    from aioblescan.plugins import RuuviWeather
    event = HCI_Event()
    event.decode(raw_event(advertisement))
    found = RuuviWeather().decode(event) or {}
    names = {"temperature": "temperature", "humidity": "humidity", "pressure": "pressure"}
    return {quantity: found[name] for name, quantity in names.items() if name in found}


VICTRON = {"SolarCharger": "solar charger", "BatteryMonitor": "battery monitor", "Inverter": "inverter", "DcDcConverter": "DC/DC converter",
           "SmartLithium": "Smart Lithium", "AcCharger": "AC charger", "SmartBatteryProtect": "Smart Battery Protect", "LynxSmartBMS": "Lynx Smart BMS",
           "MultiRS": "Multi RS", "VEBus": "VE.Bus", "DcEnergyMeter": "DC energy meter", "OrionXS": "Orion XS"}


def victron(source):
    from victron_ble.devices.base import MODEL_ID_MAPPING
    model = source.choice(list(MODEL_ID_MAPPING)) if source.random() < 0.8 else source.randrange(0xA000, 0xD000)
    head = bytes([0x10, source.randrange(4)]) + model.to_bytes(2, "little") + bytes([source.randrange(1, 16)])
    return Advertisement(manufacturer={0x02E1: head + octets(source, 2) + octets(source, 17)})


def ask_victron(advertisement):
    """What is not encrypted."""
    from victron_ble.devices import detect_device_type
    from victron_ble.devices.base import MODEL_ID_MAPPING
    data = advertisement.manufacturer[0x02E1]
    kind = detect_device_type(data)
    if not kind:
        return {}
    container = kind("00").parse_container(data)
    found = {"counter": container.iv, "check": container.encrypted_data[0], "model": MODEL_ID_MAPPING.get(container.model_id)}
    if kind.__name__ in VICTRON:
        found["kind"] = VICTRON[kind.__name__]
    return found


def find_my(source):
    size = source.choice((2, 25))
    data = octets(source, size)
    position = 1 if size == 2 else 23
    data = data[:position] + bytes([data[position] & 3]) + data[position + 1:]
    return Advertisement(manufacturer={0x004C: bytes([0x12, size]) + data})


def ask_find_my(advertisement):
    from findmy.scanner.scanner import OfflineFindingDevice
    device = OfflineFindingDevice.from_ble_payload(advertisement.address, advertisement.manufacturer[0x004C])
    found = {"status": device.status, "battery": device.battery_level.lower().replace("very low", "critical"),
             "device": device.device_type.replace("Apple Device", "Apple device").replace("Licensed 3rd Party Find My Device", "accessory")}
    if hasattr(device, "adv_key_bytes"):
        return found | {"hint": device.hint, "key": device.adv_key_bytes[6:].hex(), "bits": device.adv_key_bytes[0] >> 6}
    return found | {"bits": device.partial_adv_key[0] >> 6}


@functools.lru_cache
def tiles():
    from tile_identity_resolver import Tile, TileResolver
    from tile_identity_resolver.resolver import _generate_private_ids
    tile = Tile("0011223344556677", "00" * 16)
    return TileResolver([tile]), list(_generate_private_ids(tile))


def tile_tracker(source):
    return Advertisement(service_data={0xFEED: bytes([2, source.randrange(256)]) + source.choice(tiles()[1]) + octets(source, source.randrange(3))})


def ask_tile(advertisement):
    data = advertisement.service_data[0xFEED]
    info = tiles()[0].resolve(data)
    return {"version": info.version, "flags": info.flags, "id": tiles()[1][info.counter].hex()}


def joined(value):
    return value.replace(" ", "").lower()


THEENGS = {"tempc": "temperature", "hum": "humidity", "batt": "battery", "pres": "pressure", "volt": "voltage"}

PEERS = [
    Peer("qingping-ble", qingping, home_assistant(
        __import__("qingping_ble").QingpingBluetoothDeviceData,
        ATH | {"pressure": "pressure", "illuminance": "light", "pm25": "pm25", "pm10": "pm10", "carbon_dioxide": "co2", "motion": "motion",
               "voc_index": "voc", "sound_pressure": "noise", "door": "open"}),
        FIELDS | {"Pressure": "pressure", "Illuminance": "light", "PM2.5": "pm25", "PM10": "pm10", "CO₂": "co2", "Motion": ("motion", flag),
                  "VOC Index": "voc", "Noise": "noise", "Opening": ("open", lambda value: value in ("open", "left open"))}),
    Peer("sensorpush-ble", sensorpush, home_assistant(
        __import__("sensorpush_ble").SensorPushBluetoothDeviceData, ATH | {"pressure": "pressure"}),
        {"Temperature": "temperature", "Humidity": "humidity", "Pressure": ("pressure", lambda pascals: pascals / 100)}),
    Peer("sensorpush-ble HT1", sensorpush_ht1, home_assistant(__import__("sensorpush_ble").SensorPushBluetoothDeviceData, ATH),
         {"Temperature": "temperature", "Humidity": "humidity"}),
    Peer("thermopro-ble", thermopro, home_assistant(__import__("thermopro_ble").ThermoProBluetoothDeviceData, ATH),
         {"Temperature": "temperature", "Humidity": "humidity",
          "Battery": ("battery", lambda level: {"low": 1, "half": 50, "full": 100}.get(level))}),
    Peer("ruuvitag-ble", ruuvi, home_assistant(
        __import__("ruuvitag_ble").RuuvitagBluetoothDeviceData,
        ATH | {"pressure": "pressure", "voltage": "voltage", "movement_counter": "movement", "acceleration_x": "x", "acceleration_y": "y",
               "acceleration_z": "z", "carbon_dioxide": "co2", "pm25": "pm25", "pm1": "pm1", "pm10": "pm10", "pm4": "pm4",
               "voc_index": "voc", "nox_index": "nox", "illuminance": "light"}),
        {"Temperature": "temperature", "Humidity": "humidity", "Pressure": ("pressure", lambda pascals: pascals / 100),
         "Battery Voltage": "voltage", "Movement Counter": "movement", "CO₂": "co2", "PM2.5": "pm25", "PM1": "pm1", "PM10": "pm10", "PM4": "pm4",
         "VOC Index": "voc", "NOx Index": "nox", "Luminosity": "light", "Luminosity Step": ("light", ruuvi_light)} |
        {f"Acceleration {axis.upper()}": (axis, lambda gravities: gravities * 9.80665) for axis in "xyz"}),
    Peer("mopeka-iot-ble", mopeka, home_assistant(
        __import__("mopeka_iot_ble").MopekaIOTBluetoothDeviceData,
        {"temperature": "temperature", "battery_voltage": "voltage", "reading_quality_raw": "quality", "accelerometer_x": "x",
         "accelerometer_y": "y", "button_pressed": "button"}),
        {"Temperature": "temperature", "Battery": "voltage", "Quality": "quality", "Acceleration X": "x", "Acceleration Y": "y",
         "Button": ("button", flag)}),
    Peer("oralb-ble", oral_b, home_assistant(
        __import__("oralb_ble").OralBBluetoothDeviceData,
        {"time": "time", "sector_timer": "timer", "number_of_sectors": "sectors", "toothbrush_state": "state", "mode": "mode", "pressure": "pressure"}, named),
        {"Brushing Time": "time", "Sector Timer": "timer", "Sectors": "sectors", "State": ("state", named), "Mode": ("mode", named)}, oral_b_pressure),
    Peer("govee-ble H5075", govee_plain, home_assistant(__import__("govee_ble").GoveeBluetoothDeviceData, ATH), FIELDS, govee_error),
    Peer("govee-ble H5074", govee_h5074, home_assistant(__import__("govee_ble").GoveeBluetoothDeviceData, ATH), FIELDS),
    Peer("govee-ble H5179", govee_h5179, home_assistant(__import__("govee_ble").GoveeBluetoothDeviceData, ATH), FIELDS),
    Peer("govee-ble H5101", by_name(["GVH5101_1234", "GVH5177_1234"], 6), home_assistant(__import__("govee_ble").GoveeBluetoothDeviceData, ATH), FIELDS, govee_error),
    Peer("inkbird-ble", inkbird_ibs, home_assistant(__import__("inkbird_ble").INKBIRDBluetoothDeviceData, ATH), FIELDS),
    Peer("bthome-ble", bthome, only_number(__import__("bthome_ble").BTHomeBluetoothDeviceData), {"Value": ("value", bthome_number)}, rounding=0.051),
    Peer("xiaomi-ble", xiaomi, home_assistant(
        __import__("xiaomi_ble").XiaomiBluetoothDeviceData,
        ATH | {"moisture": "moisture", "conductivity": "conductivity", "formaldehyde": "formaldehyde", "consumable": "consumable"}),
        FIELDS | {"Moisture": "moisture", "Conductivity": "conductivity", "Formaldehyde": "formaldehyde", "Remaining": "consumable"}, rounding=0.051),
    Peer("aranet4", aranet, ask_aranet,
         FIELDS | {"Pressure": "pressure", "CO₂": "co2", "Radon": "radon", "Interval": "interval", "Age": "ago", "Dose Rate": "rate",
                   "Duration": "duration", "Dose": ("total", lambda sieverts: sieverts * 1e9)}, rounding=0.051),
    Peer("PySwitchbot", switchbot, ask_switchbot,
         FIELDS | {"Position": "position", "Light Level": "level", "Button Count": "button", "Moving": ("moving", flag), "Opening": ("open", flag),
                   "Light": ("light", lambda value: value in ("light", 3))}, switchbot_flags),
    Peer("bleparser Qingping", short(qingping), ask_bleparser(
        ATH | {"pressure": "pressure", "illuminance": "light", "pm2.5": "pm25", "pm10": "pm10", "co2": "co2"}),
        FIELDS | {"Pressure": "pressure", "Illuminance": "light", "PM2.5": "pm25", "PM10": "pm10", "CO₂": "co2"}, partial=True),
    Peer("bleparser BTHome", bthome, ask_bleparser({"temperature": "value", "humidity": "value"}), {"Value": ("value", bthome_number)}, partial=True),
    Peer("bleparser Ruuvi", short(ruuvi), ask_bleparser({"temperature": "temperature", "humidity": "humidity", "pressure": "pressure"}),
         {"Temperature": "temperature", "Humidity": "humidity", "Pressure": ("pressure", lambda pascals: pascals / 100)}, partial=True),
    Peer("bleparser ThermoPro", thermopro, ask_bleparser({"temperature": "temperature", "humidity": "humidity"}),
         {"Temperature": "temperature", "Humidity": "humidity"}, partial=True),
    Peer("bleparser Govee H5075", govee_plain, ask_bleparser(ATH), FIELDS, partial=True),
    Peer("bleparser Xiaomi", xiaomi, ask_bleparser(ATH | {"moisture": "moisture", "conductivity": "conductivity", "formaldehyde": "formaldehyde",
                                                          "consumable": "consumable"}),
         FIELDS | {"Moisture": "moisture", "Conductivity": "conductivity", "Formaldehyde": "formaldehyde", "Remaining": "consumable"}, partial=True),
    Peer("Theengs Ruuvi", ruuvi, ask_theengs({"tempc": "temperature", "hum": "humidity", "volt": "voltage", "tx": "tx", "accx": "x", "accy": "y",
                                              "accz": "z", "mov": "movement"}),
         {"Temperature": "temperature", "Humidity": "humidity", "Tx Power": "tx", "Movement Counter": "movement",
          "Battery Voltage": ("voltage", lambda millivolts: millivolts / 1000)} |
         {f"Acceleration {axis.upper()}": (axis, lambda gravities: gravities * 9.80665) for axis in "xyz"}, partial=True),
    Peer("Theengs Govee H5075", govee_plain, ask_theengs(THEENGS), FIELDS, partial=True),
    Peer("thermobeacon-ble", thermobeacon, home_assistant(
        __import__("thermobeacon_ble").ThermoBeaconBluetoothDeviceData,
        {"temperature": "temperature", "humidity": "humidity", "voltage": "voltage", "occupancy": "button"}),
        {"Temperature": "temperature", "Humidity": "humidity", "Battery": ("voltage", lambda millivolts: millivolts / 1000), "Button": ("button", flag)},
        thermobeacon_limits),
    Peer("bluemaestro-ble", blue_maestro, home_assistant(
        __import__("bluemaestro_ble").BlueMaestroBluetoothDeviceData, ATH | {"pressure": "pressure", "dew_point": "dew point"}),
        FIELDS | {"Pressure": "pressure", "Dew Point": "dew point"}),
    Peer("rapt-ble", rapt, home_assistant(
        __import__("rapt_ble").RAPTPillBluetoothDeviceData, ATH | {"specific_gravity": "gravity", "specific_gravity_velocity": "velocity"}),
        {"Temperature": "temperature", "Battery": ("battery", round), "Gravity in Thousandths": ("gravity", lambda value: value / 1000),
         "Gravity Velocity": "velocity"}),
    Peer("sensorpro-ble", sensorpro, home_assistant(
        __import__("sensorpro_ble").SensorProBluetoothDeviceData, ATH | {"voltage": "voltage"}), FIELDS | {"Battery Voltage": "voltage"}),
    Peer("sensirion-ble", sensirion, home_assistant(
        __import__("sensirion_ble").SensirionBluetoothDeviceData, {"temperature": "temperature", "humidity": "humidity", "carbon_dioxide": "co2"}),
        {"Temperature": "temperature", "Humidity": "humidity", "CO₂": "co2"}, rounding=0.051),
    Peer("bleparser MikroTik", mikrotik, ask_bleparser(
        {"temperature": "temperature", "battery": "battery", "uptime": "uptime", "acceleration x": "x", "acceleration z": "z"}),
        {"Temperature": "temperature", "Battery": "battery", "Uptime": "uptime", "Acceleration X": "x", "Acceleration Z": "z"}, partial=True),
    *[Peer(f"airthings-ble {name}", airthings, ask_airthings(uuid),
           {"Temperature": "temperature", "Humidity": "humidity", "Pressure": "pressure", "CO₂": "co2", "VOC": "voc",
            "Radon of a Day": "radon_1day_avg", "Radon of a Long Time": "radon_longterm_avg"}, airthings_limits, characteristic=uuid)
      for name, uuid in AIRTHINGS.items()],
    Peer("govee-ble H5106", lambda source: Advertisement(name="GVH5106_1234", manufacturer={0x0001: b"\1\1" + octets(source, 4)}),
         home_assistant(__import__("govee_ble").GoveeBluetoothDeviceData, {"temperature": "temperature", "humidity": "humidity", "pm25": "pm25"}),
         {"Temperature": "temperature", "Humidity": "humidity", "PM2.5": "pm25"}),
    Peer("govee-ble H5178", govee_packed("B51782BC8", lambda source, packed: bytes([source.randrange(2)]) + packed + octets(source, 3)),
         home_assistant(__import__("govee_ble").GoveeBluetoothDeviceData, ATH), FIELDS, govee_error),
    Peer("govee-ble H5140", govee_packed("GV5140_1234", lambda source, packed: packed + octets(source, 2) + bytes([source.randrange(2)])),
         home_assistant(__import__("govee_ble").GoveeBluetoothDeviceData, ATH | {"carbon_dioxide": "co2"}), FIELDS | {"CO₂": "co2"}, govee_error),
    Peer("govee-ble H5183", govee_5183, probes(__import__("govee_ble").GoveeBluetoothDeviceData, ("temperature", "temperature_alarm")),
         {"Temperature": "temperature", "Alarm Temperature": "temperature_alarm"}),
    Peer("inkbird-ble IAM-T2", inkbird_air, home_assistant(
        __import__("inkbird_ble").INKBIRDBluetoothDeviceData, {"temperature": "temperature", "humidity": "humidity", "carbon_dioxide": "co2"}),
        {"Temperature": "temperature", "Humidity": "humidity", "CO₂": "co2"}, celsius, partial=True),
    Peer("inkbird-ble ITH-21-B", inkbird_thermometer, home_assistant(__import__("inkbird_ble").INKBIRDBluetoothDeviceData, ATH), FIELDS),
    Peer("inkbird-ble xBBQ", inkbird_barbecue, probes(__import__("inkbird_ble").INKBIRDBluetoothDeviceData, ("temperature",)), {}, barbecue),
    Peer("thermopro-ble TP96", thermopro_probe, probes(
        __import__("thermopro_ble").ThermoProBluetoothDeviceData, ("internal_temperature", "ambient_temperature")),
        {"Internal Temperature": "internal_temperature", "Ambient Temperature": "ambient_temperature"}),
    Peer("tilt-ble", tilt, home_assistant(
        __import__("tilt_ble").TiltBluetoothDeviceData, {"temperature": "temperature", "specific_gravity": "gravity"}), {}, tilt_numbers),
    Peer("beacontools", eddystone, ask_beacontools,
         {"Battery Voltage": "voltage", "Beacon Temperature": "temperature", "Advertising PDU Count": "count", "Tx Power": "tx"}, partial=True),
    Peer("ruuvitag_sensor", ruuvi_five, ask_ruuvitag_sensor,
         {"Temperature": "temperature", "Humidity": "humidity", "Pressure": ("pressure", lambda pascals: pascals / 100), "Battery Voltage": "voltage",
          "Tx Power": "tx", "Movement Counter": "movement", "Measurement Sequence Number": "sequence"}),
    Peer("moat-ble", moat, home_assistant(__import__("moat_ble").MoatBluetoothDeviceData, {"temperature": "temperature", "humidity": "humidity",
                                                                                           "voltage": "voltage"}),
         {"Temperature": "temperature", "Humidity": "humidity", "Battery": ("voltage", lambda millivolts: millivolts / 1000)}),
    Peer("atc-ble", atc, home_assistant(__import__("atc_ble").ATCBluetoothDeviceData, ATH | {"voltage": "voltage"}), FIELDS | {"Voltage": "voltage"}),
    Peer("ibeacon-ble", i_beacon, ask_ibeacon,
         {"Major": "major", "Minor": "minor", "Measured Power": "power", "Proximity UUID": ("uuid", lambda value: value.replace(" ", "").lower())}),
    Peer("chefiq-ble", chef_iq, home_assistant(
        __import__("chefiq_ble.parser", fromlist=["x"]).ChefIqBluetoothDeviceData,
        {"ambient_temperature": "ambient", "food_temperature": "food", "battery_percent": "battery"} |
        {f"probe_tip_{number}_temperature": f"tip {number}" for number in range(1, 5)}),
        {"Ambient Temperature": "ambient", "Food Temperature": "food", "Battery": "battery"}, chef_iq_limits),
    Peer("jaalee-ble", jaalee_beacon, home_assistant(__import__("jaalee_ble").JaaleeBluetoothDeviceData, ATH | {"tx_power": "power"}),
         FIELDS | {"Measured Power": "power"}, partial=True),
    Peer("Theengs Jaalee", jaalee_beacon, lambda advertisement: ask_theengs(THEENGS)(
        Advertisement(manufacturer=advertisement.manufacturer, service_data={0xF525: b"\0"})), FIELDS, partial=True),
    Peer("bleparser Jaalee", jaalee, ask_bleparser(ATH), FIELDS, partial=True),
    Peer("aioblescan", ruuvi_five, ask_aioblescan,
         {"Temperature": "temperature", "Humidity": "humidity", "Pressure": ("pressure", lambda pascals: pascals / 100)}, partial=True),
    Peer("victron-ble", victron, ask_victron,
         {"Product": ("model", named), "Readings": ("kind", named), "Counter": "counter", "Key Check": "check"}, partial=True),
    Peer("FindMy", find_my, ask_find_my, {"Status": "status", "Battery": "battery", "Device": "device", "Hint": "hint", "Public Key": ("key", joined),
                                          "Key Bits": "bits"}, partial=True),
    Peer("tile-identity-resolver", tile_tracker, ask_tile, {"Version": "version", "Flags": "flags", "Private ID": ("id", joined)}),
]
