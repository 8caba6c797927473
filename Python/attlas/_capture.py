"""Captures and their tables."""
from __future__ import annotations

import datetime
import os
from typing import TYPE_CHECKING, Any, Dict, Iterable, Iterator, List, Optional, Tuple, Union, cast

from . import _command, _errors, _library
from ._errors import Error
from ._table import Path, Table

if TYPE_CHECKING:
    import pyarrow

    from . import documents

TABLES = (
    "captures", "records", "peers", "connections", "links", "procedures", "attributes", "operations", "fields",
    "advertisements", "findings", "channel_data", "incidents", "incident_frames", "faults",
)
# A path or a text, or several.
Paths = Union[Path, Iterable[Path]]
Texts = Union[str, Iterable[str]]
# Seconds from the first record, or a time: a datetime with a zone, or a text such as 2026-11-21T09:55:20Z.
Moment = Union[float, str, datetime.datetime, datetime.timedelta]


class Batch:
    """A batch of rows, with `__arrow_c_array__`: `pyarrow.record_batch(batch)`, `polars.DataFrame(batch)`. It can be read once."""

    def __init__(self, name: str, array: _library.Held) -> None:
        self._name = name
        self._array: Optional[_library.Held] = array
        self._rows = int(array.content.length)

    def __len__(self) -> int:
        return self._rows

    def __arrow_c_array__(self, requested_schema: object = None) -> Tuple[object, object]:
        array, self._array = self._array, None
        if array is None:
            raise Error("the rows of this batch were taken already")
        return _library.schema(self._name).capsule, array.capsule


class Capture:
    """A capture file: btsnoop, pcap, pcapng, PacketLogger, hcidump, Android's btsnooz, or a text with packets."""

    def __init__(self, path: Path, options: Dict[str, Any]) -> None:
        self.path = path
        self._options = options
        self._tables: Dict[str, Table] = {}

    def __repr__(self) -> str:
        return f"<attlas capture {os.fsdecode(self.path)}>"

    def _table(self, name: str) -> Table:
        if name not in self._tables:
            self._tables[name] = Table(self.path, name, self._options)
        return self._tables[name]

    def tables(self, *names: str) -> Iterator[Tuple[str, Batch]]:
        """Several tables, or all, in one pass: yields (table name, batch) as batches fill.

            for name, batch in attlas.open(path).tables("operations", "fields"):
                writers[name].write_batch(pyarrow.record_batch(batch))

        The rows of each table come in order. At most one batch of each table is held.
        """
        names = names or TABLES
        try:
            tables = _library.Tables(self.path, names, self._options)
        except _library.Failure as failure:
            raise _errors.of(str(failure), self.path) from None
        return self._batches(tables, names)

    def _batches(self, tables: _library.Tables, names: Tuple[str, ...]) -> Iterator[Tuple[str, Batch]]:
        try:
            for index, array in iter(tables.next, None):
                yield names[index], Batch(names[index], array)
        except _library.Failure as failure:
            raise _errors.of(str(failure), self.path) from None

    def wide(self, characteristic: str, *, faulty: bool = False) -> pyarrow.Table:
        """The values of a characteristic as a `pyarrow.Table`: a row for each value, a column for each field of its definition.

        `characteristic` is a UUID, a name or a part of one. Columns and types are those of the definition, so tables of several captures
        concatenate. A special value is null, with its name in the column `… special`. Repeated fields are lists. Values with a fault are
        left out; `faulty=True` includes them, with a column `faults`. The table is built in memory. Needs pyarrow.

        Raises `SelectionError` if the characteristic has no value, or if several have this name.
        """
        from . import _wide

        return _wide.table(Capture(self.path, {**self._options, "characteristic": characteristic}), faulty)

    def _document(self, name: str) -> Any:
        try:
            return _library.read_document(self.path, name, self._options)
        except _library.Failure as failure:
            raise _errors.of(str(failure), self.path) from None

    def devices(self) -> documents.Devices:
        """The document of `attlas devices --json`: every address that advertised or connected."""
        return cast("documents.Devices", self._document("devices"))

    def tree(self) -> documents.Tree:
        """The document of `attlas tree --json`: the GATT tree of each peer."""
        return cast("documents.Tree", self._document("tree"))

    def stats(self) -> documents.Stats:
        """The document of `attlas stats --json`: latency in microseconds, throughput and history of each connection."""
        return cast("documents.Stats", self._document("stats"))

    def lint(self) -> documents.Lint:
        """The document of `attlas lint --json`: the findings, and the rules that could not be checked."""
        return cast("documents.Lint", self._document("lint"))

    def _ask(self, name: str, subject: Optional[str], answer: str) -> Any:
        operands = [] if subject is None else [subject]
        return _command.document(name, self._flags(name), os.fsdecode(self.path), *operands, answer=answer)

    def _flags(self, name: str) -> List[str]:
        """The options with which the command decodes as the library does."""
        for key in ("peer", "characteristic", "frames", "from", "to", "filter"):
            if self._options.get(key) is not None:
                raise Error(f"{name}() is about the whole capture: open it without {'from_' if key == 'from' else key}=")
        flags = ["--show-keys"] if self._options.get("show_keys") else []
        for key in ("dissectors", "gatt_db", "keys", "irk", "ltk", "tk", "netkey"):
            flags += [f"--{key.replace('_', '-')}={os.fsdecode(value)}" for value in self._options.get(key, ())]
        return flags

    def why(self, subject: Optional[str] = None) -> documents.Why:
        """The document of `attlas why --json`: what broke, why, and what to do next.

        `subject` is a characteristic or a device: a name, a UUID or an address, or a part of one. `answers` then tells its story.

        Raises `SelectionError` if the capture has no such subject.
        """
        return cast("documents.Why", self._ask("why", subject, "answers"))

    def values(self, characteristic: str) -> documents.Values:
        """The document of `attlas values --json`: the distinct values of a characteristic, and what changes in them.

        Raises `SelectionError` if the capture has no such characteristic.
        """
        return cast("documents.Values", self._ask("values", characteristic, "characteristics"))

    def infer(self, characteristic: Optional[str] = None) -> documents.Infer:
        """The document of `attlas infer --json`: a layout for values that no definition describes, with the support of each part.

        Raises `SelectionError` if the capture has no such characteristic.
        """
        return cast("documents.Infer", self._ask("infer", characteristic, "characteristics"))

    def check(self, *expectations: _command.Expectation) -> List[documents.LintFindingsItem]:
        """The findings of `attlas check`; none if the capture is as expected.

        An expectation is the path of an expectations file, or one of its entries, whose id may be left out.
        `attlas.testing.expect` fails a test with the same.
        """
        return cast("List[documents.LintFindingsItem]", _command.findings(os.fsdecode(self.path), expectations, self._flags("check")))

    @property
    def captures(self) -> Table:
        """One row: the file, and whether all of it could be read."""
        return self._table("captures")

    @property
    def records(self) -> Table:
        """A row for each record of the file."""
        return self._table("records")

    @property
    def peers(self) -> Table:
        """A row for each device that was connected."""
        return self._table("peers")

    @property
    def connections(self) -> Table:
        """A row for each connection, when it ends."""
        return self._table("connections")

    @property
    def links(self) -> Table:
        """A row for each change of a connection: parameters, PHYs, data length, MTU, encryption."""
        return self._table("links")

    @property
    def procedures(self) -> Table:
        """A row for each thing that the two sides did, with its outcome: Documentation/procedures.md."""
        return self._table("procedures")

    @property
    def attributes(self) -> Table:
        """A row for each attribute of the GATT servers."""
        return self._table("attributes")

    @property
    def operations(self) -> Table:
        """A row for each ATT operation, with its attribute, its value and its round trip in nanoseconds."""
        return self._table("operations")

    @property
    def fields(self) -> Table:
        """A row for each field of each value, with its number in the unit of the column `unit`."""
        return self._table("fields")

    @property
    def advertisements(self) -> Table:
        """A row for each advertising report, with RSSI in dBm."""
        return self._table("advertisements")

    @property
    def channel_data(self) -> Table:
        """A row for each packet on a channel of RFCOMM, or of a dynamic PSM or SPSM."""
        return self._table("channel_data")

    @property
    def findings(self) -> Table:
        """A row for each finding of lint."""
        return self._table("findings")

    @property
    def incidents(self) -> Table:
        """A row for each incident, the most important first, with its cause."""
        return self._table("incidents")

    @property
    def incident_frames(self) -> Table:
        """A row for each frame and each step of an incident."""
        return self._table("incident_frames")

    @property
    def faults(self) -> Table:
        """A row for each decoding fault, loss and clock jump."""
        return self._table("faults")


def _time(name: str, value: Optional[Moment]) -> Optional[str]:
    if isinstance(value, datetime.datetime):
        if value.utcoffset() is None:
            written = repr(value)
            raise Error(
                f"{name} takes a time with a zone, and {written} has none. Write {written}.replace(tzinfo=datetime.timezone.utc) "
                f"if it is UTC, or {written}.astimezone() if it is this machine's time")
        return value.astimezone(datetime.timezone.utc).replace(tzinfo=None).isoformat() + "Z"
    if isinstance(value, datetime.timedelta):
        return str(value.total_seconds())
    return None if value is None else str(value)


def _list(value: Any) -> List[Any]:
    return [value] if isinstance(value, (str, bytes, os.PathLike)) else list(value)


def _options(
    *, dissectors: Paths = (), gatt_db: Paths = (), keys: Paths = (), irk: Texts = (), ltk: Texts = (), tk: Texts = (),
    netkey: Texts = (), show_keys: bool = False, peer: Optional[str] = None, characteristic: Optional[str] = None,
    frames: Union[int, str, None] = None, from_: Optional[Moment] = None, to: Optional[Moment] = None,
    filter: Optional[str] = None, sha256: Optional[str] = None, may_match_nothing: bool = False,
) -> Dict[str, Any]:
    several = {"dissectors": dissectors, "gatt_db": gatt_db, "keys": keys, "irk": irk, "ltk": ltk, "tk": tk, "netkey": netkey}
    return {
        **{name: _list(value) for name, value in several.items()},
        "show_keys": show_keys, "peer": peer, "characteristic": characteristic,
        "frames": None if frames is None else str(frames), "from": _time("from_", from_), "to": _time("to", to),
        "filter": filter, "sha256": sha256, "may_match_nothing": may_match_nothing,
    }


def open(
    path: Path, *, dissectors: Paths = (), gatt_db: Paths = (), keys: Paths = (), irk: Texts = (), ltk: Texts = (), tk: Texts = (),
    netkey: Texts = (), show_keys: bool = False, peer: Optional[str] = None, characteristic: Optional[str] = None,
    frames: Union[int, str, None] = None, from_: Optional[Moment] = None, to: Optional[Moment] = None,
    filter: Optional[str] = None, sha256: Optional[str] = None, may_match_nothing: bool = False,
) -> Capture:
    """Open the capture at `path`.

    - `dissectors`: your definition files, or folders of them.
    - `gatt_db`: files with GATT tables. `keys`: files with keys. `irk`, `ltk`, `tk` and `netkey`: keys.
    - `peer`, `characteristic`, `frames` (2 or "100-200"), `from_` and `to` (seconds from the first record, or a datetime with a zone) and
      `filter` select rows of operations, fields, advertisements, links and faults, and the figures of `stats`.
    - `may_match_nothing`: yield no rows, instead of raising `SelectionError`, if the selection matches nothing.
    - `sha256`: the hash of the file, if known, for the table `captures`; the file is not read again for it.

    Options for several values take one or a list. The options of `attlas show` have the same names.

    Raises `NotFoundError`, `AccessError` or another `Error` if it cannot be read, or if an option is wrong.
    """
    capture = Capture(path, _options(
        dissectors=dissectors, gatt_db=gatt_db, keys=keys, irk=irk, ltk=ltk, tk=tk, netkey=netkey, show_keys=show_keys, peer=peer,
        characteristic=characteristic, frames=frames, from_=from_, to=to, filter=filter, sha256=sha256,
        may_match_nothing=may_match_nothing))
    capture.captures.__arrow_c_stream__()
    return capture


def dissect(
    attribute: str, value: Union[str, bytes, bytearray, memoryview], *, operation: Optional[str] = None, dissectors: Paths = (),
    show_keys: bool = False,
) -> documents.Dissected:
    """Decode one value, as `attlas dissect --json` does.

    `attribute` is a UUID, a name or a part of one, or a company such as "0x004C"; `value` the octets, or their hexadecimal digits
    ("00 48"); `operation` "read", "write", "notify" or "indicate", if the layout depends on it.

    Raises `Error` if there is no definition of the attribute.
    """
    try:
        octets = bytes.fromhex(value.replace(":", " ").replace("-", " ")) if isinstance(value, str) else bytes(value)
    except ValueError:
        raise Error(f"the value is not hexadecimal: {value!r}; write octets such as b\"\\x00\\x48\" or \"00 48\"") from None
    try:
        options = {"dissectors": _list(dissectors), "show_keys": show_keys}
        return cast("documents.Dissected", _library.dissect(attribute, octets, operation, options))
    except _library.Failure as failure:
        raise Error(str(failure)) from None


def version() -> str:
    """The version of attlas."""
    return str(_library.library.attlas_version().decode())
