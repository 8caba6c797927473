"""Captures and their tables."""
import os

from . import _library

TABLES = (
    "captures", "records", "peers", "connections", "links", "attributes", "operations", "fields", "advertisements",
    "findings", "faults",
)


class Error(Exception):
    """A capture that cannot be read. The text says what, where and why."""


class Table:
    """One table of a capture. Its rows are decoded when somebody asks for them, in batches.

    It has `__arrow_c_stream__`, which pyarrow, Polars, DuckDB and pandas take as it is. Each use reads the capture anew.
    """

    def __init__(self, path, name):
        self._path = path
        self.name = name

    def __arrow_c_stream__(self, requested_schema=None):
        stream = _library.read_table(self._path, self.name)
        reason = _library.error(stream)
        if reason is not None:
            stream.release(stream)
            raise Error(reason)
        return _library.capsule(stream)

    def __repr__(self):
        return f"<attlas table {self.name} of {os.fspath(self._path)}>"


class Capture:
    """A capture file: btsnoop, pcap, pcapng, PacketLogger, hcidump or Android's btsnooz."""

    def __init__(self, path):
        self.path = path

    def __repr__(self):
        return f"<attlas capture {os.fspath(self.path)}>"

    @property
    def captures(self) -> Table:
        """One row: what the file is, and whether all of it could be read."""
        return Table(self.path, "captures")

    @property
    def records(self) -> Table:
        """A row for each record of the file."""
        return Table(self.path, "records")

    @property
    def peers(self) -> Table:
        """A row for each device that was connected."""
        return Table(self.path, "peers")

    @property
    def connections(self) -> Table:
        """A row for each connection, when it ends."""
        return Table(self.path, "connections")

    @property
    def links(self) -> Table:
        """A row for each change of a connection: parameters, PHYs, data length, MTU, encryption."""
        return Table(self.path, "links")

    @property
    def attributes(self) -> Table:
        """A row for each attribute of the GATT servers."""
        return Table(self.path, "attributes")

    @property
    def operations(self) -> Table:
        """A row for each ATT operation, with its attribute, its value and its round trip in nanoseconds."""
        return Table(self.path, "operations")

    @property
    def fields(self) -> Table:
        """A row for each field of each value, with its number in the unit of the column `unit`."""
        return Table(self.path, "fields")

    @property
    def advertisements(self) -> Table:
        """A row for each advertising report, with RSSI in dBm."""
        return Table(self.path, "advertisements")

    @property
    def findings(self) -> Table:
        """A row for each finding of lint."""
        return Table(self.path, "findings")

    @property
    def faults(self) -> Table:
        """A row for what could not be decoded, what is missing, and jumps of the clock."""
        return Table(self.path, "faults")


def open(path) -> Capture:
    """The capture at `path`.

    Raises `Error` if it is no capture that attlas reads.
    """
    stream = _library.read_table(path, "captures")
    reason = _library.error(stream)
    stream.release(stream)
    if reason is not None:
        raise Error(reason)
    return Capture(path)


def version() -> str:
    """The version of attlas."""
    return _library.library.attlas_version().decode()
