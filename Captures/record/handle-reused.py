"""One connection handle, three connections: device A, device B half discovered, device A again without discovery."""

from tables import *

WEATHER = "Rooftop 3"


async def story(rig):
    central = await rig.central("handle-reused")
    strap, rate = await heart_rate_strap(rig)
    pressure = characteristic(0x2A6D, READ | NOTIFY, (1013250).to_bytes(4, "little"))
    humidity = characteristic(0x2A6F, READ, (6180).to_bytes(2, "little"))
    rooftop = await rig.peripheral(
        WEATHER,
        "CE:31:07:5B:44:A9",
        [
            service(0x180A, characteristic(0x2A24, READ, b"Rooftop 3")),
            service(0x181A, pressure, humidity),
            service(0x180F, characteristic(0x2A19, READ, b"\x2c")),
        ],
        advertised=(0x181A,),
    )
    one, two = await scan(central, "HRM-7", WEATHER)

    # A: everything is discovered
    _, client = await connect(central, one)
    await client.request_mtu(185)
    await discover(client)
    await find(client, 0x2A37).subscribe()
    handles = {uuid: find(client, uuid).handle for uuid in (0x2A37, 0x2A38, 0x2A19)}
    for step in range(5):
        await pause(200)
        await strap.notify_subscribers(rate, heart_rate(70 + step, 870 - 12 * step))
    await find(client, 0x2A19).read_value()
    await hang_up(strap)
    await pause(300)

    # B: only Environmental Sensing is discovered; Device Information and Battery are read by handle
    _, client = await connect(central, two)
    await discover(client, await client.discover_service(as_uuid(0x181A)))
    await find(client, 0x2A6D).subscribe()
    for step in range(4):
        await pause(200)
        await rooftop.notify_subscribers(pressure, (1013250 + 10 * step).to_bytes(4, "little"))
    await find(client, 0x2A6F).read_value()
    await client.read_value(0x0010)
    await client.read_value(rooftop.gatt_server.attributes[-1].handle)
    await hang_up(central)
    await pause(300)

    # A again: the client remembers the table
    await strap.start_advertising()
    _, client = await connect(central, one)
    await client.write_value(handles[0x2A37] + 1, b"\x01\x00", with_response=True)
    for step in range(5):
        await pause(200)
        await strap.notify_subscribers(rate, heart_rate(90 + step, 680 - 8 * step))
    await client.read_value(handles[0x2A19])
    await client.read_value(handles[0x2A38])
    await hang_up(strap)
    await pause(200)


run(story)
