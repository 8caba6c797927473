"""A phone and a watch, each server and client on one link; the same handles stand for other things on the other side."""

import struct

from tables import *


def time_of_day(second):
    return struct.pack("<HBBBBBBBB", 2026, 11, 21, 9, 30, second, 6, 0, 0)


async def use_phone(client):
    """What the watch asks of the phone."""
    await discover(client)
    await find(client, 0x2A2B).read_value()
    await find(client, 0x2A0F).read_value()
    await find(client, 0x2A2B).subscribe()
    await find(client, 0x2A06).write_value(b"\x02")


async def use_watch(client):
    """What the phone asks of the watch."""
    await client.request_mtu(185)
    await discover(client)
    await find(client, 0x2A00).read_value()
    await find(client, 0x2A37).subscribe()
    await find(client, 0x2A38).read_value()
    await find(client, 0x2A19).read_value()


async def story(rig):
    clock = characteristic(0x2A2B, READ | NOTIFY, time_of_day(0))
    zone = characteristic(0x2A0F, READ, b"\x04\x00")
    alert = characteristic(0x2A06, COMMAND, write=lambda connection, value: None)
    phone = await rig.central("both-roles", services=[service(0x1805, clock, zone), service(0x1802, alert)])
    rate = characteristic(0x2A37, NOTIFY)
    pulse = service(0x180D, rate, characteristic(0x2A38, READ, b"\x02"))
    watch = await rig.peripheral(
        "Watch 5",
        "F7:60:1D:22:08:C3",
        [pulse, service(0x180F, characteristic(0x2A19, READ, b"\x51"))],
        appearance=0x00C0,
        advertised=(0x180D, 0x180F),
    )
    (address,) = await scan(phone, "Watch 5")
    connection, client = await connect(phone, address)
    (back,) = watch.connections.values()
    await asyncio.gather(use_watch(client), use_phone(back.gatt_client))
    for second in range(1, 9):
        await pause(170)
        await phone.notify_subscribers(clock, time_of_day(second))
        await watch.notify_subscribers(rate, heart_rate(96 - second, 640 + 6 * second))
    await asyncio.gather(find(client, 0x2A19).read_value(), find(back.gatt_client, 0x2A0F).read_value())
    await pause(100)
    await connection.disconnect()
    await pause(100)


run(story)
