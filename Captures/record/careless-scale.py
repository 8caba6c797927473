"""A scale with careless firmware: a value for each mistake that a server can make."""

from bumble.pairing import PairingConfig, PairingDelegate

from rig import *

CONTROL = "5CA1E000-3D1B-4E0A-9C57-2F6B8E11A001"
TARE, SELF_TEST, BROKEN = b"\x01", b"\x02", b"\x03"


def old_fashioned(device):
    """Legacy pairing, and nobody asks for protection, though both sides could compare or type numbers."""
    delegate = PairingDelegate(PairingDelegate.DISPLAY_OUTPUT_AND_KEYBOARD_INPUT)
    device.pairing_config_factory = lambda connection: PairingConfig(sc=False, mitm=False, bonding=True, delegate=delegate)


async def story(rig):
    central = await rig.central("careless-scale")
    scale = None

    def say(connection, octets):
        scale.gatt_server.send_gatt_pdu(connection, bytes.fromhex(octets))

    async def command(connection, value):
        if value == SELF_TEST:
            say(connection, "01 52 1f00 0e")  # an answer to a command
        await pause(20)

    async def feature(connection):
        say(connection, "13")  # the answer to somebody's write
        await pause(40)
        return bytes.fromhex("ff000080")

    async def first_name(connection):
        return "André".encode("latin-1")

    async def age(connection):
        raise ATT_Error(0x42)

    weight = characteristic(0x2A9D, INDICATE)
    level = characteristic(0x2A19, READ | NOTIFY, b"\x57")
    scale = await rig.peripheral(
        "Scale 3",
        "E5:CA:1E:03:00:03",
        [
            service(0x181D, weight, characteristic(0x2A9E, READ, read=feature)),
            service(0x180F, level),
            service(0x181C, characteristic(0x2A8A, READ, read=first_name), characteristic(0x2A80, READ, read=age)),
            service(CONTROL[:-1] + "0", characteristic(CONTROL, COMMAND, write=command)),
        ],
        appearance=0x0C80,
        advertised=(0x181D, 0x180F),
    )
    scale.gatt_server.max_mtu = 20
    old_fashioned(central)
    old_fashioned(scale)
    (address,) = await scan(central, "Scale 3")
    connection, client = await connect(central, address)
    (there,) = scale.connections.values()
    await client.request_mtu(100)
    connection.att_mtu = there.att_mtu = 23  # whatever was offered
    await discover(client)
    remote = find(client, 0x2A9D)
    handle = remote.handle.to_bytes(2, "little").hex()

    say(there, f"1b {find(client, 0x2A19).handle.to_bytes(2, 'little').hex()} 57")  # nobody asked for it
    await pause(120)
    await attempt(find(client, 0x2A9E).read_value())
    await pause(200)
    await remote.subscribe(prefer_notify=False)
    await pause(200)
    say(there, f"1d {handle} 02 983a")  # a time stamp is announced, and is not there
    await pause(200)
    say(there, f"1d {handle} 80 983a")  # bit 7 is reserved
    await pause(300)
    say(there, f"1b {handle} 00 a23a")  # it declares indications
    await pause(100)
    await find(client, 0x2A8A).read_value()
    await attempt(find(client, 0x2A80).read_value())
    control = find(client, CONTROL)
    for order in (TARE, SELF_TEST):
        await control.write_value(order, with_response=False)
        await pause(100)
    say(there, f"1b {find(client, 0x2A19).handle.to_bytes(2, 'little').hex()} " + "57" * 24)  # longer than the MTU
    await pause(100)
    await connection.pair()
    await pause(300)
    await find(client, 0x2A8A).read_value()
    await hang_up(scale)
    await pause(100)


run(story)
