"""The model of a device: what `attlas export --twin` writes, Documentation/schemas/twin.schema.json."""
from __future__ import annotations

import os
import re
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Dict, List, Optional

from ._command import run
from ._errors import Error
from ._twin_file import document, loaded

DECLARATIONS = {"2800", "2801", "2802", "2803"}
CONFIGURATION = "2902"


@dataclass
class Attribute:
    """An attribute of the table. `characteristic` is the handle of the value that it belongs to."""

    handle: int
    type: Optional[str] = None
    uuid: Optional[str] = None
    end_handle: Optional[int] = None
    value_handle: Optional[int] = None
    included_handle: Optional[int] = None
    properties: List[str] = field(default_factory=list)
    characteristic: Optional[int] = None
    service: Optional[str] = None


@dataclass
class Table:
    attributes: List[Attribute]
    until_frame: Optional[int] = None
    reason: Optional[str] = None

    def __post_init__(self) -> None:
        characteristic = service = None
        for attribute in self.attributes:
            if attribute.type in ("2800", "2801"):
                characteristic, service = None, attribute.uuid
            if attribute.type == "2803":
                characteristic = attribute.value_handle
            elif attribute.type not in DECLARATIONS:
                attribute.characteristic = characteristic
            attribute.service = service


@dataclass
class Operation:
    """One operation of the recorded conversation; times in seconds."""

    kind: str
    handle: int
    frame: int
    at: float
    after: Optional[float] = None
    value: Optional[bytes] = None
    error: Optional[int] = None
    since_frame: Optional[int] = None

    @property
    def is_sent(self) -> bool:
        return self.kind in ("notify", "indicate")


@dataclass
class Connection:
    number: int
    frame: int
    operations: List[Operation]
    mtu: Optional[int] = None
    client_mtu: Optional[int] = None
    parameters: Optional[Dict[str, int]] = None
    asked_parameters: List[Dict[str, int]] = field(default_factory=list)
    pairing: Optional[Dict[str, Any]] = None
    security_request_at_us: Optional[int] = None
    encrypted_at_us: Optional[int] = None


def _operation(entry: Dict[str, Any]) -> Operation:
    kind = next(kind for kind in ("read", "write", "command", "notify", "indicate") if kind in entry)
    after, value = entry.get("after_us"), entry.get("value")
    return Operation(
        kind, entry[kind], entry["frame"], entry["at_us"] / 1e6, None if after is None else after / 1e6,
        None if value is None else bytes.fromhex(value), entry.get("error"), entry.get("since_frame"))


class Model:
    """A device of a capture."""

    def __init__(self, document: Dict[str, Any], source: str) -> None:
        self.source = source
        device = document["device"]
        self.name: str = device.get("name") or device.get("address") or "Twin"
        self.address: Optional[str] = device.get("address")
        self.advertising: List[Dict[str, Any]] = [
            {**entry, "data": bytes.fromhex(entry["data"])} for entry in document["advertising"]]
        self.tables = [
            Table([Attribute(**attribute) for attribute in table["attributes"]], table.get("until_frame"), table.get("reason"))
            for table in document["tables"]] or [Table([])]
        self.answers: List[Dict[str, Any]] = document["answers"]
        self.readbacks = {entry["handle"] for entry in document["readbacks"]}
        self.refusals = [{**entry, "value": bytes.fromhex(entry.get("value", ""))} for entry in document["refusals"]]
        self.deviations: List[Dict[str, Any]] = document["deviations"]
        self.unknown: List[Dict[str, Any]] = document["unknown"]
        self.connections = [
            Connection(**{**entry, "operations": [_operation(item) for item in entry["operations"]]})
            for entry in document["connections"]] or [Connection(1, 0, [])]

    @classmethod
    def load(cls, path: "str | os.PathLike[str]", peer: Optional[str] = None) -> "Model":
        """Of a file of attlas export --twin, or of a capture, which the command attlas reads. `-` is the standard input."""
        name, given = os.fspath(path), b""
        if name == "-":
            given = sys.stdin.buffer.read() if sys.stdin else b""
        elif os.path.isfile(name):
            with open(name, "rb") as file:
                given = file.read(4096)
        if name.endswith((".yaml", ".yml")) or re.search(rb"^schema: *\"?attlas/twin/", given, re.M):
            if peer is not None:
                raise Error(f"{name}: a file of attlas export --twin has one device; leave --peer out")
            return cls(document(given if name == "-" else Path(name).read_bytes(), name), name)
        chosen = ["--peer", peer] if peer is not None else []
        result = run("export", "--twin", "-", *chosen, "--", name, given=given if name == "-" else b"")
        found = loaded(result.stdout.encode(errors="surrogateescape"), name)
        if not isinstance(found, dict) or found.get("schema") != "attlas/twin/1":
            raise Error(result.stderr.strip().removeprefix("attlas: ") or f"{result.args[0]}: not the command attlas, or another version of it")
        return cls(found, name)

    def table_at(self, frame: int) -> Table:
        """The table that was valid after this frame."""
        return next((table for table in self.tables if table.until_frame is None or table.until_frame > frame), self.tables[-1])

    def operations(self) -> List[Operation]:
        return [operation for connection in self.connections for operation in connection.operations]

    def known_value(self, handle: int) -> Optional[bytes]:
        """The first value that was read in any recorded connection, or else the first that was sent."""
        given = [o for o in self.operations() if (o.kind == "read" or o.is_sent) and (o.handle, o.error) == (handle, None) and o.value is not None]
        return min(given, key=lambda operation: operation.is_sent).value if given else None

    def handle(self, text: str) -> int:
        """The handle of a characteristic or a descriptor: 0x0010, a UUID, or 2A37/2902 for a descriptor of a characteristic."""
        name, _, descriptor = text.upper().partition("/")
        asked = int(name, 16) if re.fullmatch("0X[0-9A-F]{1,4}", name) else None
        for table in reversed(self.tables):
            types = {a.handle: (a.type or "").upper() for a in table.attributes if a.type not in DECLARATIONS}
            owners = {a.handle: types.get(a.characteristic or 0) for a in table.attributes}
            found = [handle for handle, type_ in types.items()
                     if handle == asked or (type_ == (descriptor or name) and (not descriptor or owners[handle] == name))]
            if len(found) > 1:
                raise Error(f"{self.source}: {len(found)} attributes are {text}; give a handle: {listed([f'0x{handle:04X}' for handle in found])}")
            if found:
                return found[0]
        if asked is not None and any(operation.handle == asked for operation in self.operations()):
            return asked
        raise Error(f'{self.source}: no attribute "{text}"; give a UUID of its table, or a handle (0x0010)')

    def summary(self) -> List[str]:
        """What the twin does, and what is unknown, before it starts."""
        lines = [f"{printable(self.name)} · {counted(len(self.tables[-1].attributes), 'attribute')} at their handles"
                 + (" · advertises as recorded" if self.advertising else "")]
        for answer in self.answers:
            lines.append(f"learned   write 0x{answer['write']:04X} → notification 0x{answer['notify']:04X} "
                         f"after {answer['after_us'] / 1000:.0f} ms ({answer['support']} of {answer['of']})")
        for refusal in self.refusals:
            when = {"length": f"of length {refusal.get('length')}", "value": f"of {refusal['value'].hex(' ')}",
                    "unencrypted": "before encryption", "always": "always"}[refusal["when"]]
            lines.append(f"refuses   {refusal['operation']} 0x{refusal['handle']:04X} {when}: 0x{refusal['error']:02X} "
                         f"({counted(refusal['count'], 'time')})")
        for key, notes in (("deviates", self.deviations), ("unknown", self.unknown)):
            for note in notes:
                handles = listed([f"0x{handle:04X}" for handle in note.get("handles", ())])
                lines.append(f"{key:<9} {printable(note['note'])}" + (f": {handles}" if handles else ""))
        return lines


def counted(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"


def listed(items: List[str]) -> str:
    return ", ".join(items[:8]) + (f" and {len(items) - 8} more" if len(items) > 8 else "")


def printable(text: str) -> str:
    """Nothing in it steers a terminal."""
    return "".join(c if c.isprintable() else "\ufffd" for c in text)
