"""Captures and their tables."""
import os
from typing import Iterator, Tuple

from . import _library

TABLES = (
    "captures", "records", "peers", "connections", "links", "attributes", "operations", "fields", "advertisements",
    "findings", "incidents", "incident_frames", "faults",
)


class Error(Exception):
    """A capture that cannot be read. The text says what, where and why."""


class Table:
    """One table of a capture. Its rows are decoded when somebody asks for them, in batches.

    It has `__arrow_c_stream__`, which pyarrow, Polars, DuckDB and pandas take as it is. Each use reads the capture anew.
    """

    def __init__(self, path, name, options):
        self._path = path
        self._options = options
        self.name = name

    def __arrow_c_stream__(self, requested_schema=None):
        stream = _library.read_table(self._path, self.name, self._options)
        reason = _library.error(stream)
        if reason is not None:
            stream.release(stream)
            raise Error(reason)
        return _library.capsule(stream)

    def __repr__(self):
        return f"<attlas table {self.name} of {os.fspath(self._path)}>"


class Batch:
    """Some rows of a table. It has `__arrow_c_array__`: `pyarrow.record_batch(batch)`, `polars.DataFrame(batch)`. It is taken once."""

    def __init__(self, name, array):
        self._name = name
        self._array = array
        self._rows = array.length

    def __len__(self):
        return self._rows

    def __arrow_c_array__(self, requested_schema=None):
        array, self._array = self._array, None
        if array is None:
            raise Error("the rows of this batch were taken already")
        return _library.capsule(_library.schema(self._name)), _library.capsule(array)

    def __del__(self):
        if self._array is not None:
            self._array.release(self._array)


class Capture:
    """A capture file: btsnoop, pcap, pcapng, PacketLogger, hcidump, Android's btsnooz, or a text with packets."""

    def __init__(self, path, options):
        self.path = path
        self._options = options

    def __repr__(self):
        return f"<attlas capture {os.fspath(self.path)}>"

    def _table(self, name) -> Table:
        return Table(self.path, name, self._options)

    def tables(self, *names) -> Iterator[Tuple[str, Batch]]:
        """Several tables, or all, in one pass: gives pairs of a table's name and a batch of its rows, as batches fill.

            for name, batch in attlas.open(path).tables("operations", "fields"):
                writers[name].write_batch(pyarrow.record_batch(batch))

        The rows of each table come in their order. No more than one batch of each table is held.
        """
        names = names or TABLES
        try:
            tables = _library.Tables(self.path, names, self._options)
        except _library.Failure as failure:
            raise Error(str(failure)) from None
        return ((names[index], Batch(names[index], array)) for index, array in iter(tables.next, None))

    def wide(self, characteristic):
        """The values of a characteristic as a `pyarrow.Table`: a row for each value, a column for each field, as `attlas export --wide`.

        `characteristic` is a UUID, a name or a part of one. A column has numbers, or texts where a field has no number. What a value has
        several times is a list. It is made in memory, and pyarrow has to be installed.

        Raises `LookupError` if no value is of this characteristic, or if there are several of this name.
        """
        from . import _wide

        return _wide.table(Capture(self.path, {**self._options, "characteristic": characteristic}))

    def _document(self, name) -> dict:
        try:
            return _library.read_document(self.path, name, self._options)
        except _library.Failure as failure:
            raise Error(str(failure)) from None

    def devices(self) -> dict:
        """What `attlas devices --json` prints: every address that advertised or connected."""
        return self._document("devices")

    def tree(self) -> dict:
        """What `attlas tree --json` prints: the GATT tree of each peer."""
        return self._document("tree")

    def stats(self) -> dict:
        """What `attlas stats --json` prints: latency in microseconds, throughput and history of each connection."""
        return self._document("stats")

    def lint(self) -> dict:
        """What `attlas lint --json` prints: the findings, and the rules that could not be checked."""
        return self._document("lint")

    @property
    def captures(self) -> Table:
        """One row: what the file is, and whether all of it could be read."""
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
    def findings(self) -> Table:
        """A row for each finding of lint."""
        return self._table("findings")

    @property
    def incidents(self) -> Table:
        """A row for each thing that broke, slowed down or stopped, the most important first, with its cause."""
        return self._table("incidents")

    @property
    def incident_frames(self) -> Table:
        """A row for each frame and each step of an incident."""
        return self._table("incident_frames")

    @property
    def faults(self) -> Table:
        """A row for what could not be decoded, what is missing, and jumps of the clock."""
        return self._table("faults")


def _options(
    *, dissectors=(), gatt_db=(), keys=(), irk=(), ltk=(), tk=(), netkey=(), show_keys=False, peer=None, characteristic=None,
    frames=None, from_=None, to=None, filter=None, sha256=None,
):
    return {
        "dissectors": dissectors, "gatt_db": gatt_db, "keys": keys, "irk": irk, "ltk": ltk, "tk": tk, "netkey": netkey,
        "show_keys": show_keys, "peer": peer, "characteristic": characteristic, "frames": frames,
        "from": None if from_ is None else str(from_), "to": None if to is None else str(to), "filter": filter,
        "sha256": sha256,
    }


def open(
    path, *, dissectors=(), gatt_db=(), keys=(), irk=(), ltk=(), tk=(), netkey=(), show_keys=False, peer=None, characteristic=None,
    frames=None, from_=None, to=None, filter=None, sha256=None,
) -> Capture:
    """The capture at `path`.

    - `dissectors`: definition files of yours, or folders of them.
    - `gatt_db`: files with the GATT tables of devices. `keys`: files with keys; `irk`, `ltk`, `tk` and `netkey`: keys.
    - `peer`, `characteristic`, `frames` ("100-200"), `from_` and `to` (seconds from the first record, or a UTC time) and `filter` select
      what becomes rows of operations, fields, advertisements, links and faults, and what `stats` counts.
    - `sha256`: the hash of the file, where you know it. The table `captures` has it, and the file is not read for it once more.

    What takes several may be one text or a list. The options of `attlas show` have the same names.

    Raises `Error` if it is no capture that attlas reads, or if an option is wrong.
    """
    capture = Capture(path, _options(
        dissectors=dissectors, gatt_db=gatt_db, keys=keys, irk=irk, ltk=ltk, tk=tk, netkey=netkey, show_keys=show_keys, peer=peer,
        characteristic=characteristic, frames=frames, from_=from_, to=to, filter=filter, sha256=sha256))
    stream = _library.read_table(path, "captures", capture._options)
    reason = _library.error(stream)
    stream.release(stream)
    if reason is not None:
        raise Error(reason)
    return capture


def dissect(attribute, value, *, operation=None, dissectors=(), show_keys=False) -> dict:
    """The fields of one value, as `attlas dissect --json` prints them.

    `attribute` is a UUID, a name or a part of one, or a company such as "0x004C"; `value` the octets; `operation` "read", "write", "notify"
    or "indicate", where the layout depends on it.

    Raises `Error` if there is no such definition.
    """
    try:
        return _library.dissect(attribute, value, operation, {"dissectors": dissectors, "show_keys": show_keys})
    except _library.Failure as failure:
        raise Error(str(failure)) from None


def version() -> str:
    """The version of attlas."""
    return _library.library.attlas_version().decode()
