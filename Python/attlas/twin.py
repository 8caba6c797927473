"""A recorded device, or a recorded central, that answers: `python -m attlas.twin led.btsnoop --transport usb:0`.

Needs `pip install attlas[twin]`. Documentation/twin.md has what it does, and what it cannot know.
"""
from __future__ import annotations

import argparse
import asyncio
import datetime
import io
import logging
import math
import re
import signal
import sys
from contextlib import AsyncExitStack, asynccontextmanager, nullcontext
from typing import Any, AsyncIterator, Callable, Coroutine, Dict, List, Optional, Sequence, Tuple

from ._errors import Error

if _is_interruptible := __name__ == "__main__" and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
    # Ctrl-C while bumble is imported, without a traceback.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
try:
    from bumble.core import BaseBumbleError
    from bumble.transport import open_transport
    from bumble.transport.common import AsyncPipeSink

    from . import _twin_air, _twin_faults
    from ._twin_air import Air
    from ._twin_client import Client, summary
    from ._twin_file import LONGEST
    from ._twin_model import Model
    from ._twin_server import Peripheral, quiet
except ImportError as error:
    _reason = f"a twin needs Python 3.11 or later, and: pip install attlas[twin] ({error})"
    if __name__ == "__main__":
        sys.exit(f"attlas.twin: {_reason}")
    raise Error(_reason) from None

__all__ = ["Air", "Twin", "main", "twin"]

_TRANSPORTS = {
    "usb": "usb:0 is the first Bluetooth dongle that the system does not use; write access to /dev/bus/usb is needed",
    "hci-socket": "hci-socket:0 is hci0 on Linux; it needs root, and the adapter down (hciconfig hci0 down)",
    "vhci": "vhci makes an adapter on Linux; it needs root, and modprobe hci_vhci",
    "tcp-client": "give tcp-client:HOST:PORT of a controller that listens",
    "serial": "give serial:DEVICE,BAUD, as serial:/dev/ttyACM0,1000000",
    "android-netsim": 'start the Android emulator, and: pip install "bumble[android]"',
}
# Seconds in which a controller starts.
_START = 10


class Twin:
    """A running twin. `address` is what a central connects to."""

    def __init__(self, model: Model, peripheral: Peripheral, air: Optional[Air]) -> None:
        self.model, self.peripheral, self.air = model, peripheral, air
        self.address = peripheral.address
        # The requests that the capture has no answer for.
        self.unknown: List[str] = peripheral.unknowns

    def central(self, address: str = _twin_air.CENTRAL) -> Any:
        """A central of bumble, which hears the twin; not with a transport."""
        if self.air is None:
            raise Error("a twin with a transport has no central in this process")
        return self.air.central(address)

    def __setitem__(self, attribute: str, value: "int | bytes") -> None:
        """Changes a value without notifying: `twin["2A19"] = 50`. A number has the length of the recorded value, little-endian."""
        self.peripheral.values.update([octets(self.model, attribute, value)])

    def notify(self, attribute: str, value: "int | bytes") -> None:
        """Sends a value to the centrals that subscribed to it, as a notification or an indication."""
        handle, sent = octets(self.model, attribute, value)
        if handle in self.peripheral.values:
            self.peripheral.values[handle] = sent
        for conversation in self.peripheral.conversations.values():
            if kind := conversation.subscription(handle):
                conversation.put(kind, handle, sent, 0)


def octets(model: Model, attribute: str, value: "int | bytes | str") -> Tuple[int, bytes]:
    """The handle, and a value from octets, from `0x…`, or from a number, which has the length of the recorded value."""
    handle = model.handle(attribute)
    try:
        if isinstance(value, str) and value.lower().startswith("0x"):
            value = bytes.fromhex(value[2:])
        if not isinstance(value, bytes):
            value = int(value).to_bytes(len(model.known_value(handle) or b"\0"), "little", signed=int(value) < 0)
        if len(value) > LONGEST:
            raise ValueError
        return handle, value
    except (OverflowError, ValueError):
        raise Error(f"{attribute}={value!r}: give at most {LONGEST} octets (0x64), or a number that fits into the recorded value") from None


def checked(
    model: Model, role: str, faults: Sequence[str], values: Dict[str, Any], pace: float, passkey: Optional[int], address: Optional[str],
    record: Optional[str],
) -> Dict[int, bytes]:
    """The values by handle. Raises attlas.Error for an option that is wrong."""
    _twin_faults.Faults(faults, model, role, _print)
    if not (math.isfinite(pace) and pace >= 0):
        raise Error(f"pace {pace}: give 0 or a positive number")
    if passkey is not None and not 0 <= passkey <= 999_999:
        raise Error(f"passkey {passkey}: give a number from 0 to 999999")
    if address is not None and not re.fullmatch("[C-F][0-9A-F](:[0-9A-F]{2}){5}", address.upper()):
        raise Error(f"address {address}: give a random static one, which begins with C0 to FF, as C4:1E:D5:00:51:0B")
    if record is not None:
        _twin_air.check_unused(record)
    return dict(octets(model, name, value) for name, value in values.items())


@asynccontextmanager
async def opened(name: str) -> AsyncIterator[Any]:
    """A transport of bumble. Raises attlas.Error, with what to try, and in the block when it closes."""
    try:
        both = await open_transport(name)
    except Exception as error:  # each transport has other ones
        is_unclear = type(error) in (AssertionError, ValueError)
        reason = "the part after the colon is missing or wrong" if is_unclear else str(error) or type(error).__name__
        hint = _TRANSPORTS.get(name.partition(":")[0], f"transports are {', '.join(_TRANSPORTS)}, and others of bumble")
        raise Error(f"transport {name}: {reason}; {hint}") from None
    task: Any = asyncio.current_task()

    def close(_: Any) -> None:
        task.cancel()

    async with both:
        both.source.terminated.add_done_callback(close)
        try:
            yield both
        except (asyncio.CancelledError, BaseBumbleError):
            if not both.source.terminated.done():
                raise
            raise Error(f"transport {name}: closed by the other side") from None
        finally:
            both.source.terminated.remove_done_callback(close)


async def started(start: "Coroutine[Any, Any, None]", transport: Optional[str]) -> None:
    try:
        await asyncio.wait_for(start, _START)
    except TimeoutError:
        raise Error(f"transport {transport}: the controller did not answer for {_START} s") from None


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
    by_handle = checked(model, "device", faults, values or {}, pace, passkey, address, record)
    quiet()
    async with AsyncExitStack() as stack:
        source: Any
        if transport is None:
            air = air or Air()
            source = air.controller()
            stack.callback(air.link.remove_controller, source)
            sink: Any = AsyncPipeSink(source)
        else:
            air, both = None, await stack.enter_async_context(opened(transport))
            source, sink = both.source, both.sink
        peripheral = Peripheral(
            model, source, sink, faults=_twin_faults.Faults(faults, model, "device", log), values=by_handle, strict=strict, pace=pace, waits_for_link=air is not None,
            passkey=passkey, address=address, log=log)
        if air is not None and any(other.random_address == peripheral.address for other in air.link.controllers):
            raise Error(f"{peripheral.address.to_string(False)}: another device of this air has the address; give one with address=")
        if record is not None:
            stack.enter_context(_twin_air.record(peripheral.device, record))
        await started(peripheral.start(), transport)
        stack.push_async_callback(peripheral.stop)
        yield Twin(model, peripheral, air)


class _Line(logging.Formatter):
    """What bumble and asyncio report, as a line without its traceback."""

    def format(self, record: logging.LogRecord) -> str:
        error = record.exc_info[1] if record.exc_info else None
        return f"attlas.twin: bumble reports {f'{type(error).__name__}: {error}' if error else record.getMessage()}"


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
    if options.role == "device":
        async with twin(
            model, faults=options.fault, values=options.values, transport=options.transport, strict=options.strict, pace=options.pace,
            record=options.record, passkey=options.passkey, address=options.address, log=_print,
        ) as running:
            _print(f"advertising as {running.address.to_string(False)}")
            await asyncio.get_running_loop().create_future()
    quiet()
    async with opened(options.transport) as both:
        device = _twin_air.over(both.source, both.sink)
        with nullcontext() if options.record is None else _twin_air.record(device, options.record):
            await started(device.power_on(), options.transport)
            await Client(model, device, faults=options.fault, pace=options.pace, log=_print).run(options.to)


def main(arguments: Optional[Sequence[str]] = None) -> int:
    options = _arguments(arguments)
    interrupted = 130
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        others = ("set", "strict", "passkey", "address") if options.role == "client" else ("to",)
        if wrong := [name for name in others if getattr(options, name) not in (None, False, [])]:
            raise Error(f"--{wrong[0]} is not for --as {options.role}")
        if wrong := [text for text in options.set if "=" not in text]:
            raise Error(f'--set "{wrong[0]}": give ATTRIBUTE=VALUE, as 2A19=50')
        options.values = dict(text.split("=", 1) for text in options.set)
        model = Model.load(options.capture, options.peer)
        print("\n".join(model.summary() if options.role == "device" else summary(model)), flush=True)
        checked(model, options.role, options.fault, options.values, options.pace, options.passkey, options.address, options.record)
        if options.check:
            return 0
        if not options.transport:
            raise Error("--transport is missing: usb:0 for a dongle, hci-socket:0 for Linux, android-netsim; --check needs none")
        logging.basicConfig()
        logging.getLogger().handlers[0].setFormatter(_Line())
        # A device has no other end.
        interrupted = 0 if options.role == "device" else 130
        asyncio.run(_play(options, model))
    except (BaseBumbleError, Error, OSError) as error:
        said = f"{error.filename}: {error.strerror}" if isinstance(error, OSError) and error.filename else str(error) or type(error).__name__
        print(f"attlas.twin: {said}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return interrupted
    return 0


if __name__ == "__main__":
    if _is_interruptible:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    sys.exit(main())
