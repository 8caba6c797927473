"""A recorded device as a GATT server of bumble: its table at its handles, its values in their order, its answers and refusals."""
from __future__ import annotations

import asyncio
import logging
import re
import struct
from collections import defaultdict
from contextlib import suppress
from dataclasses import replace
from typing import Any, Callable, Dict, List, Optional, Tuple

from bumble import att, core, gatt_server, hci, pairing, smp
from bumble.utils import AsyncRunner

from ._twin_air import over
from ._twin_faults import Fault, Faults
from ._twin_model import CONFIGURATION, DECLARATIONS, Attribute, Connection, Model, Operation, Table, printable

SECURITY = (0x05, 0x08, 0x0C, 0x0F)
PROPERTIES = (
    "broadcast", "read", "write without response", "write", "notify", "indicate", "authenticated signed writes",
    "extended properties")
KINDS = {
    att.ATT_Read_Request: "read", att.ATT_Read_Blob_Request: "read", att.ATT_Write_Request: "write", att.ATT_Write_Command: "command",
    att.ATT_Prepare_Write_Request: "write"}
# The longest advertising data of legacy advertising.
LEGACY = 31


class Conversation:
    """One connection of the twin, which behaves as a recorded one."""

    def __init__(self, server: "Peripheral", bearer: Any, recorded: Connection) -> None:
        self.server, self.bearer, self.recorded = server, bearer, recorded
        self.position = recorded.frame
        self.is_rest = False  # what is read is the rest of a long value
        self.reads: Dict[int, int] = defaultdict(int)
        self.writes: Dict[int, int] = defaultdict(int)
        self.written: Dict[int, bytes] = {}
        self.current: Dict[int, bytes] = {}
        # What the link alone takes, and the octets of a value that a notification had room for, if the capture has them.
        self.fastest = min((o.after for o in recorded.operations if not o.is_sent and o.after), default=0.0)
        self.limit = max(23, min(recorded.mtu, recorded.client_mtu)) - 3 if recorded.mtu and recorded.client_mtu else 0xFFFF
        self.timers: Dict[Optional[int], List[asyncio.TimerHandle]] = defaultdict(list)
        self.of_handle: Dict[Tuple[str, int], List[Operation]] = defaultdict(list)
        self.sent_after: Dict[Optional[int], List[Operation]] = defaultdict(list)
        for operation in recorded.operations:
            if operation.is_sent and operation.value is not None:
                self.sent_after[operation.since_frame].append(operation)
            elif not operation.is_sent:
                self.of_handle["read" if operation.kind == "read" else "write", operation.handle].append(operation)

    def move_to(self, frame: int) -> None:
        if frame > self.position:
            self.position = frame
            self.server.install(self.server.model.table_at(frame))

    def end(self) -> None:
        for key in list(self.timers):
            self.cancel(key)

    def later(self, seconds: float, act: Callable[..., Any], *arguments: Any, key: Optional[int] = None) -> None:
        """Acts after this time, unless the connection ends, or values of this handle are cancelled."""
        self.timers[key].append(asyncio.get_running_loop().call_later(seconds, act, *arguments))

    def cancel(self, key: Optional[int]) -> None:
        for timer in self.timers.pop(key, ()):
            timer.cancel()

    # Values that the device sends.

    def schedule(self, sent: List[Operation], since: float) -> None:
        """Sends recorded values at their times."""
        since -= asyncio.get_running_loop().time()
        for operation in sent:
            self.later(since + (operation.after or 0.0) * self.server.pace, self.send, operation, key=operation.handle)

    def send(self, operation: Operation) -> None:
        handle, copies = operation.handle, 1
        value = self.server.values.get(handle, operation.value or b"")
        for fault in self.server.faults.met(operation.kind, handle):
            if fault.effect in ("never", "stop"):
                return
            if fault.effect == "late":
                return self.later(fault.seconds, self.put, operation.kind, handle, value, operation.frame, key=handle)
            if fault.effect == "disconnect":
                return self.server.disconnect(self.bearer, fault.code)
            handle, value = fault.count if fault.effect == "on" else handle, fault.changed(value)
            copies += fault.effect == "twice"
        # A device that sent more than its MTU allows does so again.
        exceeds = value == operation.value and len(value) > self.limit
        for _ in range(copies):
            self.put(operation.kind, handle, value, operation.frame, exceeds)

    def put(self, kind: str, handle: int, value: bytes, frame: int, exceeds: bool = False) -> None:
        """Sends a value, as much of it as fits. Core Specification, Vol 3, Part F, 3.4.7.1."""
        server, bearer = self.server, self.bearer
        self.current[handle] = value
        if handle in server.model.readbacks and handle in self.written:
            self.written[handle] = value
        limit = bearer.att_mtu - 3
        if len(value) > limit and not exceeds:
            server.log(f"{kind} 0x{handle:04X}: the first {limit} of {len(value)} octets are sent, the MTU is {bearer.att_mtu}")
            value = value[:limit]
        if kind == "notify":
            server.send_gatt_pdu(bearer, bytes(att.ATT_Handle_Value_Notification(attribute_handle=handle, attribute_value=value)))
        else:
            attribute = att.Attribute("2A00", att.Attribute.READABLE, value)
            attribute.handle = handle
            bearer.cancel_on_disconnection(self.indicate(attribute, value))
        self.move_to(frame)

    def subscription(self, handle: int) -> Optional[str]:
        """How the central gets the values: `notify`, `indicate`, or not. Without a configuration, it is notified."""
        configuration = next((c for c in self.server.configurations if self.server.characteristics.get(c) == handle), None)
        bits = 1 if configuration is None else (self.written.get(configuration) or b"\0")[0]
        return "notify" if bits & 1 else "indicate" if bits & 2 else None

    async def indicate(self, attribute: "att.Attribute[bytes]", value: bytes) -> None:
        try:
            await self.server.indicate_subscriber(self.bearer, attribute, value, force=True)
        except (TimeoutError, core.BaseBumbleError) as error:
            self.server.log(f"indication 0x{attribute.handle:04X} was not confirmed: {error}")

    # Requests.

    def refusal(self, kind: str, handle: int, value: Optional[bytes] = None) -> Optional[int]:
        for rule in self.server.model.refusals:
            if (rule["operation"], rule["handle"]) == (kind, handle) and (
                    rule["when"] == "always" or rule["when"] == "unencrypted" and not self.bearer.encryption
                    or value is not None and (rule["when"], rule.get(rule["when"])) in (("length", len(value)), ("value", value))):
                return int(rule["error"])
        return None

    async def answer_after(self, operation: Optional[Operation]) -> None:
        if operation is not None and operation.after is not None:
            link = 0.0 if self.server.waits_for_link else self.fastest
            await asyncio.sleep(max(0.0, operation.after - link) * self.server.pace)

    async def read(self, handle: int) -> bytes:
        server = self.server
        if not server.permits("read", handle):
            server.log(f"← read 0x{handle:04X}: not among its properties, refused with 0x02")
            raise att.ATT_Error(error_code=att.ATT_READ_NOT_PERMITTED_ERROR, att_handle=handle)
        if handle in server.values:
            return server.values[handle]
        if self.is_rest:
            return self.current.get(handle, b"")
        recorded = self.of_handle["read", handle]
        index = self.reads[handle]
        while index < len(recorded) and recorded[index].error in SECURITY and self.bearer.encryption:
            index += 1
        refused = self.refusal("read", handle)
        operation = recorded[index] if index < len(recorded) else None
        if refused is not None and (operation is None or operation.error is None):
            raise att.ATT_Error(error_code=refused, att_handle=handle)
        if operation is not None:
            self.reads[handle] = index + 1
            await self.answer_after(operation)
            self.move_to(operation.frame)
            if operation.error is not None:
                server.log(f"← read 0x{handle:04X}: recorded refusal 0x{operation.error:02X} of frame {operation.frame}")
                raise att.ATT_Error(error_code=operation.error, att_handle=handle)
            if operation.value is not None:
                self.current[handle] = operation.value
        if handle in self.written and (handle in server.model.readbacks or operation is None and handle in server.configurations):
            self.current[handle] = self.written[handle]
        if handle not in self.current:
            known = server.model.known_value(handle)
            if known is None and handle not in server.configurations:
                server.unknown(f"read 0x{handle:04X}: no value is known", handle)
            self.current[handle] = known or bytes(2 if handle in server.configurations else 0)
        return self.current[handle]

    def recorded_write(self, handle: int, value: bytes) -> Optional[Operation]:
        """The recorded write of the same value: the next one of the connection, or else the last."""
        recorded = self.of_handle["write", handle]
        for index in range(self.writes[handle], len(recorded)):
            if recorded[index].value == value:
                self.writes[handle] = index + 1
                return recorded[index]
        return next((o for o in reversed(recorded) if o.value == value), None)

    async def write(self, handle: int, value: bytes) -> None:
        since = asyncio.get_running_loop().time()
        server = self.server
        operation = self.recorded_write(handle, value)
        refused = self.refusal("write", handle, value)
        if operation is not None and operation.error in SECURITY and self.bearer.encryption:
            operation = next((o for o in self.of_handle["write", handle] if o.value == value and o.error is None), None)
        if operation is not None and operation.error is not None:
            refused = operation.error
        if refused is not None:
            await self.answer_after(operation)
            server.log(f"← write 0x{handle:04X} {value.hex(' ')}: refused with 0x{refused:02X}")
            raise att.ATT_Error(error_code=refused, att_handle=handle)
        if operation is None and handle not in server.configurations and not self.answer_as_learned(handle, value, since):
            server.unknown(
                f"write 0x{handle:04X} {value.hex(' ')} was never recorded: {'refused' if server.strict else 'accepted'}", handle)
        if handle in server.model.readbacks:
            server.values.pop(handle, None)
        if handle in server.configurations:
            if not value or value[0] & 0b11 == 0:
                self.cancel(server.characteristics.get(handle, handle))
            elif operation is None:
                subscriptions = (o for o in self.of_handle["write", handle] if o.error is None and o.value and o.value[0] & 0b11)
                operation = max(subscriptions, key=lambda o: o.frame, default=None)
        if operation is not None:
            server.log(f"← write 0x{handle:04X} {value.hex(' ')} → recorded answer of frame {operation.frame}")
            # What was read after it is read after it again.
            reads = self.of_handle["read", handle]
            self.reads[handle] = max(self.reads[handle], next((i for i, o in enumerate(reads) if o.frame > operation.frame), 0))
            self.schedule(self.sent_after[operation.frame], since)
            await self.answer_after(operation)
            self.move_to(operation.frame)
        self.written[handle] = value

    def answer_as_learned(self, handle: int, value: bytes, since: float) -> bool:
        """As a recorded request with the same opcode and length was answered, with the octets that repeat those of the request."""
        rules = {rule["notify"]: rule for rule in self.server.model.answers if rule["write"] == handle}
        alike = [o for o in self.of_handle["write", handle]
                 if o.error is None and o.value and len(o.value) == len(value) and o.value[:1] == value[:1]
                 and any(sent.handle in rules for sent in self.sent_after.get(o.frame, ()))]
        if not alike:
            return False
        answers = []
        for index, sent in enumerate(self.sent_after[alike[-1].frame]):
            octets = bytearray(sent.value or b"")
            for echo in rules.get(sent.handle, {}).get("echoes", ()) if index == 0 else ():
                if echo["octet"] < len(octets) and echo["of_request"] < len(value):
                    octets[echo["octet"]] = value[echo["of_request"]] ^ echo["xor"]
            if sent.handle in rules:
                answers.append(replace(sent, value=bytes(octets)))
        self.server.log(f"← write 0x{handle:04X} {value.hex(' ')} → as frame {alike[-1].frame} was answered")
        self.schedule(answers, since)
        return True


class Delegate(pairing.PairingDelegate):
    def __init__(self, server: "Peripheral", io_capability: Any) -> None:
        super().__init__(io_capability)
        self.server = server

    async def accept(self) -> bool:
        if self.server.faults.of("pairing", "never"):
            await asyncio.get_running_loop().create_future()
        return not self.server.faults.of("pairing", "refused")

    async def get_number(self) -> Optional[int]:
        return self.server.passkey

    async def generate_passkey(self) -> int:
        return self.server.passkey if self.server.passkey is not None else await super().generate_passkey()

    async def display_number(self, number: int, digits: int) -> None:
        self.server.log(f"passkey   {number:0{digits}}")


class Peripheral(gatt_server.Server):
    """A twin: a device that advertises, and serves the recorded conversation. bumble answers the discovery from `attributes`."""

    def __init__(
        self, model: Model, source: Any, sink: Any, *, faults: Faults, values: Dict[int, bytes], strict: bool, pace: float,
        waits_for_link: bool, passkey: Optional[int], address: Optional[str], log: Callable[[str], None],
    ) -> None:
        # The recorded address as a random static one, which every controller can use. Core Specification, Vol 6, Part B, 1.3.2.1.
        own = f"{int(model.address[:2], 16) | 0xC0:02X}{model.address[2:]}" if model.address else "C0:FF:EE:7E:11:A7"
        self.address = hci.Address(address or own)
        super().__init__(over(source, sink, self.address, printable(model.name)[:29]))
        self.device.gatt_server = self
        self.device.pairing_config_factory = self.pairing_config
        self.device.on("connection", self.on_connection)
        self.model, self.faults, self.values, self.strict, self.pace, self.log = model, faults, values, strict, pace, log
        self.source, self.waits_for_link, self.passkey = source, waits_for_link, passkey
        self.conversations: Dict[Any, Conversation] = {}
        self.pending: Dict[Any, List[Fault]] = defaultdict(list)  # of the next response
        self.connected = 0
        self.unknowns: List[str] = []
        self.recorded = {(operation.kind, operation.handle) for operation in model.operations()}
        self.table: Optional[Table] = None
        self.install(model.tables[0])

    # The table.

    def install(self, table: Table) -> None:
        if table is self.table:
            return
        self.table = table
        self.attributes = [self.attribute(entry, table) for entry in table.attributes if entry.type]
        # Also attributes of which only the handle is known: they can be used, and are not discovered.
        used = (self.attribute(Attribute(handle), table) for handle in {handle for _, handle in self.recorded})
        self.attributes_by_handle = {attribute.handle: attribute for attribute in (*used, *self.attributes)}
        self.characteristics = {a.handle: a.characteristic for a in table.attributes if a.characteristic is not None}
        self.configurations = {a.handle for a in table.attributes if a.type == CONFIGURATION}
        self.properties = {a.value_handle: a.properties for a in table.attributes if a.properties}
        self.properties.update({a.handle: ["read"] for a in table.attributes if a.type in DECLARATIONS})

    def attribute(self, entry: Attribute, table: Table) -> "att.Attribute[Any]":
        uuid = core.UUID(entry.uuid).to_pdu_bytes() if entry.uuid else b""
        value: Any = uuid
        if entry.type == "2802":
            # Longer UUIDs are left out. Core Specification, Vol 3, Part G, 3.2.
            value = struct.pack("<HH", entry.included_handle or 0, entry.end_handle or 0) + (uuid if len(uuid) == 2 else b"")
        elif entry.type == "2803":
            value = struct.pack("<BH", sum(1 << PROPERTIES.index(name) for name in entry.properties), entry.value_handle or 0) + uuid
        elif entry.type not in DECLARATIONS:
            value = att.AttributeValueV2(
                read=lambda bearer: self.conversation(bearer).read(entry.handle),
                write=lambda bearer, value: self.conversation(bearer).write(entry.handle, value))
        made: "att.Attribute[Any]" = att.Attribute(entry.type or "0000", att.Attribute.READABLE | att.Attribute.WRITEABLE, value)
        made.handle = entry.handle
        members = (a.handle for a in table.attributes if entry.type == "2803" and a.characteristic == entry.value_handle)
        made.end_group_handle = max(members, default=entry.end_handle or entry.handle)
        return made

    def permits(self, kind: str, handle: int) -> bool:
        """Whether the properties have the operation, or the capture."""
        name = "write without response" if kind == "command" else kind
        return name in self.properties.get(handle, (name,)) or (kind, handle) in self.recorded

    def unknown(self, text: str, handle: int) -> None:
        """Reports what was never recorded, and refuses it if the twin is strict."""
        if len(self.unknowns) < 1000:
            self.unknowns.append(text)
        self.log(f"unknown   {text}")
        if self.strict:
            raise att.ATT_Error(error_code=att.ATT_UNLIKELY_ERROR_ERROR, att_handle=handle)

    # Connections.

    def conversation(self, bearer: Any) -> Conversation:
        if bearer not in self.conversations:
            recorded = self.model.connections[min(self.connected, len(self.model.connections) - 1)]
            self.connected += 1
            self.max_mtu = recorded.mtu or gatt_server.GATT_SERVER_DEFAULT_MAX_MTU
            self.install(self.model.table_at(recorded.frame))
            conversation = self.conversations[bearer] = Conversation(self, bearer, recorded)
            conversation.schedule(conversation.sent_after[None], asyncio.get_running_loop().time())
        return self.conversations[bearer]

    def on_disconnection(self, bearer: Any) -> None:
        super().on_disconnection(bearer)
        if conversation := self.conversations.pop(bearer, None):
            conversation.end()

    # Faults.

    def disconnect(self, connection: Any, reason: int) -> None:
        async def end() -> None:
            try:
                await self.device.disconnect(connection, reason)
            except core.BaseBumbleError as error:
                self.log(f"not disconnected with 0x{reason:02X}: {error}")

        AsyncRunner.spawn(end())

    def on_gatt_pdu(self, bearer: Any, pdu: Any) -> None:
        self.conversation(bearer).is_rest = isinstance(pdu, att.ATT_Read_Blob_Request) and pdu.value_offset > 0
        kind = KINDS.get(type(pdu))
        is_part = isinstance(pdu, att.ATT_Prepare_Write_Request)
        effects = self.faults.met("read" if kind == "read" else "write", pdu.attribute_handle) if kind and not is_part else []
        if effects:
            bearer.cancel_on_disconnection(self.handle(bearer, pdu, effects))
        else:
            self.serve(bearer, pdu)

    def serve(self, bearer: Any, pdu: Any) -> None:
        kind = KINDS.get(type(pdu), "read")
        if kind == "read" or self.permits(kind, pdu.attribute_handle):
            return super().on_gatt_pdu(bearer, pdu)
        self.log(f"← {kind} 0x{pdu.attribute_handle:04X}: not among its properties, refused with 0x03")
        self.refuse(bearer, pdu, att.ATT_WRITE_NOT_PERMITTED_ERROR)

    def refuse(self, bearer: Any, pdu: Any, code: int) -> None:
        if pdu.op_code in att.ATT_REQUESTS:
            self.send_response(bearer, att.ATT_Error_Response(
                request_opcode_in_error=pdu.op_code, attribute_handle_in_error=pdu.attribute_handle, error_code=code))

    async def handle(self, bearer: Any, pdu: Any, effects: List[Fault]) -> None:
        for fault in effects:
            if fault.effect in ("never", "stop"):
                return
            if fault.effect == "late":
                await asyncio.sleep(fault.seconds)
            elif fault.effect == "disconnect":
                return self.disconnect(bearer, fault.code)
            elif fault.effect == "refused":
                return self.refuse(bearer, pdu, fault.code)
            else:
                self.pending[bearer].append(fault)
        self.serve(bearer, pdu)

    def send_response(self, bearer: Any, response: att.ATT_PDU) -> None:
        for fault in self.pending.pop(bearer, ()):
            if fault.effect == "twice":
                super().send_response(bearer, response)
            elif isinstance(response, att.ATT_Read_Response):
                response = att.ATT_Read_Response(attribute_value=fault.changed(response.attribute_value))
        super().send_response(bearer, response)

    def on_att_exchange_mtu_request(self, bearer: Any, request: att.ATT_Exchange_MTU_Request) -> None:
        self.send_response(bearer, att.ATT_Exchange_MTU_Response(server_rx_mtu=self.max_mtu))
        # A recorded device may answer with less than the specification allows: 23 is in force all the same.
        bearer.on_att_mtu_update(max(att.ATT_DEFAULT_MTU, min(self.max_mtu, request.client_rx_mtu)))

    # The device.

    def pairing_config(self, connection: Any) -> pairing.PairingConfig:
        recorded = next((c.pairing for c in self.model.connections if c.pairing), None) or {}
        capability = smp.IoCapability[re.sub("(?<=[a-z])(?=[A-Z])", "_", recorded.get("io_capability", "NoInputNoOutput")).upper()]
        return pairing.PairingConfig(
            sc=recorded.get("secure_connections", True), mitm=recorded.get("mitm", False), bonding=recorded.get("bonding", True),
            # The address that it advertises with: centrals look for the bond under it.
            identity_address_type=pairing.PairingConfig.AddressType.RANDOM,
            delegate=Delegate(self, pairing.PairingDelegate.IoCapability(capability)))

    async def forgotten(self, handle: int, rand: bytes, ediv: int) -> Optional[bytes]:
        """The key of a pairing under way; those of bonds are lost."""
        connection = self.device.lookup_connection(handle)
        return self.device.smp_manager.get_long_term_key(connection, rand, ediv) if connection else None

    async def start(self) -> None:
        await self.device.power_on()
        if self.faults.of("encryption"):
            self.device.host.long_term_key_provider = self.forgotten
        recorded = sorted(self.model.advertising, key=lambda e: (not e["connectable"], -e["count"]))
        data, response = ([e for e in recorded if e["scan_response"] == kind and len(e["data"]) <= LEGACY] for kind in (False, True))
        name = self.model.name.encode()[: LEGACY - 5]
        octets = data[0]["data"] if data else bytes([2, 1, 6, len(name) + 1, 9]) + name
        interval = min(10240.0, max(20.0, next((e["interval_us"] / 1000 for e in data if "interval_us" in e), 100.0)))
        await self.device.start_advertising(
            auto_restart=self.faults.of("advertising") is None, advertising_data=octets,
            scan_response_data=response[0]["data"] if response else b"", advertising_interval_min=interval,
            advertising_interval_max=interval)

    def on_connection(self, connection: Any) -> None:
        conversation = self.conversation(connection)
        recorded = conversation.recorded
        self.log(f"central connected, as in recorded connection {recorded.number}")
        connection.on("disconnection", lambda reason: self.log(f"central disconnected: 0x{reason:02X}"))
        asks = list(recorded.asked_parameters)
        if fault := self.faults.of("update"):
            last = asks[-1] if asks else {"at_us": 0, "interval_min": 6, "interval_max": 6, "latency": 0, "timeout": 200}
            asks += [{**last, "at_us": last["at_us"] + 200_000 * (i + 1)} for i in range(fault.count)]
        for ask in asks:
            connection.cancel_on_disconnection(self.ask(connection, ask))
        at = 0 if self.faults.of("pairing", "ask") else recorded.security_request_at_us
        if at is not None:
            conversation.later(at / 1e6 * self.pace, lambda: connection.encryption or connection.request_pairing())
        if ending := self.faults.of("connection"):
            conversation.later(ending.seconds, self.disconnect, connection, ending.code)

    async def ask(self, connection: Any, ask: Dict[str, int]) -> None:
        await asyncio.sleep(ask["at_us"] / 1e6 * self.pace)
        try:
            await connection.update_parameters(
                ask["interval_min"] * 1.25, ask["interval_max"] * 1.25, ask["latency"], ask["timeout"] * 10, use_l2cap=True)
        except (TimeoutError, core.BaseBumbleError) as error:
            self.log(f"parameters were not updated: {error}")

    async def stop(self) -> None:
        for conversation in list(self.conversations.values()):
            conversation.end()
        if (closed := getattr(self.source, "terminated", None)) and closed.done():
            return  # nothing answers
        for connection in list(self.device.connections.values()):
            # A recording ends with it.
            with suppress(TimeoutError, core.BaseBumbleError, OSError):
                await asyncio.wait_for(connection.disconnect(), 1)
        await self.device.power_off()


def quiet() -> None:
    """bumble warns of what a twin does on purpose."""
    logging.getLogger("bumble").setLevel(logging.ERROR)
    logging.getLogger("bumble.host").setLevel(logging.CRITICAL)  # commands that fail, which raise as well
    logging.getLogger("bumble.gatt_server").setLevel(logging.CRITICAL)  # commands that are refused
