"""The log begins when the strap is already connected and discovered: nothing in it says what the handles are."""

from tables import *


async def story(rig):
    central = await rig.central()
    strap, rate = await heart_rate_strap(rig)
    (address,) = await scan(central, "HRM-7")
    _, client = await connect(central, address)
    await client.request_mtu(185)
    await discover(client)
    await find(client, 0x2A37).subscribe()
    await pause(200)

    rig.snoop(central, "after-discovery")
    for step in range(6):
        await pause(220)
        await strap.notify_subscribers(rate, heart_rate(80 + step, 768 - 9 * step, 764 - 9 * step))
    await find(client, 0x2A19).read_value()
    await find(client, 0x2A38).read_value()
    await find(client, 0x2A19).subscribe()
    await pause(150)
    await strap.notify_subscribers(strap.gatt_server.get_attribute(0x0018), b"\x56")
    await find(client, 0x2A00).read_value()
    await attempt(client.read_value(0x0042))
    await find(client, 0x2A37).unsubscribe()
    await pause(200)
    await hang_up(strap)
    await pause(200)


run(story)
