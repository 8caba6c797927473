"""Long values at the default MTU of 23: 180 octets, 44 (a multiple of 22), and 22 (exactly one response)."""

from rig import *

SERVICE = "0B7E3D50-4C1A-4B0E-9B5D-52F6A2E0D100"
CERTIFICATE = "0B7E3D50-4C1A-4B0E-9B5D-52F6A2E0D101"
TEXT = (
    b"Calibration certificate 2026-0417. Thermometer T3, serial 90311. "
    b"Deviation at 0.00 C: +0.02 K, at 37.00 C: -0.01 K, at 100.00 C: +0.05 K. "
    b"Uncertainty 0.03 K (k=2). Okafor"
).ljust(180, b".")


async def story(rig):
    central = await rig.central("long-read")

    async def certificate(connection):
        await pause(8)
        return TEXT

    level = characteristic(0x2A19, READ | NOTIFY, b"\x63")
    thermometer = await rig.peripheral(
        "Thermometer T3",
        "EB:03:11:90:00:3A",
        [
            service(
                0x180A,
                characteristic(0x2A24, READ, b"Thermometer T3, 2 wire"),
                characteristic(0x2A28, READ, b"T3 application 4.11.0-rc2, built 2026-03-30."),
            ),
            service(0x180F, level),
            service(SERVICE, characteristic(CERTIFICATE, READ, read=certificate)),
        ],
        advertised=(0x180A,),
    )
    assert len(TEXT) == 180
    (address,) = await scan(central, "Thermometer T3")
    connection, client = await connect(central, address)
    await discover(client)
    await find(client, 0x2A19).subscribe()
    reading = asyncio.create_task(find(client, CERTIFICATE).read_value())
    await pause(250)
    await thermometer.notify_subscribers(level, b"\x62")
    assert await reading == TEXT
    await pause(200)
    await find(client, 0x2A28).read_value()
    await pause(200)
    await find(client, 0x2A24).read_value()
    await pause(100)
    await connection.disconnect()
    await pause(100)


run(story)
