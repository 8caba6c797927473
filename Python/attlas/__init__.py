"""Decoded Bluetooth LE captures as tables.

    import attlas
    capture = attlas.open("btsnoop_hci.log")
    pyarrow.table(capture.operations)            # or polars.DataFrame(…), duckdb, pandas through pyarrow
    capture.lint()["findings"]                   # what the commands print with --json
    attlas.dissect("Heart Rate Measurement", b"\x00\x48")
"""
from ._capture import TABLES, Batch, Capture, Error, Table, dissect, open, version
from ._live import Live, live

__all__ = ["TABLES", "Batch", "Capture", "Error", "Live", "Table", "dissect", "live", "open", "version"]
