"""A recorded central, request by request, for a device with another firmware."""
from __future__ import annotations

import asyncio
from typing import Any, Callable, Dict, List, Optional, Set, Tuple

from bumble import att, core, hci
from bumble.device import Device, Peer

from ._errors import Error
from ._twin_model import DECLARATIONS, Attribute, Connection, Model, Operation, Table, printable
from ._twin_server import SECURITY

Key = Tuple[Optional[str], Optional[str], Optional[str], int]


def keys(attributes: List[Attribute]) -> Dict[Key, int]:
    """Handles by service, characteristic and type, with a number for those that have the same."""
    types = {attribute.handle: attribute.type for attribute in attributes}
    counts: Dict[Any, int] = {}
    found: Dict[Key, int] = {}
    for attribute in attributes:
        if attribute.type is None or attribute.type in DECLARATIONS:
            continue
        name = (attribute.service, types.get(attribute.characteristic or 0), attribute.type)
        counts[name] = counts.get(name, 0) + 1
        found[(*name, counts[name])] = attribute.handle
    return found


class Client:
    """The central of a capture."""

    def __init__(self, model: Model, device: Device, *, pace: float = 1.0, log: Callable[[str], None] = lambda text: None) -> None:
        self.model, self.device, self.pace, self.log = model, device, pace, log
        self.skipped = 0

    async def run(self, target: Optional[str] = None) -> None:
        """All recorded connections, one after the other."""
        address = await self.find(target or self.model.address or "")
        for recorded in self.model.connections:
            await self.play(recorded, address)

    async def find(self, target: str) -> hci.Address:
        """The device with this address, or with this text in its name."""
        found: "asyncio.Future[hci.Address]" = asyncio.get_running_loop().create_future()

        def heard(advertisement: Any) -> None:
            # Any octets: a name need not be UTF-8, and bumble's decoding of it raises.
            names = advertisement.data.get_all(core.AdvertisingData.Type.COMPLETE_LOCAL_NAME, raw=True)
            words = [bytes(name).decode(errors="replace").lower() for name in names] if target else []
            is_meant = advertisement.address.to_string(False).upper() == target.upper() or any(target.lower() in word for word in words)
            if is_meant and not found.done():
                found.set_result(advertisement.address)

        self.device.on("advertisement", heard)
        await self.device.start_scanning(filter_duplicates=False)
        try:
            return await asyncio.wait_for(found, 30)
        except asyncio.TimeoutError:
            raise Error(f'no device has the address or the name "{printable(target)}": nothing of it was heard for 30 s; '
                        "give another one with --to") from None
        finally:
            await self.device.stop_scanning()
            self.device.remove_listener("advertisement", heard)

    async def play(self, recorded: Connection, address: hci.Address) -> None:
        connection = await self.device.connect(address)
        self.log(f"connected, as in recorded connection {recorded.number}")
        ended: "asyncio.Future[int]" = asyncio.get_running_loop().create_future()

        def end(reason: int) -> None:
            if not ended.done():
                ended.set_result(reason)

        connection.on("disconnection", end)
        playing = asyncio.ensure_future(self.converse(recorded, connection))
        both: Set["asyncio.Future[Any]"] = {playing, ended}
        await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
        if ended.done():
            playing.cancel()
            self.log(f"the device ended the connection: 0x{ended.result():02X}")
        else:
            playing.result()
            await connection.disconnect()

    async def converse(self, recorded: Connection, connection: Any) -> None:
        loop = asyncio.get_running_loop()
        begun = loop.time()
        if recorded.client_mtu:
            await Peer(connection).request_mtu(max(att.ATT_DEFAULT_MTU, recorded.client_mtu))
        handles = await self.handles(recorded, connection)
        table = self.model.table_at(recorded.frame)
        last, previous = 0.0, begun
        encrypted = (recorded.encrypted_at_us or 0) / 1e6
        for operation in recorded.operations:
            if self.model.table_at(operation.frame) is not table:
                table = self.model.table_at(operation.frame)
                # The recorded central found the new table.
                handles = {}
            if operation.is_sent:
                continue
            if recorded.encrypted_at_us is not None and operation.at >= encrypted and not connection.encryption:
                await self.encrypt(connection)
            # The time between the answer before and this request.
            gap = max(0.0, operation.at - last) * self.pace
            await asyncio.sleep(max(0.0, previous + gap - loop.time()))
            if not handles:
                handles = await self.handles(Connection(0, operation.frame, []), connection)
            await self.request(operation, handles, connection)
            last, previous = operation.at + (operation.after or 0.0), loop.time()
        end = max((o.at for o in recorded.operations), default=0.0)
        await asyncio.sleep(max(0.0, begun + end * self.pace + 0.5 - loop.time()))
        self.log(f"{len(recorded.operations)} operations in {loop.time() - begun:.1f} s")

    async def encrypt(self, connection: Any) -> None:
        try:
            if self.device.keystore is not None and await self.device.keystore.get(str(connection.peer_address)):
                await connection.encrypt()
            else:
                await connection.pair()
        except (core.BaseBumbleError, hci.HCI_Error) as error:
            self.log(f"not encrypted: {error}")

    async def handles(self, recorded: Connection, connection: Any) -> Dict[int, int]:
        """The handles of today for those of the capture, by UUID."""
        if not any(attribute.type for attribute in self.model.table_at(recorded.frame).attributes):
            return {}
        peer = Peer(connection)
        attributes: List[Attribute] = []
        for service in await peer.discover_services():
            attributes.append(Attribute(service.handle, "2800", text(service.uuid), service.end_group_handle))
            for characteristic in await service.discover_characteristics():
                attributes.append(Attribute(
                    characteristic.handle - 1, "2803", text(characteristic.uuid), value_handle=characteristic.handle))
                attributes.append(Attribute(characteristic.handle, text(characteristic.uuid)))
                if characteristic.end_group_handle > characteristic.handle:
                    for descriptor in await peer.discover_descriptors(characteristic):
                        attributes.append(Attribute(descriptor.handle, text(descriptor.type)))
        now = keys(Table(attributes).attributes)
        then = keys(self.model.table_at(recorded.frame).attributes)
        # What no declaration describes, discovery does not find: it keeps its handle.
        described = {a.handle for a in self.model.table_at(recorded.frame).attributes if a.characteristic is not None}
        moved = {handle: now.get(key, 0) for key, handle in then.items() if handle in described}
        changed = [f"0x{a:04X} → 0x{b:04X}" for a, b in moved.items() if a != b and b]
        missing = [f"0x{a:04X}" for a, b in moved.items() if not b]
        if changed:
            self.log(f"the table moved: {', '.join(changed[:8])}{' …' if len(changed) > 8 else ''}")
        if missing:
            self.log(f"not in the table any more: {', '.join(missing[:8])}{' …' if len(missing) > 8 else ''}")
        return moved

    async def request(self, operation: Operation, handles: Dict[int, int], connection: Any) -> None:
        client, handle = connection.gatt_client, handles.get(operation.handle, operation.handle)
        value = operation.value
        if not handle or (operation.kind != "read" and value is None):
            self.skipped += 1
            self.log(f"left out: {operation.kind} 0x{operation.handle:04X} of frame {operation.frame}")
            return
        try:
            if operation.kind == "read":
                await client.read_value(handle)
            elif operation.kind == "command":
                await client.send_command(att.ATT_Write_Command(attribute_handle=handle, attribute_value=value or b""))
            elif len(value or b"") <= connection.att_mtu - 3:
                await client.write_value(handle, value, with_response=True)
            else:
                await self.write_long(client, handle, value or b"", connection.att_mtu - 5)
        except att.ATT_Error as error:
            if error.error_code != operation.error and error.error_code not in SECURITY:
                self.log(f"{operation.kind} 0x{handle:04X}: 0x{error.error_code:02X}, recorded: "
                         + ("success" if operation.error is None else f"0x{operation.error:02X}"))
        except (asyncio.TimeoutError, TimeoutError):
            self.log(f"{operation.kind} 0x{handle:04X}: no answer for 30 s")

    @staticmethod
    async def write_long(client: Any, handle: int, value: bytes, size: int) -> None:
        for offset in range(0, len(value), size):
            await client.send_request(att.ATT_Prepare_Write_Request(
                attribute_handle=handle, value_offset=offset, part_attribute_value=value[offset: offset + size]))
        await client.send_request(att.ATT_Execute_Write_Request(flags=1))


def text(uuid: core.UUID) -> str:
    """As attlas writes it."""
    octets = uuid.to_bytes(force_128=False)[::-1].hex().upper()
    return octets if len(octets) <= 8 else "-".join((octets[:8], octets[8:12], octets[12:16], octets[16:20], octets[20:]))
