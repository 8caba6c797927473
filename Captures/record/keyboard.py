"""A keyboard with media keys: the Report Map and the Report References read, keys pressed and let go, Caps Lock lit by the host, the boot
protocol chosen and left again, suspended."""

from rig import *

# The keyboard of the HID specification (Device Class Definition for HID 1.11, E.6) with Report ID 1, and an array of Consumer usages with ID 2.
REPORT_MAP = bytes.fromhex(
    "05010906a1018501"
    "050719e029e71500250175019508810295017508810395057501050819012905910295017503910395067508150025650507190029658100c0"
    "050c0901a1018502150026ff0319002aff03751095018100c0"
)
KEYS = [
    ("02 00 04 00 00 00 00 00", 90),  # Left Shift and A
    ("00 00 00 00 00 00 00 00", 60),
    ("00 00 17 17 00 00 00 00", 90),  # T, twice in one report
    ("00 00 00 00 00 00 00 00", 60),
    ("05 00 4c 00 00 00 00 00", 120),  # Control, Alt and Delete
    ("00 00 01 01 01 01 01 01", 60),  # too many keys
    ("00 00 00 00 00 00 00 00", 60),
]
MEDIA = ["e9 00", "00 00", "ea 00", "00 00", "cd 00", "00 00"]  # Volume Increment, Volume Decrement, Play/Pause


def report(identifier, kind, properties, length):
    """A Report with its Report Reference: 1 input, 2 output."""
    reference = Descriptor(as_uuid(0x2908), Descriptor.READABLE, bytes([identifier, kind]))
    return characteristic(0x2A4D, properties, bytes(length), descriptors=[reference])


async def story(rig):
    central = await rig.central("keyboard")
    keys = report(1, 1, READ | NOTIFY, 8)
    lamps = report(1, 2, READ | WRITE | COMMAND, 1)
    media = report(2, 1, READ | NOTIFY, 2)
    boot = characteristic(0x2A22, READ | NOTIFY, bytes(8))
    device = await rig.peripheral(
        "Keys 42",
        "D3:42:0B:0A:2D:01",
        [
            service(
                0x1812,
                characteristic(0x2A4A, READ, bytes.fromhex("11012103")),
                characteristic(0x2A4B, READ, REPORT_MAP),
                keys,
                lamps,
                media,
                boot,
                characteristic(0x2A4E, READ | COMMAND, b"\x01"),
                characteristic(0x2A4C, COMMAND, b"\x00"),
            )
        ],
        appearance=0x03C1,
        advertised=(0x1812,),
    )
    (address,) = await scan(central, "Keys 42")
    connection, client = await connect(central, address)
    await discover(client)
    await connection.pair()
    await find(client, 0x2A4A).read_value()
    await find(client, 0x2A4B).read_value()
    for nth in range(3):
        await find(client, 0x2A4D, nth).descriptors[0].read_value()
    await find(client, 0x2A4D, 0).subscribe()
    await find(client, 0x2A4D, 2).subscribe()

    for octets, milliseconds in KEYS:
        await pause(milliseconds)
        await device.notify_subscribers(keys, bytes.fromhex(octets))
    await client.write_value(find(client, 0x2A4D, 1), b"\x02", with_response=True)  # Caps Lock
    for octets in MEDIA:
        await pause(80)
        await device.notify_subscribers(media, bytes.fromhex(octets))

    await find(client, 0x2A22).subscribe()
    await client.write_value(find(client, 0x2A4E), b"\x00")  # the boot protocol
    await pause(100)
    await device.notify_subscribers(boot, bytes.fromhex("0000290000000000"))  # Escape
    await device.notify_subscribers(boot, bytes(8))
    await pause(100)
    await client.write_value(find(client, 0x2A4E), b"\x01")
    await client.write_value(find(client, 0x2A4C), b"\x00")  # suspended
    await pause(200)
    await hang_up(device)
    await pause(200)


run(story)
