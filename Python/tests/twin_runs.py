"""Twins with centrals of bumble, in one process."""
import asyncio
import contextlib
import functools
import json
import os
import subprocess
from pathlib import Path

from bumble import core
from bumble.core import UUID
from bumble.device import Peer
from bumble.gatt import Characteristic

from attlas import Error
from attlas._twin_air import record
from attlas._twin_model import Model
from attlas.twin import Client, twin

CAPTURES = Path(__file__).resolve().parents[2] / "Captures"
ATTLAS = os.environ.get("ATTLAS", "attlas")


def attlas(*arguments):
    return subprocess.run([ATTLAS, *map(str, arguments)], capture_output=True, text=True)


@functools.lru_cache(maxsize=None)
def incidents(capture):
    """The kinds that `attlas why` names."""
    return {incident["kind"] for incident in json.loads(attlas("why", "--json", capture).stdout)["incidents"]}


def duration(model):
    return sum(max((o.at for o in c.operations), default=0.0) for c in model.connections)


async def replay(model, path):
    """Plays the recorded central against the twin. The central's recording is at the path. How fast it was played, and the address."""
    pace = min(1.0, 20 / max(1.0, duration(model)))
    async with twin(model, pace=pace) as device:
        central = device.central()
        with record(central, path):
            await central.power_on()
            await Client(model, central, pace=pace).run(device.address.to_string(False))
    return pace, device.address.to_string(False)


async def conversation(device, central, connection):
    await Client(device.model, central).converse(device.model.connections[0], connection)


async def silence(device, central, connection):
    await asyncio.sleep(12)


async def subscribed_silence(device, central, connection):
    """Everything is discovered and subscribed to, once."""
    peer = Peer(connection)
    await peer.discover_all()
    for service in peer.services:
        for characteristic in service.characteristics:
            for descriptor in characteristic.descriptors:
                if descriptor.type == UUID("2902"):
                    notifies = characteristic.properties & Characteristic.Properties.NOTIFY
                    value = b"\x01\x00" if notifies else b"\x02\x00"
                    await connection.gatt_client.write_value(descriptor.handle, value, with_response=True)
    await asyncio.sleep(17)


async def fault_run(capture, faults, body, connections, path, of_central=None, seconds=36):
    """A conversation with faults. The recordings of the twin and of the central are at the paths."""
    capture = capture if isinstance(capture, Path) else CAPTURES / f"{capture}.btsnoop"
    with contextlib.ExitStack() as stack:
        async with twin(capture, faults=faults, record=str(path)) as device:
            central = device.central()
            if of_central:
                stack.enter_context(record(central, of_central))
            await central.power_on()
            for _ in range(connections):
                try:
                    connection = await asyncio.wait_for(central.connect(device.address), 12)
                except asyncio.TimeoutError:
                    # The app looks for the device.
                    await central.start_scanning()
                    await asyncio.sleep(1)
                    break
                ended = asyncio.get_running_loop().create_future()
                connection.on("disconnection", lambda reason, ended=ended: ended.done() or ended.set_result(reason))
                task = asyncio.ensure_future(body(device, central, connection))
                await asyncio.wait([task, ended], timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
                task.cancel()
                await asyncio.wait([task])
                # What a fault causes in bumble's client; anything else is a mistake of the test.
                if not task.cancelled() and (error := task.exception()) and not isinstance(error, (TimeoutError, core.BaseBumbleError, Error)):
                    raise error
                if not ended.done():
                    await connection.disconnect()
            await asyncio.sleep(0.1)


async def client_run(capture, faults, device_faults, times, pace, path):
    """The recorded central with faults, the recorded connections several times. Its recording is at the path."""
    model = Model.load(capture if isinstance(capture, Path) else CAPTURES / f"{capture}.btsnoop")
    model.connections *= times
    async with twin(model, faults=device_faults) as device:
        central = device.central()
        with record(central, path):
            await central.power_on()
            with contextlib.suppress(Error):
                await Client(model, central, faults=faults, pace=pace).run(device.address.to_string(False))
