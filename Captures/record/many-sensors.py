"""One device whose values need other values to be understood: E2E-CRCs that a feature switches on, wheel revolutions that make a speed,
HID reports that the Report Map lays out, a Presentation Format, mesh messages in parts, service data in advertising."""

import struct

from rig import *

# The mouse of the HID specification (Device Class Definition for HID 1.11, E.10), with Report ID 1.
REPORT_MAP = bytes.fromhex(
    "05010902a1018501"
    "0901a100050919012903150025019503750181029501750581010501093009311581257f750895028106c0c0"
)
MOVES = ["00 05 fb", "01 00 00", "00 00 00", "00 80 7f"]  # buttons, X, Y
WHEEL = [(1000, 0), (1004, 1024), (1009, 2048), (1009, 2560), (1016, 4096)]  # revolutions, 1/1024 s
LAST_WHEEL = [(0xFFFFFFFE, 64512), (2, 512)]  # both counters pass their highest value
GLUCOSE = [0x00B0, 0x0065, 0x005A]  # SFLOAT mg/dL
VENDOR = "7A1D0001-9B2C-4E5F-8A3D-112233445566"
PRESSURE = "7A1D0002-9B2C-4E5F-8A3D-112233445566"


def crc(octets):
    """CRC-16/MCRF4XX."""
    register = 0xFFFF
    for octet in octets:
        register ^= octet
        for _ in range(8):
            register = register >> 1 ^ (0x8408 if register & 1 else 0)
    return struct.pack("<H", register)


def checked(octets):
    return octets + crc(octets)


def glucose(number, concentration):
    record = struct.pack("<BBHH", 8, 0, concentration, number * 5)
    return checked(record)


async def story(rig):
    central = await rig.central("many-sensors")
    measurement = characteristic(0x2AA7, NOTIFY)
    wheel = characteristic(0x2A5B, NOTIFY)
    report = characteristic(
        0x2A4D,
        READ | NOTIFY,
        bytes(3),
        descriptors=[Descriptor(as_uuid(0x2908), Descriptor.READABLE, b"\x01\x01")],
    )
    pressure = characteristic(
        PRESSURE,
        READ | NOTIFY,
        struct.pack("<h", -153),
        descriptors=[
            description("Gauge Pressure"),
            Descriptor(as_uuid(0x2904), Descriptor.READABLE, struct.pack("<BbHBH", 0x0E, -1, 0x2724, 1, 0)),
        ],
    )
    proxy = characteristic(0x2ADE, NOTIFY)
    device = await rig.peripheral(
        "Many Sensors",
        "C4:4A:11:5E:50:25",
        [
            service(
                0x181F,
                measurement,
                characteristic(0x2AA8, READ, checked(bytes.fromhex("009000") + b"\x58")),
                characteristic(0x2AAB, READ, checked(struct.pack("<H", 336))),
            ),
            service(0x1816, wheel, characteristic(0x2A5C, READ, b"\x01\x00")),
            service(0x1812, report, characteristic(0x2A4B, READ, REPORT_MAP), characteristic(0x2A4A, READ, bytes.fromhex("11010002"))),
            service(VENDOR, pressure),
            service(0x1828, proxy),
        ],
        advertised=(0x181F, 0x1816),
    )
    (address,) = await scan(central, "Many Sensors")
    _, client = await connect(central, address)
    await discover(client)

    remote = find(client, 0x2AA7)
    await remote.subscribe()
    await device.notify_subscribers(measurement, glucose(0, 0x006E))  # before the feature is known
    await pause(200)
    await find(client, 0x2AA8).read_value()
    await find(client, 0x2AAB).read_value()
    for number, concentration in enumerate(GLUCOSE, 1):
        await pause(200)
        value = glucose(number, concentration)
        if number == 3:
            value = value[:-1] + bytes([value[-1] ^ 1])
        await device.notify_subscribers(measurement, value)

    await find(client, 0x2A5B).subscribe()
    for revolutions, time in WHEEL + LAST_WHEEL:
        await pause(200)
        await device.notify_subscribers(wheel, struct.pack("<BIH", 1, revolutions, time))

    remote = find(client, 0x2A4D)
    await find(client, 0x2A4B).read_value()
    await remote.descriptors[0].read_value()
    await remote.subscribe()
    for move in MOVES:
        await pause(100)
        await device.notify_subscribers(report, bytes.fromhex(move))

    remote = find(client, PRESSURE)
    await remote.read_value()  # nothing says yet what it is
    for descriptor in remote.descriptors:
        await attempt(descriptor.read_value())
    await remote.read_value()
    await remote.subscribe()
    await device.notify_subscribers(pressure, struct.pack("<h", 1013))

    await find(client, 0x2ADE).subscribe()
    message = bytes(range(0x10, 0x10 + 24))
    for value in (b"\x00" + message[:16], b"\x40" + message[:15], b"\xc0" + message[15:], b"\xc0" + message[15:]):
        await pause(100)
        await device.notify_subscribers(proxy, value)
    await pause(200)
    await hang_up(device)
    await pause(200)


run(story)
