"""A recorded device, or a recorded central, that answers: `python -m attlas.twin led.btsnoop --transport usb:0`.

Needs `pip install attlas[twin]`. Documentation/twin.md has what it does, and what it cannot know.
"""
from __future__ import annotations

import argparse
import asyncio
import datetime
import os
import sys
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any, AsyncIterator, Callable, Dict, List, Optional, Sequence

from ._errors import Error
from ._twin_model import Model

try:
    from bumble.core import BaseBumbleError
    from bumble.transport import open_transport
    from bumble.transport.common import AsyncPipeSink

    from . import _twin_air, _twin_faults
    from ._twin_air import Air
    from ._twin_client import Client
    from ._twin_server import Peripheral, quiet
except ImportError as error:
    raise Error(f"a twin needs bumble and PyYAML: pip install attlas[twin] ({error})") from None

__all__ = ["Air", "Twin", "main", "twin"]


class Twin:
    """A running twin. `address` is what a central connects to."""

    def __init__(self, model: Model, peripheral: Peripheral, air: Optional[Air]) -> None:
        self.model, self.peripheral, self.air = model, peripheral, air
        self.address = peripheral.address

    def central(self, address: str = "C0:FF:EE:00:00:01") -> Any:
        """A central of bumble, which hears the twin; not with a transport."""
        if self.air is None:
            raise Error("a twin with a transport has no central in this process")
        return self.air.central(address)

    def __setitem__(self, attribute: str, value: "int | bytes") -> None:
        """Changes a value: `twin["2A19"] = 50`. A number has the length of the recorded value, the least significant octet first."""
        handle = self.model.handle(attribute)
        self.peripheral.server.values[handle] = octets(value, self.peripheral.server.known_value(handle), attribute)

    def notify(self, attribute: str, value: "int | bytes") -> None:
        """Sends a notification to each central that is connected."""
        handle = self.model.handle(attribute)
        value = octets(value, self.peripheral.server.known_value(handle), attribute)
        for conversation in self.peripheral.server.conversations.values():
            conversation.put("notify", handle, value, 0)

    async def ended(self) -> None:
        """Returns when the transport is closed."""
        await self.peripheral.source.wait_for_termination()

    @property
    def unknown(self) -> List[str]:
        """The requests that the capture has no answer for."""
        return self.peripheral.server.unknowns


def octets(value: "int | bytes | str", recorded: Optional[bytes], attribute: str) -> bytes:
    """A value from octets, from `0x…`, or from a number, which has the length of the recorded value."""
    try:
        if isinstance(value, bytes):
            return value
        if isinstance(value, str) and value.lower().startswith("0x"):
            return bytes.fromhex(value[2:])
        number = int(value)
        return number.to_bytes(len(recorded) if recorded else 1, "little", signed=number < 0)
    except (OverflowError, ValueError):
        raise Error(f"{attribute}={value!r}: give octets (0x64) or a number that fits into the recorded value") from None


@asynccontextmanager
async def twin(
    capture: Any, *, faults: Sequence[str] = (), values: Optional[Dict[str, Any]] = None, peer: Optional[str] = None,
    transport: Optional[str] = None, strict: bool = False, pace: float = 1.0, record: Optional[str] = None,
    passkey: Optional[int] = None, address: Optional[str] = None, air: Optional[Air] = None,
    log: Callable[[str], None] = lambda text: None,
) -> AsyncIterator[Twin]:
    """A twin of a capture, or of a file that `attlas export --twin` wrote, as long as the block runs.

    Without a transport it is in this process, and `twin.central()` makes a central that hears it. Several twins hear each other with the
    same `air`. `pace` multiplies the recorded times: 0 does not wait.
    """
    model = capture if isinstance(capture, Model) else await asyncio.to_thread(Model.load, capture, peer)
    quiet()
    async with AsyncExitStack() as stack:
        source: Any
        if transport is None:
            air = air or Air()
            source = air.controller()
            sink: Any = AsyncPipeSink(source)
        else:
            opened = await stack.enter_async_context(await open_transport(transport))
            source, sink = opened.source, opened.sink
        peripheral = Peripheral(
            model, source, sink, faults_=tuple(faults), strict=strict, pace=pace, waits_for_link=transport is None, passkey=passkey,
            address=address, log=log)
        running = Twin(model, peripheral, air if transport is None else None)
        for name, value in (values or {}).items():
            running[name] = value
        if record is not None:
            _twin_air.record(peripheral.device, stack.enter_context(open(record, "wb", buffering=0)))
        await peripheral.start()
        try:
            yield running
        finally:
            await peripheral.stop()


def _print(text: str) -> None:
    print(f"{datetime.datetime.now():%H:%M:%S}  {text}", flush=True)


def _arguments(arguments: Optional[Sequence[str]]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m attlas.twin", description="Play a recorded device, or a recorded central.",
        epilog="\n\n".join(_twin_faults.GRAMMAR.values()), formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("capture", help="a capture, or a file of attlas export --twin (.yaml)")
    parser.add_argument("--transport", metavar="NAME", help="a transport of bumble: usb:0, hci-socket:0, vhci, tcp-client:HOST:PORT, android-netsim")
    parser.add_argument("--peer", metavar="TEXT", help="the device whose name or address contains this text")
    parser.add_argument("--as", dest="role", choices=("device", "client"), default="device", help="what of the capture to play (default: device)")
    parser.add_argument("--to", metavar="TARGET", help="with --as client: the address or the name of the device (default: as recorded)")
    parser.add_argument("--fault", action="append", default=[], metavar="FAULT", help="a fault of the side that is played; may be repeated")
    parser.add_argument("--set", action="append", default=[], metavar="ATTRIBUTE=VALUE", help="another value: 2A19=50, or octets: 2A19=0x32")
    parser.add_argument("--strict", action="store_true", help="refuse what was never recorded, with 0x0E")
    parser.add_argument("--record", metavar="FILE", help="write the packets to this btsnoop file")
    parser.add_argument("--passkey", type=int, metavar="N", help="the passkey of pairing")
    parser.add_argument("--address", help="the address to advertise with (default: the recorded one, as a random static one)")
    parser.add_argument("--pace", type=float, default=1.0, metavar="FACTOR", help="multiply the recorded times (default: 1)")
    parser.add_argument("--check", action="store_true", help="say what the twin would do, and stop")
    return parser.parse_args(arguments)


async def _play(options: argparse.Namespace, model: Model) -> None:
    values = {}
    for text in options.set:
        name, equals, value = text.partition("=")
        if not equals:
            raise Error(f'--set "{text}": give ATTRIBUTE=VALUE, as 2A19=50')
        values[name] = value
    if options.role == "device":
        async with twin(
            model, faults=options.fault, values=values, transport=options.transport, strict=options.strict, pace=options.pace,
            record=options.record, passkey=options.passkey, address=options.address, log=_print,
        ) as running:
            _print(f"advertising as {running.address.to_string(False)}")
            await running.ended()
        return
    quiet()
    async with AsyncExitStack() as stack:
        opened = await stack.enter_async_context(await open_transport(options.transport))
        device = _twin_air.over(opened.source, opened.sink)
        if options.record is not None:
            _twin_air.record(device, stack.enter_context(open(options.record, "wb", buffering=0)))
        await device.power_on()
        await Client(model, device, faults=options.fault, pace=options.pace, log=_print).run(options.to)


def main(arguments: Optional[Sequence[str]] = None) -> int:
    options = _arguments(arguments)
    try:
        model = Model.load(options.capture, options.peer)
        print("\n".join(model.summary()), flush=True)
        for text in options.fault:
            _twin_faults.parse(text, model, options.role)
        if options.check:
            return 0
        if options.record is not None and os.path.exists(options.record):
            raise Error(f"--record {options.record}: the file exists; remove it, or give another name")
        if not options.transport:
            raise Error("--transport is missing: usb:0 for a dongle, hci-socket:0 for Linux, android-netsim; --check needs none")
        asyncio.run(_play(options, model))
    except (BaseBumbleError, Error, OSError) as error:
        print(f"attlas.twin: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 0
    return 0


if __name__ == "__main__":
    sys.exit(main())
