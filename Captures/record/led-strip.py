"""An LED strip with a vendor's service: colours read, written with and without response, notified; one value is cut short."""

from rig import *

SERVICE = "6E40FF01-B5A3-F393-E0A9-E50E24DCCA9E"
COLOUR = "6E40FF02-B5A3-F393-E0A9-E50E24DCCA9E"


async def story(rig):
    central = await rig.central("led-strip", extended=False)
    state = bytearray.fromhex("00ff8000")

    async def read(connection):
        await pause(20)
        return bytes(state)

    async def write(connection, value):
        if len(value) != (5 if value[:1] == b"\x01" else 4):
            raise ATT_Error(0x0D)  # Invalid Attribute Value Length
        await pause(15)
        state[:] = value

    colour = characteristic(COLOUR, READ | WRITE | COMMAND | NOTIFY, read=read, write=write, descriptors=[description("Colour")])
    strip = await rig.peripheral("LED Strip", "C4:1E:D5:00:51:0B", [service(SERVICE, colour)])
    (address,) = await scan(central, "LED Strip")
    connection, client = await connect(central, address)
    await client.request_mtu(247)
    await discover(client)
    remote = find(client, COLOUR)
    await find(client, 0x2A00).read_value()
    await remote.descriptors[0].read_value()
    await remote.read_value()
    await remote.subscribe()
    for value in ("0000ff00", "010aff0000", "013c8000ff", "0105ff"):
        await pause(200)
        await attempt(remote.write_value(bytes.fromhex(value), with_response=True))
        await pause(60)
        await remote.read_value()
    for value in ("00102030", "00203040", "0178ffffff", "00000000"):
        await pause(120)
        await remote.write_value(bytes.fromhex(value))
    await pause(100)
    await remote.read_value()
    for value in ("00ffc080", "0105ff8000", "01b4ff00ff", "0105ff", "00000000"):
        await pause(300)
        await strip.notify_subscribers(colour, bytes.fromhex(value))
    await pause(200)
    await remote.unsubscribe()
    await pause(100)
    await connection.disconnect()
    await pause(100)


run(story)
