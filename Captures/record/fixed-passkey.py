"""A lamp without a display whose passkey is printed on it: the phone pairs, forgets the lamp, and pairs again."""

from bumble.pairing import PairingConfig, PairingDelegate

from rig import *

SERVICE = "4C1A0000-7A52-4D0B-9E31-51B0A6D2C001"
BRIGHTNESS = "4C1A0001-7A52-4D0B-9E31-51B0A6D2C001"
PRINTED = 271828


class Lamp(PairingDelegate):
    """Claims a display, and always has the same number on it."""

    async def generate_passkey(self):
        return PRINTED


class Reader(PairingDelegate):
    """Somebody who reads the number from the lamp's label and types it."""

    async def get_number(self):
        await pause(1200)
        return PRINTED


def pairable(device, delegate):
    device.pairing_config_factory = lambda connection: PairingConfig(sc=True, mitm=True, bonding=True, delegate=delegate)


async def story(rig):
    central = await rig.central("fixed-passkey")
    brightness = characteristic(BRIGHTNESS, READ | WRITE, b"\x40", secure="WRITE_REQUIRES_AUTHENTICATION")
    lamp = await rig.peripheral("Lamp 12", "C4:1A:0B:71:82:81", [service(SERVICE, brightness)])
    pairable(central, Reader(PairingDelegate.KEYBOARD_INPUT_ONLY))
    pairable(lamp, Lamp(PairingDelegate.DISPLAY_OUTPUT_ONLY))
    (address,) = await scan(central, "Lamp 12")
    for level in (b"\x20", b"\x60"):
        connection, client = await connect(central, address)
        await discover(client)
        await attempt(find(client, BRIGHTNESS).write_value(level, with_response=True))
        await connection.pair()
        await pause(200)
        await find(client, BRIGHTNESS).write_value(level, with_response=True)
        await pause(100)
        await connection.disconnect()
        await pause(300)
        await lamp.start_advertising()


run(story)
