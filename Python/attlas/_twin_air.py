"""Controllers in this process, which hear each other: no radio, no kernel."""
from __future__ import annotations

import os
from contextlib import contextmanager
from typing import Any, Iterator, Optional

from bumble import snoop
from bumble.controller import Controller
from bumble.device import Device, DeviceConfiguration
from bumble.hci import Address
from bumble.link import LocalLink
from bumble.transport.common import AsyncPipeSink

from ._errors import Error

CENTRAL = "C0:FF:EE:00:00:01"


class Air:
    """Controllers of one process."""

    def __init__(self) -> None:
        self.link = LocalLink()
        self.count = 0

    def controller(self) -> Any:
        self.count += 1
        return Controller(f"twin-{self.count}", link=self.link, public_address=f"00:00:5E:00:53:{self.count & 0xFF:02X}")

    def central(self, address: str = CENTRAL) -> Device:
        """A bumble central, for tests without an app."""
        controller = self.controller()
        return over(controller, AsyncPipeSink(controller), Address(address))


def over(source: Any, sink: Any, address: Address = Address(CENTRAL), name: str = "central") -> Device:
    """A device over a transport, without attributes."""
    config = DeviceConfiguration(
        name=name, address=address, irk=(bytes(address) * 3)[:16], gap_service_enabled=False, gatt_service_enabled=False,
        identity_address_type=Address.RANDOM_DEVICE_ADDRESS)
    return Device.from_config_with_hci(config, source, sink)


class Snooper(snoop.BtSnooper):
    """Keeps the first error instead of raising it within bumble."""

    error: Optional[OSError] = None

    def snoop(self, hci_packet: bytes, direction: Any) -> None:
        try:
            if self.error is None:
                super().snoop(hci_packet, direction)
        except OSError as error:
            self.error = error


def check_unused(path: str) -> None:
    """Raises FileExistsError for what is not the name of a new file."""
    if os.path.lexists(path):
        reason = "a folder" if os.path.isdir(path) else "an existing file" if os.path.isfile(path) else "not a file"
        raise FileExistsError(f"recording to {path}: {reason}; give the name of a new file")


@contextmanager
def record(device: Device, path: str) -> Iterator[None]:
    """Writes the packets of a device as btsnoop to a new file."""
    with open(path, "xb", buffering=0) as file:
        device.host.snooper = snooper = Snooper(file)
        try:
            yield
        finally:
            device.host.snooper = None
    if snooper.error is not None:
        raise Error(f"recording to {path}: not complete ({snooper.error.strerror})")
