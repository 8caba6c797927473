"""Decoded Bluetooth LE captures as tables.

    import attlas
    capture = attlas.open("btsnoop_hci.log")
    pyarrow.table(capture.operations)            # or polars.DataFrame(…), duckdb, pandas through pyarrow
"""
from ._capture import TABLES, Capture, Error, Table, open, version

__all__ = ["TABLES", "Capture", "Error", "Table", "open", "version"]
