"""Store the tables of thousands of captures in one process. attlas.spark and attlas.ray distribute the same work.

    import attlas.fleet
    attlas.fleet.store("logs/**/*.log*", "lake", tables=["operations", "connections", "findings"])

Rows name their file. Times are microseconds, the finest of Spark, and durations whole nanoseconds. A file that cannot be read is a row of
`captures` with its error.
"""
from __future__ import annotations

import contextlib
import fnmatch
import functools
import glob
import hashlib
import json
import os
import tempfile
import uuid
from collections import Counter
from pathlib import Path
from typing import Any, Dict, Iterable, Iterator, List, NamedTuple, Optional, Sequence, Set, Tuple

import pyarrow as pa
import pyarrow.dataset
import pyarrow.parquet

from . import _capture, _errors, _library
from ._capture import Capture, Paths
from ._table import Path as AnyPath

# Octets that one process is given at once, and what opening a file costs, in octets that are decoded meanwhile.
_SHARE = 64 << 20
_OPENING = 1 << 12
_SOURCE = [pa.field("file", pa.string()), pa.field("sha256", pa.string()), pa.field("attlas", pa.string())]


# Files that `attlas open` and `attlas lint` keep next to captures.
_OWN = ("*.attlas-marks", "attlas.yaml")


class Outcome(NamedTuple):
    """The numbers of files that were stored, already stored, and unreadable."""

    stored: int
    kept: int
    unreadable: int
    # Path and reason of each unreadable or damaged capture, including those stored earlier.
    failures: Tuple[Tuple[str, str], ...] = ()


class Added(NamedTuple):
    """The result of `Store.add` for a file: "stored", "kept" or "unreadable"."""

    word: str
    failures: Tuple[Tuple[str, str], ...] = ()


# The tables.

def _plain(field: pa.Field) -> pa.Field:
    """A type that Spark, DuckDB and Parquet have."""
    if pa.types.is_dictionary(field.type):
        return field.with_type(field.type.value_type)
    if pa.types.is_timestamp(field.type):
        return field.with_type(pa.timestamp("us", "UTC"))
    if pa.types.is_duration(field.type):
        return field.with_type(pa.int64()).with_metadata({"unit": "ns"})
    return field


@contextlib.contextmanager
def _empty(options: Dict[str, Any]) -> Iterator[Capture]:
    """A capture without records."""
    with tempfile.NamedTemporaryFile(suffix=".btsnoop") as file:
        file.write(_library.EMPTY_CAPTURE)
        file.flush()
        yield _capture.open(file.name, **{**options, "may_match_nothing": True})


@functools.cache
def schema(table: str) -> pa.Schema:
    """The columns of a table: those of `attlas.open`, after the file, its hash and the version of attlas."""
    with _empty({}) as capture:
        own = pa.RecordBatchReader.from_stream(capture._table(table)).schema
    return pa.schema([*_SOURCE, *(_plain(field) for field in own if field.name not in {"file", "sha256", "attlas"})])


def check(tables: Iterable[str], options: Dict[str, Any]) -> None:
    """Raise an error of the request before any file is read, instead of one for each file."""
    for table in tables:
        if table not in _capture.TABLES:
            raise ValueError(f"there is no table {table}: the tables are {', '.join(_capture.TABLES)}")
    with _empty(options):
        pass


class File:
    """A file with a capture, or an archive with several."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.sha256: Optional[str] = None
        self._failure: Optional[str] = None
        try:
            digest = hashlib.sha256()
            with open(path, "rb") as file:
                while octets := file.read(1 << 20):
                    digest.update(octets)
            self.sha256 = digest.hexdigest()
        except OSError as error:
            self._failure = f"{path}: {error.strerror}"

    @functools.cached_property
    def _members(self) -> List[Tuple[str, Optional[str]]]:
        """The name of each capture in it, or the reason why it is not one."""
        if self._failure is not None:
            return [(self.path, self._failure)]
        contents = _library.read_document(self.path, "contents", {})
        return [*((name, None) for name in contents["captures"]), *((self.path, error) for error in contents["errors"])]

    def read(self, tables: Sequence[str], options: Dict[str, Any]) -> Iterator[Tuple[str, pa.RecordBatch]]:
        """Yields (table name, batch). Each capture is decoded once for all tables."""
        for number, (name, error) in enumerate(self._members, 1):
            if error is None:
                try:
                    # Not every log has what is selected.
                    capture = _capture.open(name, **{**options, "may_match_nothing": True, "sha256": self.sha256})
                    for table, batch in capture.tables(*tables):
                        yield table, self._batch(table, pa.record_batch(batch), number, name)
                except _errors.Error as failure:
                    error = str(failure)
            if error is not None and "captures" in tables:
                row = {"capture": number, "records": 0, "complete": False, "error": error}
                columns = [pa.array([row.get(field.name)], field.type) for field in schema("captures")]
                batch = pa.RecordBatch.from_arrays(columns, schema=schema("captures"))
                yield "captures", self._batch("captures", batch, number, name)

    def _batch(self, table: str, batch: pa.RecordBatch, number: int, name: str) -> pa.RecordBatch:
        """The rows with their file, and the number of the capture in it, which is always 1 for the library."""
        added = {"file": name, "sha256": self.sha256, "attlas": _capture.version(), "capture": number}
        columns = []
        for field in schema(table):
            if field.name in added:
                columns.append(pa.repeat(pa.scalar(added[field.name], field.type), batch.num_rows))
            else:
                columns.append(batch.column(field.name).cast(field.type, safe=False))
        return pa.RecordBatch.from_arrays(columns, schema=schema(table))


# The files.

def find(paths: Paths, *, give_up: Paths = (), without: Optional[AnyPath] = None) -> List[Tuple[str, int]]:
    """The path and the octets of each file, the largest first. `paths` is a pattern or a list of them; `**` is any folder.

    Marks and settings of attlas, files that match `give_up`, and the folder `without` are left out.
    """
    found: Set[str] = set()
    for pattern in _capture._list(paths):
        matches = _matches(pattern)
        if not matches:
            raise FileNotFoundError(f"no file matches {os.fsdecode(pattern)}")
        found |= matches
    for pattern in _capture._list(give_up):
        found -= _matches(pattern)
    found = {path for path in found if not any(fnmatch.fnmatch(os.path.basename(path), own) for own in _OWN)}
    if without is not None:
        start = os.path.join(os.path.abspath(os.fsdecode(without)), "")
        found = {path for path in found if not path.startswith(start)}
    return sorted(((path, os.path.getsize(path)) for path in found), key=lambda file: (-file[1], file[0]))


def _matches(pattern: AnyPath) -> Set[str]:
    paths = glob.glob(os.fsdecode(pattern), recursive=True)
    return {os.path.abspath(path) for path in paths if os.path.isfile(path)}


def divide(files: Iterable[Tuple[str, int]], processes: int) -> List[List[str]]:
    """Portions of paths, the largest files first and alone, so that no large one starts last; small ones together."""
    files = list(files)
    total = sum(octets + _OPENING for _, octets in files)
    share = min(_SHARE, total // (4 * processes))
    portions: List[List[str]] = []
    room = 0
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

    A file is written under a hidden name and renamed, that of the table `captures` last: a capture in that table is complete. A capture
    stored by another version of attlas is replaced.
    """

    def __init__(self, folder: AnyPath, tables: Iterable[str], options: Dict[str, Any]) -> None:
        self.folder = Path(os.path.abspath(os.fsdecode(folder)))
        self.tables = [table for table in tables if table != "captures"]
        self.options = options
        check(self.tables, options)
        self._hold_settings()
        # By identity: the version of attlas that stored the file, and its failures.
        self.known: Dict[Any, Tuple[str, Tuple[Tuple[str, str], ...]]] = {}
        self._know()

    @staticmethod
    def _identity(sha256: Optional[str], path: str, has_records: bool) -> Any:
        """The identity of a file. Logs without records have equal octets, so their paths distinguish them."""
        return sha256 if has_records else (sha256, path)

    def _hold_settings(self) -> None:
        """Refuse a folder with other tables or another selection: their rows do not fit together."""
        path = self.folder / "settings.json"
        settings = json.dumps({"tables": sorted(self.tables), "options": self.options}, default=os.fspath, sort_keys=True)
        if not path.exists():
            self.folder.mkdir(parents=True, exist_ok=True)
            unfinished = self.folder / f".settings.{uuid.uuid4().hex}"
            unfinished.write_text(settings)
            unfinished.replace(path)
        elif path.read_text() != settings:
            raise ValueError(f"{self.folder} was made with other tables or options: {path} has them. Use them, or another folder")

    def _know(self) -> None:
        if not (self.folder / "captures").is_dir():
            return
        captures = pyarrow.dataset.dataset(self.folder / "captures", format="parquet", partitioning="hive")
        for batch in captures.to_batches(columns=["sha256", "file", "records", "attlas", "error"]):
            for row in batch.to_pylist():
                identity = self._identity(row["sha256"], row["file"].split("!/")[0], row["records"] > 0)
                _, failures = self.known.get(identity, ("", ()))
                self.known[identity] = row["attlas"], failures + _failures([row])

    def add(self, path: str) -> Added:
        """Store one file."""
        file = File(path)
        identities = [self._identity(file.sha256, path, full) for full in (True, False)]
        stored = [self.known[one] for one in identities if file.sha256 is not None and one in self.known]
        if _capture.version() in (version for version, _ in stored):
            failures = tuple(failure for _, some in stored for failure in some)
            return Added("unreadable" if failures and identities[0] not in self.known else "kept", failures)
        by_path = f"{hashlib.sha256(os.fsencode(path)).hexdigest()}.parquet"
        with contextlib.ExitStack() as open_files:
            unfinished = {
                table: open_files.enter_context(_Unfinished(self.folder / table, by_path, schema(table)))
                for table in [*self.tables, "captures"]
            }
            captures = []
            for table, batch in file.read(list(unfinished), self.options):
                unfinished[table].write(batch)
                if table == "captures":
                    captures += batch.to_pylist()
            has_records = any(row["records"] for row in captures)
            name = f"{file.sha256}.parquet" if has_records else by_path
            times = [row["first_time"] for row in captures if row["first_time"] is not None]
            # What has no time is where Spark and DuckDB look for rows without a day.
            day = f"day={min(times):%Y-%m-%d}" if times else "day=__HIVE_DEFAULT_PARTITION__"
            for table in self.tables:
                unfinished[table].finish(day, name)
            if stored:
                for former in {by_path, f"{file.sha256}.parquet"}:
                    for old in self.folder.glob(f"*/day=*/{former}"):
                        if (old.parent.name, former) != (day, name):
                            old.unlink()
            unfinished["captures"].finish(day, name)
        is_unreadable = all(row["error"] and not row["records"] for row in captures)
        return Added("unreadable" if is_unreadable else "stored", _failures(captures))


def _failures(captures: Iterable[Dict[str, Any]]) -> Tuple[Tuple[str, str], ...]:
    return tuple((row["file"], row["error"]) for row in captures if row["error"])


class _Unfinished:
    """A Parquet file outside the folders of the days, until the capture's day is known."""

    def __init__(self, folder: Path, name: str, columns: pa.Schema) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder
        # Spark, DuckDB and pyarrow pass over what begins with a dot.
        self._path = folder / f".{name}.{uuid.uuid4().hex}"
        self._writer = pa.parquet.ParquetWriter(self._path, columns, compression="zstd")

    def __enter__(self) -> _Unfinished:
        return self

    def write(self, batch: pa.RecordBatch) -> None:
        self._writer.write_batch(batch)

    def finish(self, day: str, name: str) -> None:
        self._writer.close()
        folder = self._folder / day
        folder.mkdir(exist_ok=True)
        self._path.replace(folder / name)

    def __exit__(self, *_: object) -> None:
        self._writer.close()
        self._path.unlink(missing_ok=True)


def outcome(added: Iterable[Added]) -> Outcome:
    """Count the results of `Store.add`."""
    added = list(added)
    counts = Counter(one.word for one in added)
    failures = tuple(failure for one in added for failure in one.failures)
    return Outcome(counts["stored"], counts["kept"], counts["unreadable"], failures)


def store(
    paths: Paths, folder: AnyPath, *, tables: Sequence[str] = _capture.TABLES, give_up: Paths = (), **options: Any,
) -> Outcome:
    """Store every file, in one process. `attlas.spark.store` and `attlas.ray.store` write the same with many.

    `options` are those of `attlas.open`. Files already stored by this version of attlas (by hash) are not decoded again.
    Unreadable files are in `failures` at each run, until they change or are in `give_up` (paths or patterns).
    """
    files = find(paths, give_up=give_up, without=folder)
    into = Store(folder, tables, options)
    return outcome(into.add(path) for path, _ in files)
