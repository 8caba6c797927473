"""Thousands of captures: what attlas.spark and attlas.ray distribute, and what one process does alone.

    import attlas.fleet
    attlas.fleet.store("logs/**/*.log*", "lake", tables=["operations", "connections", "findings"])

Rows say which file they are from. Times are microseconds, because Spark has none finer, and durations are whole nanoseconds. A file that cannot be
read is a row of `captures` with its error.
"""
import functools
import glob
import hashlib
import json
import os
import tempfile
import uuid
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa
import pyarrow.dataset
import pyarrow.parquet

from . import _capture, _library

# Octets that one process is given at once, and what opening a file costs, in octets that are decoded meanwhile.
_SHARE = 64 << 20
_OPENING = 1 << 12
_SOURCE = [pa.field("file", pa.string()), pa.field("sha256", pa.string()), pa.field("attlas", pa.string())]


class Outcome(NamedTuple):
    """How many files were stored, were there already, and cannot be read."""

    stored: int
    kept: int
    unreadable: int


# The tables.

def _plain(field):
    """The type that Spark, DuckDB and Parquet have in common."""
    if pa.types.is_dictionary(field.type):
        return field.with_type(field.type.value_type)
    if pa.types.is_timestamp(field.type):
        return field.with_type(pa.timestamp("us", "UTC"))
    if pa.types.is_duration(field.type):
        return field.with_type(pa.int64()).with_metadata({"unit": "ns"})
    return field


@functools.cache
def schema(table) -> pa.Schema:
    """The columns of a table: those of `attlas.open`, after the file, its hash and the version of attlas."""
    with tempfile.NamedTemporaryFile(suffix=".btsnoop") as empty:
        empty.write(_library.EMPTY_CAPTURE)
        empty.flush()
        own = pa.RecordBatchReader.from_stream(_capture.Table(empty.name, table, {})).schema
    return pa.schema([*_SOURCE, *(_plain(field) for field in own if field.name not in {"file", "sha256", "attlas"})])


def check(tables, options):
    """An error of the request is raised once, before any file is read, and is not an error of each file."""
    for table in tables:
        if table not in _capture.TABLES:
            raise ValueError(f"there is no table {table}: the tables are {', '.join(_capture.TABLES)}")
    with tempfile.NamedTemporaryFile(suffix=".btsnoop") as empty:
        empty.write(_library.EMPTY_CAPTURE)
        empty.flush()
        _capture.open(empty.name, **options)


class File:
    """A file with a capture, or an archive with several."""

    def __init__(self, path):
        self.path = path
        self.sha256 = None
        self._failure = None
        try:
            digest = hashlib.sha256()
            with open(path, "rb") as file:
                while octets := file.read(1 << 20):
                    digest.update(octets)
            self.sha256 = digest.hexdigest()
        except OSError as error:
            self._failure = f"{path}: {error.strerror}"

    @functools.cached_property
    def _members(self):
        """The name of each capture in it, and why it is none."""
        if self._failure is not None:
            return [(self.path, self._failure)]
        contents = _library.read_document(self.path, "contents", {})
        return [*((name, None) for name in contents["captures"]), *((self.path, error) for error in contents["errors"])]

    def read(self, table, options):
        """The rows of a table, in batches."""
        for number, (name, error) in enumerate(self._members, 1):
            if error is None:
                try:
                    rows = getattr(_capture.open(name, **options), table)
                    for batch in pa.RecordBatchReader.from_stream(rows):
                        yield self._batch(table, batch, number, name)
                except _capture.Error as failure:
                    error = str(failure)
            if error is not None and table == "captures":
                row = {"capture": number, "records": 0, "complete": False, "error": error}
                columns = [pa.array([row.get(field.name)], field.type) for field in schema(table)]
                yield self._batch(table, pa.RecordBatch.from_arrays(columns, schema=schema(table)), number, name)

    def _batch(self, table, batch, number, name):
        """The same rows in every file's own terms: the number of a capture is 1 for the library, which has one at a time."""
        added = {"file": name, "sha256": self.sha256, "attlas": _capture.version(), "capture": number}
        columns = []
        for field in schema(table):
            if field.name in added:
                columns.append(pa.repeat(pa.scalar(added[field.name], field.type), batch.num_rows))
            else:
                columns.append(batch.column(field.name).cast(field.type, safe=False))
        return pa.RecordBatch.from_arrays(columns, schema=schema(table))


# The files.

def find(paths):
    """The path and the octets of each file, the largest first. `paths` is a pattern or a list of them; `**` is any folder."""
    patterns = [paths] if isinstance(paths, (str, os.PathLike)) else paths
    found = set()
    for pattern in patterns:
        matches = {os.path.abspath(path) for path in glob.glob(os.fspath(pattern), recursive=True) if os.path.isfile(path)}
        if not matches:
            raise FileNotFoundError(f"no file matches {os.fspath(pattern)}")
        found |= matches
    return sorted(((path, os.path.getsize(path)) for path in found), key=lambda file: (-file[1], file[0]))


def divide(files, processes):
    """Portions of paths, the largest files first: a large one alone, so that it does not begin when others end, small ones together."""
    total = sum(octets + _OPENING for _, octets in files)
    share = min(_SHARE, total // (4 * processes))
    portions, room = [], 0
    for path, octets in files:
        octets += _OPENING
        if octets > room:
            portions.append([])
            room = share
        portions[-1].append(path)
        room -= octets
    return portions


# The store.

class Store:
    """A folder with a Parquet file of each table for each captured file, in a folder for each day.

    A file is written beside its place and renamed, and the file of the table `captures` is the last of its capture: what that table has is
    complete. A capture that was stored by another version of attlas is replaced.
    """

    def __init__(self, folder, tables, options):
        self.folder = Path(os.path.abspath(folder))
        self.tables = [table for table in tables if table != "captures"]
        self.options = options
        check(self.tables, options)
        self._hold_settings()
        self.known = dict(self._stored())

    def _hold_settings(self):
        """Rows of other tables or of another selection beside these would say nothing together."""
        path = self.folder / "settings.json"
        settings = json.dumps({"tables": sorted(self.tables), "options": self.options}, default=os.fspath, sort_keys=True)
        if not path.exists():
            self.folder.mkdir(parents=True, exist_ok=True)
            unfinished = self.folder / f".settings.{uuid.uuid4().hex}"
            unfinished.write_text(settings)
            unfinished.replace(path)
        elif path.read_text() != settings:
            raise ValueError(f"{self.folder} was made with other tables or options: {path} has them. Use them, or another folder")

    def _stored(self):
        """The version of attlas by which each file was stored, by its hash."""
        if not (self.folder / "captures").is_dir():
            return
        captures = pyarrow.dataset.dataset(self.folder / "captures", format="parquet", partitioning="hive")
        for batch in captures.to_batches(columns=["sha256", "attlas"]):
            yield from zip(batch.column("sha256").to_pylist(), batch.column("attlas").to_pylist())

    def add(self, path):
        """Stores one file: "stored", "kept" or "unreadable"."""
        file = File(path)
        if file.sha256 is not None and self.known.get(file.sha256) == _capture.version():
            return "kept"
        captures = pa.Table.from_batches(file.read("captures", self.options), schema("captures"))
        times = [time for time in captures.column("first_time").to_pylist() if time is not None]
        # What has no time is where Spark and DuckDB look for rows without a day.
        day = f"{min(times):%Y-%m-%d}" if times else "__HIVE_DEFAULT_PARTITION__"
        name = f"{file.sha256 or hashlib.sha256(os.fsencode(path)).hexdigest()}.parquet"
        for table in self.tables:
            self._write(table, day, name, file.read(table, self.options))
        if file.sha256 in self.known:
            for old in self.folder.glob(f"*/day=*/{name}"):
                if old.parent.name != f"day={day}":
                    old.unlink()
        self._write("captures", day, name, captures.to_batches())
        return "unreadable" if all(row["error"] and not row["records"] for row in captures.to_pylist()) else "stored"

    def _write(self, table, day, name, batches):
        folder = self.folder / table / f"day={day}"
        folder.mkdir(parents=True, exist_ok=True)
        # Spark, DuckDB and pyarrow pass over what begins with a dot.
        unfinished = folder / f".{name}.{uuid.uuid4().hex}"
        try:
            with pa.parquet.ParquetWriter(unfinished, schema(table), compression="zstd") as writer:
                for batch in batches:
                    writer.write_batch(batch)
            unfinished.replace(folder / name)
        finally:
            unfinished.unlink(missing_ok=True)


def outcome(words) -> Outcome:
    """What `Store.add` said of each file."""
    counts = Counter(words)
    return Outcome(*(counts[word] for word in Outcome._fields))


def store(paths, folder, *, tables=_capture.TABLES, **options) -> Outcome:
    """Stores every file in one process. `attlas.spark.store` and `attlas.ray.store` write the same with many.

    `options` are those of `attlas.open`. Files that the folder has already, by their hash and by the version of attlas, are not decoded.
    """
    files = find(paths)
    into = Store(folder, tables, options)
    return outcome(into.add(path) for path, _ in files)
