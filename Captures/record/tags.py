"""Two tags that say what they measure by advertising, and a host that scans. The one is a RuuviTag (RAWv2); the other has a layout of its maker: a counter,
a temperature, a battery, and the sum of all."""

import struct

from rig import *

ROUNDS = 40
INTERVAL_MS = 100


def ruuvi(number):
    """RAWv2, as docs.ruuvi.com describes it."""
    temperature = 24.3 + number * 0.02
    power = (2977 - 1600) << 5 | (4 + 40) // 2
    return struct.pack(
        ">HBhHHhhhHBH6s",
        0x9904,
        5,
        round(temperature / 0.005),
        round(53.49 / 0.0025),
        100044 - 50000,
        4,
        -4,
        1036,
        power,
        66,
        205 + number,
        bytes.fromhex("CBB8334C884F"),
    )


def other(number):
    body = struct.pack("<BhBB", number, 2150 + (number * 7) % 40, 97 - number // 20, 0x20)
    return struct.pack("<H", 0xFFFF) + body + bytes([sum(body) & 0xFF])


async def advertise(device, manufacturer):
    data = core.AdvertisingData([(core.AdvertisingData.FLAGS, bytes([6])), (core.AdvertisingData.MANUFACTURER_SPECIFIC_DATA, manufacturer)])
    await device.send_command(hci.HCI_LE_Set_Advertising_Data_Command(advertising_data=bytes(data)))


async def story(rig):
    scanner = await rig.central("tags")
    ruuvitag = await rig.device("RuuviTag", random_address="CB:B8:33:4C:88:4F", extended=False)
    tag = await rig.device("Tag", random_address="D2:11:5A:0C:77:31", extended=False)
    for device in [ruuvitag, tag]:
        await device.start_advertising(advertising_interval_min=INTERVAL_MS, advertising_interval_max=INTERVAL_MS)
    await advertise(ruuvitag, ruuvi(0))
    await advertise(tag, other(0))
    await scanner.start_scanning(legacy=True, active=False, own_address_type=hci.OwnAddressType.PUBLIC)
    for number in range(ROUNDS):
        await advertise(ruuvitag, ruuvi(number))
        await advertise(tag, other(number))
        await pause(INTERVAL_MS)
    await scanner.stop_scanning()
    await pause(100)


run(story)
