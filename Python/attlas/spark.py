"""Captures on Apache Spark. The executors need attlas, and the files at the same paths.

    import attlas.spark
    tables = attlas.spark.read(spark, "logs/*.log*", tables=["operations"])
    tables["operations"].groupBy("characteristic").count().show()
"""
from __future__ import annotations

from typing import Any, Dict, Iterable, Iterator, List, Sequence

import functools

from pyspark.sql.pandas.types import from_arrow_schema

from . import _capture, fleet
from ._capture import Paths
from ._table import Path


def _rows(table: str, options: Dict[str, Any], batches: Iterable[Any]) -> Iterator[Any]:
    for batch in batches:
        for path in batch.column("path").to_pylist():
            for _, rows in fleet.File(path).read([table], options):
                yield rows


def read(spark: Any, paths: Paths, *, tables: Sequence[str] = _capture.TABLES, **options: Any) -> Dict[str, Any]:
    """A DataFrame for each table, with rows that are decoded on demand. `options` are those of `attlas.open`.

    Each DataFrame decodes the captures separately. `store` decodes them once for all tables.
    """
    fleet.check(tables, options)
    context = spark.sparkContext
    portions = fleet.divide(fleet.find(paths), context.defaultParallelism)
    listing = spark.createDataFrame(
        context.parallelize(portions, len(portions)).flatMap(lambda portion: [(path,) for path in portion]), "path string")
    return {
        table: listing.mapInArrow(functools.partial(_rows, table, options), from_arrow_schema(fleet.schema(table)))
        for table in tables
    }


def store(spark: Any, paths: Paths, folder: Path, *, tables: Sequence[str] = _capture.TABLES, give_up: Paths = (),
          **options: Any) -> fleet.Outcome:
    """Store every file as `attlas.fleet.store` does. The executors write, so `folder` must be shared.

    Another executor redoes the unfinished files of a lost one.
    """
    files = fleet.find(paths, give_up=give_up, without=folder)
    context = spark.sparkContext
    into = context.broadcast(fleet.Store(folder, tables, options))
    portions = fleet.divide(files, context.defaultParallelism)
    words = context.parallelize(portions, len(portions)).flatMap(lambda portion: [into.value.add(path) for path in portion])
    return fleet.outcome(words.collect())
