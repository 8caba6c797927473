"""A recorded central, request by request, for a device with another firmware."""
from __future__ import annotations

import asyncio
import math
from collections import Counter, defaultdict
from typing import Any, Callable, Dict, List, Optional, Sequence

from bumble import att, core, hci, l2cap
from bumble.device import Device, Peer

from ._errors import Error
from ._twin_faults import Faults
from ._twin_model import DECLARATIONS, Connection, Model, Operation, Table, counted, listed, printable
from ._twin_server import SECURITY

# Seconds for a device to be heard, or to answer.
WAIT = 30
# Seconds for the recorded address; from then on, the recorded name suffices.
SOON = 3


def summary(model: Model) -> List[str]:
    """What the client does, and what is unknown, before it starts."""
    requests = [operation for operation in model.operations() if not operation.is_sent]
    left_out = [operation for operation in requests if operation.kind != "read" and operation.value is None]
    kinds = Counter(operation.kind for operation in requests) - Counter(operation.kind for operation in left_out)
    count, played = len(model.connections), ", ".join(counted(number, kind) for kind, number in kinds.items())
    lines = [f"{printable(model.name)} · its recorded central: {played or 'no requests'} in {counted(count, 'connection')}"]
    if left_out:
        handles = listed(sorted({f"0x{operation.handle:04X}" for operation in left_out}))
        lines.append(f"left out  {counted(len(left_out), 'write')} of which the capture has no value: {handles}")
    if not any(attribute.type for table in model.tables for attribute in table.attributes):
        lines.append("unknown   the table was not discovered: handles are used as recorded")
    return lines


class Client:
    """The central of a capture."""

    def __init__(
        self, model: Model, device: Device, *, faults: Sequence[str] = (), pace: float = 1.0,
        log: Callable[[str], None] = lambda text: None,
    ) -> None:
        self.model, self.device, self.pace, self.log = model, device, pace, log
        self.faults = Faults(faults, model, "client", log)
        self.recorded: Dict[int, int] = {}  # the handles of the capture for those of today

    async def run(self, target: Optional[str] = None) -> None:
        """All recorded connections, one after the other."""
        address = await self.find(target)
        if self.faults.of("connection", "mistyped"):
            address = hci.Address(address.to_string(False), hci.AddressType(address.address_type ^ 1))
        for recorded in self.model.connections:
            if await self.play(recorded, address) and self.faults.of("connection", "once"):
                await self.device.start_scanning(filter_duplicates=False)
                await asyncio.sleep(WAIT / 2)
                return await self.device.stop_scanning()

    async def find(self, target: Optional[str]) -> hci.Address:
        """The device with this address, or this text in its name. Without one, the recorded address, or else the recorded name."""
        address, name = target or self.model.address or "", target or self.model.name
        found: "asyncio.Future[hci.Address]" = asyncio.get_running_loop().create_future()
        named: List[hci.Address] = []
        others: Dict[str, str] = {}

        def heard(advertisement: Any) -> None:
            # Any octets: a name need not be UTF-8, and bumble's decoding of it raises.
            word = bytes(advertisement.data.get(core.AdvertisingData.Type.COMPLETE_LOCAL_NAME, raw=True) or b"").decode(errors="replace")
            own = advertisement.address.to_string(False)
            others[own] = f"{printable(word)} ({own})" if word else others.get(own, own)
            has_name = name.lower() in word.lower() if target else name == word
            if (own.upper() == address.upper() or (target and has_name)) and not found.done():
                found.set_result(advertisement.address)
            elif has_name:
                named.append(advertisement.address)

        self.device.on("advertisement", heard)
        await self.device.start_scanning(filter_duplicates=False)
        try:
            for seconds in (SOON, WAIT - SOON):
                await asyncio.wait([found], timeout=seconds)
                if not found.done() and named:
                    self.log(f"{address or 'the device'} is not heard: {printable(name)} is {named[0].to_string(False)}")
                    found.set_result(named[0])
                if found.done():
                    return found.result()
            heard_ones = listed(list(others.values())) or "nothing"
            raise Error(f'no device has the address or the name "{printable(address or name)}" in {WAIT} s; heard: {heard_ones}; give one with --to')
        finally:
            await self.device.stop_scanning()
            self.device.remove_listener("advertisement", heard)

    async def play(self, recorded: Connection, address: hci.Address) -> bool:
        """Whether the device ended the connection, or lost it."""
        try:
            connection = await asyncio.wait_for(self.device.connect(address), WAIT)
        except TimeoutError:
            await self.device.host.send_sync_command(hci.HCI_LE_Create_Connection_Cancel_Command())
            raise Error(f"{address.to_string(False)} did not answer: no connection in {WAIT} s") from None
        self.log(f"connected, as in recorded connection {recorded.number}")
        ended: "asyncio.Future[int]" = asyncio.get_running_loop().create_future()
        connection.once("disconnection", ended.set_result)
        playing = asyncio.ensure_future(self.converse(recorded, connection))
        try:
            await asyncio.wait([playing, ended], return_when=asyncio.FIRST_COMPLETED)
        finally:
            playing.cancel()
            if not (is_lost := ended.done()):
                await connection.disconnect()  # also after Ctrl-C
        if not is_lost:
            playing.result()
        else:
            self.log(f"the device ended the connection: 0x{ended.result():02X}")
        return is_lost

    async def converse(self, recorded: Connection, connection: Any) -> None:
        loop = asyncio.get_running_loop()
        begun = loop.time()
        self.provoke(connection)
        if recorded.client_mtu:
            await Peer(connection).request_mtu(max(att.ATT_DEFAULT_MTU, recorded.client_mtu))
        table = self.model.table_at(recorded.frame)
        handles = await self.handles(table, connection)
        last, previous, origin = 0.0, begun, begun
        encrypted = math.inf if recorded.encrypted_at_us is None else recorded.encrypted_at_us / 1e6
        for operation in recorded.operations:
            if operation.is_sent:
                continue
            if operation.at >= encrypted and not connection.encryption:
                encrypted = math.inf  # once
                early = [self.request(operation, handles, connection)] if self.faults.of("encryption") else []
                await asyncio.gather(self.encrypt(connection), *early)
            # After the recorded pause since the answer before, and not before its recorded time: values come between requests.
            due = max(previous + (operation.at - last) * self.pace, origin + operation.at * self.pace)
            await asyncio.sleep(max(0.0, due - loop.time()))
            origin = loop.time() - operation.at * self.pace
            if self.model.table_at(operation.frame) is not table:
                # The recorded central found the new table.
                table = self.model.table_at(operation.frame)
                handles = await self.handles(table, connection)
            await self.request(operation, handles, connection)
            last, previous = operation.at + (operation.after or 0.0), loop.time()
        end = max((o.at for o in recorded.operations), default=0.0)
        await asyncio.sleep(max(0.0, origin + end * self.pace - loop.time()) + 0.5)
        self.log(f"{counted(len(recorded.operations), 'operation')} in {loop.time() - begun:.1f} s")

    async def encrypt(self, connection: Any) -> None:
        try:
            store = self.device.keystore
            is_bonded = not self.faults.of("pairing") and store is not None and await store.get(str(connection.peer_address))
            async with asyncio.timeout(WAIT):
                await (connection.encrypt() if is_bonded else connection.pair())
        except TimeoutError:
            raise Error(f"{'encryption' if is_bonded else 'pairing'}: the device did not answer for {WAIT} s") from None
        except core.BaseBumbleError as error:
            self.log(f"not encrypted: {error}")

    def provoke(self, connection: Any) -> None:
        """Faults in what bumble answers without the client."""
        client: Any = connection.gatt_client
        manager: Any = self.device.l2cap_channel_manager
        confirm, update = client.on_att_handle_value_indication, self.faults.of("update")

        def indicated(pdu: Any) -> None:
            met = self.faults.met("indicate", self.recorded.get(pdu.attribute_handle, pdu.attribute_handle))
            if not met:
                confirm(pdu)
            elif met[0].effect == "late":
                asyncio.get_running_loop().call_later(met[0].seconds, confirm, pdu)

        def asked(connection: Any, cid: int, request: Any) -> None:
            if update is not None and update.effect != "never":
                manager.send_control_frame(connection, cid, l2cap.L2CAP_Connection_Parameter_Update_Response(
                    identifier=request.identifier, result=int(update.effect == "refused")))

        client.on_att_handle_value_indication = indicated
        if update is not None:
            manager.on_l2cap_connection_parameter_update_request = asked

    async def handles(self, table: Table, connection: Any) -> Dict[int, int]:
        """The handles of today for those of the capture, by UUID."""
        types = {a.handle: core.UUID(a.type) for a in table.attributes if a.type and a.type not in DECLARATIONS}
        if not types:
            return {}
        # Several attributes may have the same service, characteristic and type.
        peer, today = Peer(connection), defaultdict(list)
        for service in await peer.discover_services():
            for characteristic in await service.discover_characteristics():
                for attribute in (characteristic, *await peer.discover_descriptors(characteristic)):
                    today[service.uuid, characteristic.uuid, attribute.type].append(attribute.handle)
        moved = {}
        # What no declaration describes, discovery does not find: it keeps its handle.
        for a in table.attributes:
            if a.handle in types and a.characteristic in types and a.service:
                same = today[core.UUID(a.service), types[a.characteristic], types[a.handle]]
                moved[a.handle] = same.pop(0) if same else 0
        self.recorded = {new: old for old, new in moved.items() if new}
        for said, changes in (("the table moved", [f"0x{a:04X} → 0x{b:04X}" for a, b in moved.items() if a != b and b]),
                              ("not in the table any more", [f"0x{a:04X}" for a, b in moved.items() if not b])):
            if changes:
                self.log(f"{said}: {listed(changes)}")
        return moved

    async def request(self, operation: Operation, handles: Dict[int, int], connection: Any) -> None:
        client, handle = connection.gatt_client, handles.get(operation.handle, operation.handle)
        value = operation.value or b""
        if not handle or (operation.kind != "read" and operation.value is None):
            self.log(f"left out: {operation.kind} 0x{operation.handle:04X} of frame {operation.frame}")
            return
        effects = {fault.effect for fault in self.faults.met("read" if operation.kind == "read" else "write", operation.handle)}
        if effects & {"never", "stop"}:
            return
        try:
            if operation.kind == "read":
                read = await client.read_value(handle)
                if "past" in effects:
                    await client.send_request(att.ATT_Read_Blob_Request(attribute_handle=handle, value_offset=len(read) + 1))
            elif operation.kind == "command":
                await client.send_command(att.ATT_Write_Command(attribute_handle=handle, attribute_value=value))
            elif len(value) <= connection.att_mtu - 3 and "unexecuted" not in effects:
                await client.write_value(handle, value, with_response=True)
            else:
                for offset in range(0, len(value), connection.att_mtu - 5):
                    await client.send_request(att.ATT_Prepare_Write_Request(
                        attribute_handle=handle, value_offset=offset, part_attribute_value=value[offset:][: connection.att_mtu - 5]))
                if "unexecuted" not in effects:
                    await client.send_request(att.ATT_Execute_Write_Request(flags=1))
        except att.ATT_Error as error:
            if error.error_code != operation.error and error.error_code not in SECURITY:
                recorded = "no answer" if operation.after is None else "success" if operation.error is None else f"0x{operation.error:02X}"
                self.log(f"{operation.kind} 0x{handle:04X}: 0x{error.error_code:02X}, recorded: {recorded}")
        except core.TimeoutError:
            # Core Specification, Vol 3, Part F, 3.3.3: no more requests on this connection.
            raise Error(f"{operation.kind} 0x{handle:04X} of frame {operation.frame}: the device did not answer for 30 s") from None
