"""A chest strap: scan, connect, MTU, full discovery, reads, heart rate notifications, control point, disconnected by the strap."""

import struct

from tables import *

MEASUREMENTS = [  # rate, contact (None: not supported), energy in kJ, RR intervals in 1/1024 s
    (72, None, None, []),
    (73, False, None, []),
    (73, True, None, []),
    (74, True, None, [848]),
    (75, True, None, [830, 822]),
    (76, True, 0, [815]),
    (78, True, 1, [806, 799, 791]),
    (80, True, None, [781]),
    (83, True, None, [752, 749]),
    (87, True, None, [716]),
    (92, True, 2, [676, 671]),
    (98, True, None, [634]),
    (105, True, None, [590, 588]),
    (113, True, 3, []),
    (121, True, None, [512]),
    (130, True, None, [478, 474, 471]),
    (139, True, 0, [447]),
    (148, True, None, [421, 418]),
    (157, True, None, [397]),
    (166, True, 2, [375, 372]),
    (0x00FE, True, None, []),
    (0x0104, True, None, []),
    (0x012C, True, 0xFFFF, [204]),
    (112, False, None, []),
    (72, True, 0, [850]),
]


def measurement(rate, contact, energy, intervals):
    wide = rate > 253  # the last ones in 16 bits although 254 would fit in 8
    flags = wide | (0 if contact is None else 4 | contact << 1) | (energy is not None) << 3 | bool(intervals) << 4
    value = struct.pack("<BH" if wide else "<BB", flags, rate)
    if energy is not None:
        value += struct.pack("<H", energy)
    return value + b"".join(struct.pack("<H", interval) for interval in intervals)


async def story(rig):
    central = await rig.central("heart-rate")
    strap, rate = await heart_rate_strap(rig)
    (address,) = await scan(central, "HRM-7")
    _, client = await connect(central, address)
    await client.request_mtu(247)
    await discover(client)
    for uuid in (0x2A00, 0x2A01, 0x2A19, 0x2A38, 0x2A29, 0x2A24, 0x2A25, 0x2A26, 0x2A50, 0x2A23):
        await attempt(find(client, uuid).read_value())
    remote = find(client, 0x2A37)
    await remote.subscribe()
    for number, item in enumerate(MEASUREMENTS):
        await pause(250)
        await strap.notify_subscribers(rate, measurement(*item))
        if number in (13, 22):
            await find(client, 0x2A39).write_value(b"\x01", with_response=True)
        if number == 16:
            await attempt(find(client, 0x2A39).write_value(b"\x02", with_response=True))
    await pause(200)
    await remote.unsubscribe()
    await pause(300)
    await hang_up(strap)
    await pause(200)


run(story)
