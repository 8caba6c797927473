"""Decode Bluetooth LE captures into tables.

    import attlas
    capture = attlas.open("btsnoop_hci.log")
    pyarrow.table(capture.operations)            # or polars.DataFrame(…), duckdb, pandas through pyarrow
    capture.lint()["findings"]                   # the document of attlas lint --json
    attlas.dissect("Heart Rate Measurement", "00 48")
"""
from ._capture import TABLES, Batch, Capture, dissect, open, version
from ._errors import AccessError, Error, NotFoundError, SelectionError
from ._live import Live, live
from ._table import Table

__version__ = version()

__all__ = [
    "TABLES", "AccessError", "Batch", "Capture", "Error", "Live", "NotFoundError", "SelectionError", "Table", "dissect", "live", "open",
    "version",
]
