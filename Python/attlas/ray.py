"""Captures on Ray. The nodes need attlas, and the files at the same paths.

    import attlas.ray
    operations = attlas.ray.read("logs/*.log*", tables=["operations"])["operations"]
    operations.groupby("characteristic").count().show()
"""
from __future__ import annotations

from typing import Any, Dict, Iterable, Iterator, List, Sequence

import pyarrow as pa
import ray
import ray.data

from . import _capture, fleet
from ._capture import Paths
from ._table import Path


def _processes() -> int:
    ray.init(ignore_reinit_error=True)
    return int(ray.cluster_resources().get("CPU", 1))


def read(paths: Paths, *, tables: Sequence[str] = _capture.TABLES, **options: Any) -> Dict[str, Any]:
    """A Dataset for each table, with rows that are decoded on demand. `options` are those of `attlas.open`.

    Each Dataset decodes the captures separately. `store` decodes them once for all tables.
    """
    fleet.check(tables, options)
    portions = fleet.divide(fleet.find(paths), _processes())
    listing = ray.data.from_items([{"paths": portion} for portion in portions], override_num_blocks=len(portions))

    def rows(table: str) -> Any:
        def decode(batch: Any) -> Iterator[Any]:
            # The columns are known also where there is no row.
            yield fleet.schema(table).empty_table()
            for portion in batch.column("paths").to_pylist():
                for path in portion:
                    for _, rows in fleet.File(path).read([table], options):
                        yield pa.Table.from_batches([rows])
        return decode

    return {table: listing.map_batches(rows(table), batch_size=1, batch_format="pyarrow") for table in tables}


@ray.remote
def _add(into: fleet.Store, portion: List[str]) -> List[fleet.Added]:
    return [into.add(path) for path in portion]


def store(paths: Paths, folder: Path, *, tables: Sequence[str] = _capture.TABLES, give_up: Paths = (),
          **options: Any) -> fleet.Outcome:
    """Store every file as `attlas.fleet.store` does. The nodes write, so `folder` must be shared.

    Another worker redoes the unfinished files of a lost one.
    """
    files = fleet.find(paths, give_up=give_up, without=folder)
    portions = fleet.divide(files, _processes())
    into = ray.put(fleet.Store(folder, tables, options))
    return fleet.outcome(word for words in ray.get([_add.remote(into, portion) for portion in portions]) for word in words)
