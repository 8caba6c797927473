"""The peripheral in the virtual machine: bumble on the user channel of hci1. Writes its address to the file it is given."""

import asyncio
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from bumble import hci
from bumble.transport import open_transport

from rig import *

COLOUR = "6E40FF02-B5A3-F393-E0A9-E50E24DCCA9E"
LOCKED = "6E40FF0F-B5A3-F393-E0A9-E50E24DCCA9E"


async def main():
    state = bytearray.fromhex("00ff8000")

    def write(connection, value):
        state[:] = value

    temperature = characteristic(0x2A6E, READ | NOTIFY, (2150).to_bytes(2, "little"))
    services = [
        service(0x180A, characteristic(0x2A29, READ, b"Pulsar Instruments"), characteristic(0x2A24, READ, b"Lamp with thermometer")),
        service(0x180F, characteristic(0x2A19, READ | NOTIFY, b"\x4b")),
        service(0x181A, temperature),
        service(
            "6E40FF01-B5A3-F393-E0A9-E50E24DCCA9E",
            characteristic(COLOUR, READ | WRITE | COMMAND, read=lambda connection: bytes(state), write=write),
            characteristic(LOCKED, READ, b"\x00", secure="READ_REQUIRES_AUTHORIZATION"),
        ),
    ]
    async with await open_transport("hci-socket:1") as transport:
        settings = DeviceConfiguration(name="Lamp 12", gap_service_enabled=False, gatt_service_enabled=False)
        device = Device.from_config_with_hci(settings, transport.source, transport.sink)
        device.add_service(GenericAccessService("Lamp 12"))
        device.gatt_service = GenericAttributeProfileService()
        device.add_service(device.gatt_service)
        device.add_services(services)
        await device.power_on()
        structures = [data_types.Flags(0x06), data_types.CompleteLocalName("Lamp 12")]
        device.advertising_data = bytes(core.AdvertisingData(structures))
        await device.start_advertising(auto_restart=True, own_address_type=hci.OwnAddressType.PUBLIC)
        Path(sys.argv[1]).write_text(device.public_address.to_string(False))
        for hundredths in range(2150, 10000, 3):
            await asyncio.sleep(0.7)
            await device.notify_subscribers(temperature, hundredths.to_bytes(2, "little"))


asyncio.run(main())
