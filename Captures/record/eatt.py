"""Enhanced ATT: three bearers in addition to the fixed channel, requests under way on all of them, values that take several segments."""

import struct

from bumble import att, l2cap
from bumble.gatt_client import Client

from rig import *

SERVICE = "5E1F0A20-91B7-4D0C-A3C2-7C55D8E0B400"
DOCUMENT = "5E1F0A20-91B7-4D0C-A3C2-7C55D8E0B401"
STREAM = "5E1F0A20-91B7-4D0C-A3C2-7C55D8E0B402"
CHANNEL = l2cap.LeCreditBasedChannelSpec(psm=att.EATT_PSM, mtu=247, mps=64, max_credits=8)


def multiple_notification(*values):
    """Bumble has no Multiple Handle Value Notification; this is one."""
    return b"\x23" + b"".join(struct.pack("<HH", attribute.handle, len(value)) + value for attribute, value in values)


async def story(rig):
    central = await rig.central("eatt")
    document = characteristic(DOCUMENT, READ | WRITE, bytes(range(180)))
    stream = characteristic(STREAM, NOTIFY)
    level = characteristic(0x2A19, READ | NOTIFY, b"\x5a")
    recorder = await rig.peripheral(
        "Recorder 8",
        "C9:8E:C0:12:DE:08",
        [service(0x180F, level), service(SERVICE, document, stream)],
        features=gatt.ServerSupportedFeatures.EATT_SUPPORTED,
    )
    recorder.gatt_server.register_eatt(CHANNEL)
    (address,) = await scan(central, "Recorder 8")
    connection, client = await connect(central, address)
    await discover(client)
    await find(client, 0x2B3A).read_value()
    await connection.pair()
    await pause(200)
    await find(client, 0x2B29).write_value(b"\x06", with_response=True)  # EATT, multiple notifications

    bearers = await Client.connect_eatt(connection, CHANNEL, count=3)
    for bearer in bearers:
        bearer.mtu = min(CHANNEL.mtu, bearer.bearer.peer_mtu)  # which bumble's client leaves at 23
    await pause(100)
    one, two, three = bearers
    handle = {uuid: find(client, uuid).handle for uuid in (DOCUMENT, STREAM, 0x2A19, 0x2A00)}

    # A request on each bearer at once
    await asyncio.gather(
        one.read_value(handle[DOCUMENT]),
        two.read_value(handle[0x2A19]),
        three.read_value(handle[0x2A00]),
        client.read_value(handle[DOCUMENT]),
    )
    await pause(100)
    await one.send_request(att.ATT_Read_Multiple_Variable_Request(set_of_handles=[handle[0x2A00], handle[0x2A19], handle[DOCUMENT]]))
    await two.write_value(handle[STREAM] + 1, b"\x01\x00", with_response=True)
    await three.write_value(handle[0x2A19] + 1, b"\x01\x00", with_response=True)

    # Notifications come on the bearer that subscribed
    for number in range(6):
        await pause(120)
        await recorder.notify_subscribers(stream, bytes([number]) * (40 + 40 * number))
        await recorder.notify_subscribers(level, bytes([90 - number]))
    await pause(150)

    # A queue of prepared writes on one bearer, a plain write on another in the meantime
    async def queue():
        for offset in (0, 100):
            await one.send_request(
                att.ATT_Prepare_Write_Request(
                    attribute_handle=handle[DOCUMENT], value_offset=offset, part_attribute_value=bytes([offset]) * 100
                )
            )
        await one.send_request(att.ATT_Execute_Write_Request(flags=1))

    await asyncio.gather(queue(), two.write_value(handle[STREAM] + 1, b"\x00\x00", with_response=True), three.read_value(handle[0x2A19]))
    await one.read_value(handle[DOCUMENT])

    bearer = next(bearer for bearer in recorder.gatt_server.subscribers if att.is_enhanced_bearer(bearer))
    recorder.gatt_server.send_gatt_pdu(bearer, multiple_notification((level, b"\x50"), (stream, b"\xaa" * 70)))
    await pause(150)
    await three.bearer.disconnect()
    await find(client, 0x2A19).read_value()
    await pause(100)
    await connection.disconnect()
    await pause(100)


run(story)
