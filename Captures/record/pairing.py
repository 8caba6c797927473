"""LE Secure Connections with numeric comparison and bonding; reads that fail before it and succeed after; a reconnection with the bond."""

from bumble.pairing import PairingConfig, PairingDelegate

from rig import *

SERVICE = "93A0B6E4-57CD-4F0C-8F0D-0E5C2D7BA000"
DOOR = "93A0B6E4-57CD-4F0C-8F0D-0E5C2D7BA001"
LOG = "93A0B6E4-57CD-4F0C-8F0D-0E5C2D7BA002"


class Person(PairingDelegate):
    """Somebody who compares the two numbers and takes a moment for it."""

    def __init__(self, hesitation):
        super().__init__(PairingDelegate.DISPLAY_OUTPUT_AND_YES_NO_INPUT)
        self.hesitation = hesitation

    async def compare_numbers(self, number, digits):
        await pause(self.hesitation)
        return True


def pairable(device, hesitation):
    device.pairing_config_factory = lambda connection: PairingConfig(sc=True, mitm=True, bonding=True, delegate=Person(hesitation))


async def story(rig):
    central = await rig.central("pairing")
    door = characteristic(DOOR, READ | WRITE, b"\x00", secure="READ_REQUIRES_AUTHENTICATION,WRITE_REQUIRES_AUTHENTICATION")
    log = characteristic(LOG, READ, b"2026-11-20 22:14 locked", secure="READ_REQUIRES_ENCRYPTION")
    lock = await rig.peripheral("Door Lock", "D0:02:10:C4:55:E1", [service(SERVICE, door, log)])
    pairable(central, 700)
    pairable(lock, 900)
    (address,) = await scan(central, "Door Lock")
    connection, client = await connect(central, address)
    await client.request_mtu(100)
    await discover(client)
    await attempt(find(client, DOOR).read_value())
    await attempt(find(client, LOG).read_value())
    await attempt(find(client, DOOR).write_value(b"\x01", with_response=True))
    await connection.pair()
    await pause(300)
    await find(client, DOOR).read_value()
    await find(client, LOG).read_value()
    await find(client, DOOR).write_value(b"\x01", with_response=True)
    handles = find(client, DOOR).handle, find(client, LOG).handle
    await pause(100)
    await connection.disconnect()
    await pause(400)

    await lock.start_advertising()
    connection, client = await connect(central, address)
    await attempt(client.read_value(handles[0]))
    await connection.encrypt()
    await pause(60)
    await client.read_value(handles[0])
    await client.read_value(handles[1])
    await pause(100)
    await hang_up(lock)
    await pause(200)


run(story)
