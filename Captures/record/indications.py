"""A thermometer that indicates, and whose table changes: Service Changed, Database Hash, discovery once more."""

import struct

from tables import *

ORAL = 6


def temperature(mantissa, exponent, fahrenheit=False, minute=None, site=None):
    value = bytes([fahrenheit | (minute is not None) << 1 | (site is not None) << 2]) + float32(mantissa, exponent)
    if minute is not None:
        value += struct.pack("<HBBBBB", 2026, 11, 21, 7, minute, 30)
    return value + (bytes([site]) if site is not None else b"")


async def hash_of(client):
    await client.read_characteristics_by_uuid(as_uuid(0x2B2A), None)


async def subscribe(client):
    await find(client, 0x2A1C).subscribe()
    await find(client, 0x2A1E).subscribe()


async def story(rig):
    central = await rig.central("indications")
    measured = characteristic(0x2A1C, INDICATE)
    interim = characteristic(0x2A1E, NOTIFY)
    health = service(
        0x1809, measured, characteristic(0x2A1D, READ, bytes([ORAL])), interim, characteristic(0x2A21, READ | WRITE, b"\x3c\x00")
    )
    thermometer = await rig.peripheral("Fever 1", "F8:01:5E:77:21:0D", [health], appearance=0x0300, advertised=(0x1809,))
    server = thermometer.gatt_server
    (address,) = await scan(central, "Fever 1")
    _, client = await connect(central, address)
    await client.request_mtu(104)
    await discover(client)
    await find(client, 0x2B29).write_value(b"\x01", with_response=True)
    await find(client, 0x2A05).subscribe()
    await hash_of(client)
    await find(client, 0x2A1D).read_value()
    await find(client, 0x2A21).read_value()
    await subscribe(client)
    for tenths in (352, 358, 363):
        await pause(150)
        await thermometer.notify_subscribers(interim, temperature(tenths, -1))
    for item in ((366, -1), (3664, -2, False, 12), (979, -1, True, 13, ORAL), (0x7FFFFF, 0)):
        await pause(250)
        await thermometer.indicate_subscribers(measured, temperature(*item))

    # A firmware option is switched on: Battery and Device Information appear before Health Thermometer, which moves
    first = health.handle
    del server.attributes[server.attributes.index(health) :]
    server.services.remove(health)
    server.attributes_by_handle.clear()
    battery = service(0x180F, characteristic(0x2A19, READ, b"\x5f"))
    server.add_services([battery, service(0x180A, characteristic(0x2A26, READ, b"1.8.0")), health])
    for subscriptions in server.subscribers.values():
        for handle in [handle for handle in subscriptions if handle >= first]:
            del subscriptions[handle]
    await pause(300)
    await thermometer.indicate_subscribers(thermometer.gatt_service.service_changed_characteristic, struct.pack("<HH", first, 0xFFFF))
    await hash_of(client)
    client.services = [known for known in client.services if known.handle < first]
    fresh = [found for found in await client.discover_services() if found.handle >= first]
    await discover(client, fresh)
    await find(client, 0x2A26).read_value()
    await find(client, 0x2A19).read_value()
    await subscribe(client)
    for tenths in (371, 374):
        await pause(150)
        await thermometer.notify_subscribers(interim, temperature(tenths, -1, False, None, ORAL))
    await pause(250)
    await thermometer.indicate_subscribers(measured, temperature(378, -1, False, 20, ORAL))
    await pause(200)
    await hang_up(thermometer)
    await pause(200)


run(story)
