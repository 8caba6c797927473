"""The tables through the Python package, beside those that `attlas export` writes."""
import importlib.metadata
import os
import sqlite3
import subprocess
from pathlib import Path

import attlas
import duckdb
import pandas
import polars
import pyarrow as pa
import pytest

ROOT = Path(__file__).resolve().parents[2]
CAPTURES = sorted(ROOT.glob("Captures/*.btsnoop")) + sorted(ROOT.glob("Captures/*.pcap*"))
HEART_RATE = ROOT / "Captures/heart-rate.btsnoop"


def plain(value):
    """A value as SQLite has it."""
    if hasattr(value, "value") and isinstance(value, (pandas.Timestamp, pandas.Timedelta)):
        return value.value
    return int(value) if isinstance(value, bool) else value


@pytest.mark.parametrize("capture", CAPTURES, ids=lambda path: path.name)
def test_arrow_has_the_rows_of_the_database(capture, tmp_path):
    database = tmp_path / "out.db"
    subprocess.run([os.environ["ATTLAS"], "export", "--sqlite", database, capture], check=True, capture_output=True)
    connection = sqlite3.connect(database)
    tables = attlas.open(capture)
    for name in attlas.TABLES:
        table = pa.table(getattr(tables, name))
        table.validate(full=True)
        columns = [f"CAST({column} AS INTEGER)" if pa.types.is_timestamp(field.type) else column
                   for column, field in zip(table.column_names, table.schema)]
        got = [tuple(plain(value) for value in row.values()) for row in table.to_pylist()]
        order = " ORDER BY " + ", ".join(str(index + 1) for index in range(len(columns)))
        wanted = connection.execute(f"SELECT {', '.join(columns)} FROM {name}{order}").fetchall()
        key = lambda row: [(value is not None, str(type(value)), value) for value in row]
        assert sorted(got, key=key) == sorted(wanted, key=key), name


def test_columns_have_types_and_units():
    schema = pa.table(attlas.open(HEART_RATE).operations).schema
    assert schema.field("time").type == pa.timestamp("ns", "UTC")
    assert schema.field("round_trip").type == pa.duration("ns")
    assert schema.field("value").type == pa.binary()
    advertising = pa.table(attlas.open(HEART_RATE).advertisements).schema
    assert advertising.field("rssi").metadata == {b"unit": b"dBm"}


def test_polars_duckdb_and_pandas_take_a_table_as_it_is():
    capture = attlas.open(HEART_RATE)
    rates = polars.DataFrame(capture.fields).filter(polars.col("unit") == "bpm")
    assert rates["number"][0] == 72
    fields = capture.fields
    assert duckdb.sql("SELECT max(number) FROM fields WHERE unit = 'bpm'").fetchall()[0][0] == rates["number"].max()
    assert len(pa.table(capture.operations).to_pandas()) == 97


def test_package_and_library_are_of_one_version():
    assert attlas.version() == importlib.metadata.version("attlas")


def test_all_tables_of_the_library_are_in_the_package():
    with pytest.raises(attlas.Error, match="there is no table x") as caught:
        pa.table(attlas.Table(HEART_RATE, "x"))
    assert str(caught.value).split("the tables are ")[1].split(", ") == list(attlas.TABLES)


def test_a_table_can_be_read_again():
    operations = attlas.open(HEART_RATE).operations
    assert pa.table(operations) == pa.table(operations)


def test_a_large_capture_comes_in_batches(tmp_path):
    # The records of one capture again and again: btsnoop has a header of 16 octets.
    octets = HEART_RATE.read_bytes()
    large = tmp_path / "large.btsnoop"
    large.write_bytes(octets[:16] + octets[16:] * 500)
    reader = pa.RecordBatchReader.from_stream(attlas.open(large).records)
    sizes = [batch.num_rows for batch in reader]
    assert sum(sizes) == 177 * 500
    assert sizes[0] == 65_536


def test_what_is_no_capture_is_an_error_that_says_why():
    with pytest.raises(attlas.Error, match="unknown format"):
        attlas.open(__file__)
    with pytest.raises(attlas.Error, match="cannot be opened: No such file"):
        attlas.open("/nowhere")


def test_a_cut_capture_gives_what_is_there(tmp_path):
    cut = tmp_path / "cut.btsnoop"
    cut.write_bytes(HEART_RATE.read_bytes()[:-7])
    capture = attlas.open(cut)
    assert pa.table(capture.operations).num_rows == 97
    [row] = pa.table(capture.captures).to_pylist()
    assert row["complete"] is False
    assert "cut short" in row["error"]


def test_captures_that_were_cut_anywhere_never_end_the_process(tmp_path):
    octets = HEART_RATE.read_bytes()
    path = tmp_path / "damaged.btsnoop"
    for length in range(0, 2_000, 37):
        path.write_bytes(octets[:length] + bytes(16))
        try:
            for name in attlas.TABLES:
                pa.table(getattr(attlas.open(path), name))
        except attlas.Error:
            pass


def test_streams_that_nobody_reads_are_given_back():
    def memory():
        return int(Path("/proc/self/statm").read_text().split()[1])

    capture = attlas.open(HEART_RATE)
    for _ in range(200):
        capture.operations.__arrow_c_stream__()
        pa.table(capture.fields)
    before = memory()
    for _ in range(2_000):
        capture.operations.__arrow_c_stream__()
        pa.table(capture.fields)
    assert memory() - before < 2_000
