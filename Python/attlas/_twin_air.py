"""Controllers in this process, which hear each other: no radio, no kernel."""
from __future__ import annotations

from typing import Any, BinaryIO, Optional

from bumble import snoop
from bumble.controller import Controller
from bumble.device import Device, DeviceConfiguration
from bumble.hci import Address
from bumble.host import Host
from bumble.link import LocalLink
from bumble.transport.common import AsyncPipeSink


class Air:
    """Controllers of one process."""

    def __init__(self) -> None:
        self.link = LocalLink()
        self.count = 0

    def controller(self, address: Optional[str] = None) -> Any:
        self.count += 1
        return Controller(f"twin-{self.count}", link=self.link, public_address=address or f"00:00:5E:00:53:{self.count & 0xFF:02X}")

    def central(self, address: str = "C0:FF:EE:00:00:01") -> Device:
        """A bumble central, for tests without an app."""
        controller = self.controller()
        return over(controller, AsyncPipeSink(controller), address)


def over(source: Any, sink: Any, address: str = "C0:FF:EE:00:00:01") -> Device:
    """A central over a transport."""
    config = DeviceConfiguration(
        name="central", address=Address(address), irk=bytes(range(1, 17)), gap_service_enabled=False, gatt_service_enabled=False,
        identity_address_type=Address.RANDOM_DEVICE_ADDRESS)
    return Device(config=config, host=Host(controller_source=source, controller_sink=sink))


def record(device: Device, file: BinaryIO) -> None:
    """Writes the packets of a device as btsnoop."""
    device.host.snooper = snoop.BtSnooper(file)
