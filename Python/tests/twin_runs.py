"""Twins with centrals of bumble, in one process."""
import asyncio
import functools
import json
import os
import subprocess
from pathlib import Path

from bumble.core import UUID, BaseBumbleError
from bumble.device import Peer
from bumble.gatt import Characteristic

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
        with open(path, "wb") as file:
            record(central, file)
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


async def fault_run(capture, faults, body, connections, path, seconds=36):
    """A conversation with faults; the twin's recording is at the path."""
    async with twin(CAPTURES / f"{capture}.btsnoop", faults=faults, record=str(path)) as device:
        central = device.central()
        await central.power_on()
        for _ in range(connections):
            connection = await central.connect(device.address)
            ended = asyncio.get_running_loop().create_future()
            connection.on("disconnection", lambda reason, ended=ended: ended.done() or ended.set_result(reason))
            task = asyncio.ensure_future(body(device, central, connection))
            await asyncio.wait([task, ended], timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
            task.cancel()
            await asyncio.wait([task])
            # What a fault causes in bumble's client; anything else is a mistake of the test.
            if not task.cancelled() and (error := task.exception()) and not isinstance(error, (TimeoutError, BaseBumbleError)):
                raise error
            if not ended.done():
                await connection.disconnect()
        await asyncio.sleep(0.1)
