"""Two devices of bumble that hear each other: a central and a peripheral."""
from bumble.controller import Controller
from bumble.device import Device, DeviceConfiguration
from bumble.hci import Address
from bumble.host import Host
from bumble.link import LocalLink
from bumble.transport.common import AsyncPipeSink


async def pair_of_devices(**configuration):
    link, devices = LocalLink(), []
    for number in (1, 2):
        controller = Controller(str(number), link=link, public_address=Address(f"00:00:00:00:00:0{number}"))
        device = Device(
            config=DeviceConfiguration(name=str(number), address=Address(f"F0:00:00:00:00:0{number}"), **configuration),
            host=Host(controller, AsyncPipeSink(controller)))
        await device.power_on()
        devices.append(device)
    return devices
