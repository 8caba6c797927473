"""An ice-cream dispenser: one octet of eight flavour flags, read, written, notified."""

from rig import *

SERVICE = "2E1C1329-FFDA-48B3-8D3F-38B9532A3275"
FLAVOURS = "2E1C132A-FFDA-48B3-8D3F-38B9532A3275"
STRAWBERRY, RASPBERRY, VANILLA, LEMON_BASIL, CHOCOLATE, STRACIATELLA, COOKIE_DOUGH, FUDGE_TART_INSANITY = (1 << bit for bit in range(8))


async def story(rig):
    central = await rig.central("ice-cream", extended=False)
    cup = bytearray([0])

    async def read(connection):
        await pause(10)
        return bytes(cup)

    async def write(connection, value):
        if len(value) != 1:
            raise ATT_Error(0x0D)  # Invalid Attribute Value Length
        await pause(90)
        cup[:] = value

    flavours = characteristic(FLAVOURS, READ | WRITE | NOTIFY, read=read, write=write, descriptors=[description("Flavours")])
    dispenser = await rig.peripheral("Ice-cream Dispenser", "D1:5E:45:E2:1C:E0", [service(SERVICE, flavours)])
    (address,) = await scan(central, "Ice-cream Dispenser")
    connection, client = await connect(central, address)
    await discover(client)
    remote = find(client, FLAVOURS)
    await remote.read_value()
    await remote.subscribe()
    for cone in (STRAWBERRY, STRAWBERRY | RASPBERRY | VANILLA, LEMON_BASIL | CHOCOLATE | FUDGE_TART_INSANITY, 0xFF):
        await pause(300)
        await remote.write_value(bytes([cone]), with_response=True)
        await pause(60)
        await remote.read_value()
    await attempt(remote.write_value(bytes([COOKIE_DOUGH, COOKIE_DOUGH]), with_response=True))
    for cone in (0xFF & ~CHOCOLATE, STRACIATELLA | COOKIE_DOUGH, FUDGE_TART_INSANITY, 0):  # flavours run out
        await pause(250)
        cup[0] = cone
        await dispenser.notify_subscribers(flavours, bytes(cup))
    await pause(250)
    await remote.read_value()
    await remote.unsubscribe()
    await pause(100)
    await connection.disconnect()
    await pause(100)


run(story)
