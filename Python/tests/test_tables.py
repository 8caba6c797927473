"""The tables through the Python package, compared with those that `attlas export` writes."""
import datetime
import hashlib
import importlib.metadata
import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import attlas
import duckdb
import pandas
import polars
import pyarrow as pa
import pyarrow.parquet
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


def test_the_second_batch_goes_on_with_the_words(tmp_path):
    """97,000 operations compared with those of the database, which has no batches."""
    octets = HEART_RATE.read_bytes()
    large, database = tmp_path / "large.btsnoop", tmp_path / "out.db"
    large.write_bytes(octets[:16] + octets[16:] * 1_000)
    subprocess.run([os.environ["ATTLAS"], "export", "--sqlite", database, large], check=True, capture_output=True)
    table = pa.table(attlas.open(large).operations)
    table.validate(full=True)
    assert [len(chunk) for chunk in table["method"].chunks] == [65_536, 97_000 - 65_536]
    rows = sqlite3.connect(database).execute(f"SELECT {', '.join(table.column_names)} FROM operations ORDER BY operation")
    for name, wanted in zip(table.column_names, zip(*rows)):
        column = table[name]
        if pa.types.is_timestamp(column.type) or pa.types.is_duration(column.type):
            column = column.cast(pa.int64())
        assert column.to_pylist() == list(wanted), name


def test_a_dictionary_that_grows_is_written_to_a_file(tmp_path):
    """The last batch has words that the first one has not: a keyboard, after the 97,000 operations of one."""
    octets, other = HEART_RATE.read_bytes(), (HEART_RATE.parent / "keyboard.btsnoop").read_bytes()
    assert octets[:16] == other[:16]
    large, path = tmp_path / "large.btsnoop", tmp_path / "operations.arrow"
    large.write_bytes(octets[:16] + octets[16:] * 1_000 + other[16:])
    options = pa.ipc.IpcWriteOptions(emit_dictionary_deltas=True)
    batches = []
    with pa.RecordBatchReader.from_stream(attlas.open(large).operations) as rows:
        with pa.OSFile(str(path), "wb") as file, pa.ipc.new_file(file, rows.schema, options=options) as writer:
            for batch in rows:
                batches.append(batch)
                writer.write(batch)
    first, last = (batch["characteristic"].dictionary.to_pylist() for batch in (batches[0], batches[-1]))
    assert last[:len(first)] == first and len(last) > len(first)
    with pa.ipc.open_file(path) as file:
        assert plain_words(file.read_all()) == plain_words(pa.Table.from_batches(batches))


@pytest.mark.parametrize("capture", CAPTURES, ids=lambda path: path.name)
def test_tables_of_one_pass_have_the_rows_of_each(capture):
    alone = attlas.open(capture)
    together = read_together(alone)
    for name in attlas.TABLES:
        table = pa.table(getattr(alone, name))
        assert plain_words(together[name] if name in together else table.schema.empty_table()) == plain_words(table), name


@pytest.mark.parametrize("capture", CAPTURES, ids=lambda path: path.name)
def test_a_stream_of_the_command_has_the_rows_of_the_library(capture, tmp_path):
    """Each table of `attlas export --arrow`, with the same columns."""
    for name in attlas.TABLES:
        path = tmp_path / f"{name}.arrows"
        subprocess.run(
            [os.environ["ATTLAS"], "export", "--arrow", path, "--table", name, capture], check=True, capture_output=True)
        with pa.ipc.open_stream(path) as stream:
            got = stream.read_all()
        got.validate(full=True)
        wanted = pa.table(getattr(attlas.open(capture), name))
        assert got.schema.equals(wanted.schema, check_metadata=True), name
        assert plain_words(got) == plain_words(wanted), name


def test_a_stream_has_all_captures_and_batches(tmp_path):
    octets = HEART_RATE.read_bytes()
    large = tmp_path / "large.btsnoop"
    large.write_bytes(octets[:16] + octets[16:] * 1_000)
    path = tmp_path / "out.arrows"
    subprocess.run([os.environ["ATTLAS"], "export", "--arrow", path, large, HEART_RATE], check=True, capture_output=True)
    with pa.ipc.open_stream(path) as stream:
        batches = list(stream)
    assert [batch.num_rows for batch in batches] == [65_536, 97_000 - 65_536, 97]
    table = pa.Table.from_batches(batches)
    assert table["operation"].to_pylist() == list(range(1, 97_098))
    assert set(table.slice(97_000)["capture"].to_pylist()) == {2}
    wanted = plain_words(pa.table(attlas.open(large).operations))
    assert plain_words(table.slice(0, 97_000)) == wanted
    # Other programs that read streams, with words repeated before each batch.
    assert polars.read_ipc_stream(path)["method"].to_list() == table["method"].to_pylist()
    rows = pa.ipc.open_stream(path)
    count = duckdb.sql("SELECT method, count(*) AS count FROM rows GROUP BY method").fetchall()
    assert dict(count) == {row["values"]: row["counts"] for row in table["method"].cast("string").value_counts().to_pylist()}


def test_threads_read_captures_at_the_same_time():
    """Each with separate streams: every table of every capture, by four threads, as by one."""
    pairs = [(capture, name) for capture in CAPTURES for name in attlas.TABLES]
    read = lambda pair: plain_words(pa.table(getattr(attlas.open(pair[0]), pair[1])))
    with ThreadPoolExecutor(4) as threads:
        for pair, table in zip(pairs, threads.map(read, pairs)):
            assert table == read(pair), pair


def read_together(capture, *names):
    batches = {}
    for name, batch in capture.tables(*names):
        rows = len(batch)
        batches.setdefault(name, []).append(pa.record_batch(batch))
        assert batches[name][-1].num_rows == rows > 0
    return {name: pa.Table.from_batches(members) for name, members in batches.items()}


def plain_words(table):
    """Without dictionaries, which differ in each batch."""
    return table.cast(pa.schema([
        field.with_type(field.type.value_type) if pa.types.is_dictionary(field.type) else field for field in table.schema]))


def test_several_tables_come_in_batches_and_in_the_order_of_the_capture(tmp_path):
    octets = HEART_RATE.read_bytes()
    large = tmp_path / "large.btsnoop"
    large.write_bytes(octets[:16] + octets[16:] * 1_000)
    capture = attlas.open(large)
    names = [name for name, _ in capture.tables("operations", "records", "captures")]
    # 177,000 records and 97,000 operations; a capture is known at its end.
    assert names == ["records", "operations", "records", "operations", "records", "captures"]
    together = read_together(capture, "operations", "records")
    assert together["records"]["record"].to_pylist() == list(range(1, 177_001))
    assert plain_words(together["operations"]) == plain_words(pa.table(capture.operations))


def test_a_selection_holds_for_several_tables():
    capture = attlas.open(HEART_RATE, filter="method == notification")
    together = read_together(capture)
    for name in attlas.TABLES:
        table = pa.table(getattr(capture, name))
        assert (together[name].num_rows if name in together else 0) == table.num_rows, name
        if name in together:
            assert plain_words(together[name]) == plain_words(table), name


def test_a_batch_is_taken_once_and_by_who_reads_arrow():
    tables = attlas.open(HEART_RATE).tables("operations")
    [(name, batch)] = tables
    assert (name, len(batch)) == ("operations", 97)
    assert polars.DataFrame(batch).height == 97
    with pytest.raises(attlas.Error, match="taken already"):
        pa.record_batch(batch)


def test_mistakes_about_several_tables_are_errors_that_say_why():
    capture = attlas.open(HEART_RATE)
    for names, reason in [(["operations", "x"], "there is no table x"), (["faults", "faults"], "faults is named twice")]:
        with pytest.raises(attlas.Error, match=reason):
            capture.tables(*names)
    with pytest.raises(attlas.Error, match="cannot be opened: No such file"):
        attlas.Capture("/nowhere", {}).tables()


def test_a_hash_that_is_known_is_not_made_again():
    """A wrong one, so that it shows from where it comes."""
    [row] = pa.table(attlas.open(HEART_RATE, sha256="AB" * 32).captures).to_pylist()
    assert row["sha256"] == "ab" * 32
    [row] = pa.table(attlas.open(HEART_RATE).captures).to_pylist()
    assert row["sha256"] == hashlib.sha256(HEART_RATE.read_bytes()).hexdigest()
    with pytest.raises(attlas.Error, match="sha256 takes 64 hexadecimal digits"):
        attlas.open(HEART_RATE, sha256="12")


def test_the_wide_form_is_that_of_the_database(tmp_path):
    database = tmp_path / "out.db"
    command = [os.environ["ATTLAS"], "export", "--sqlite", database, "--wide", "2A37", HEART_RATE]
    subprocess.run(command, check=True, capture_output=True)
    wanted = sqlite3.connect(database).execute("SELECT * FROM wide_heart_rate_measurement ORDER BY operation")
    names = [column[0] for column in wanted.description]
    wide = attlas.open(HEART_RATE).wide("2A37")
    # The database also has the numbers of the capture and of the operation, and the time as text.
    shared = [name for name in names if name not in {"capture", "operation", "utc"}]
    assert wide.column_names == [shared[0], "time", *shared[1:]]
    everything = [column[0] for column in sqlite3.connect(database).execute(
        "SELECT * FROM wide_heart_rate_measurement_all").description]
    assert [name for name in everything if name != "faults"] == names
    rows = [dict(zip(names, row)) for row in wanted]
    assert wide.num_rows == len(rows) > 10
    for name in shared:
        got = [", ".join(map(str, cell)) if isinstance(cell, list) else cell for cell in wide[name].to_pylist()]
        assert got == [row[name] for row in rows], name
    assert wide.schema.field("Heart Rate Measurement Value").type == pa.int64()
    assert wide.schema.field("Heart Rate Measurement Value").metadata == {b"unit": b"bpm"}
    assert wide.schema.field("Flags/Sensor Contact Detected").type == pa.bool_()
    assert wide.schema.field("RR-Interval").type == pa.list_(pa.float64())
    assert attlas.open(HEART_RATE).wide("Heart Rate Measurement") == wide


def test_the_wide_form_is_of_one_characteristic():
    with pytest.raises(LookupError, match="several characteristics: .*Manufacturer Name String"):
        attlas.open(HEART_RATE).wide("String")
    with pytest.raises(attlas.SelectionError, match="did you mean \"Heart Rate Measurement\""):
        attlas.open(HEART_RATE).wide("Hart Rate Measurement")
    with pytest.raises(LookupError, match="no such value"):
        attlas.open(HEART_RATE).wide("Service Changed")


def test_columns_have_types_and_units():
    schema = pa.table(attlas.open(HEART_RATE).operations).schema
    assert schema.field("time").type == pa.timestamp("ns", "UTC")
    assert schema.field("round_trip").type == pa.duration("ns")
    assert schema.field("value").type == pa.binary()
    advertising = pa.table(attlas.open(HEART_RATE).advertisements).schema
    assert advertising.field("rssi").metadata == {b"unit": b"dBm"}


def test_the_programs_of_the_page_run(monkeypatch):
    monkeypatch.chdir(ROOT)
    names = {}
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / "Python/README.md").read_text(), re.S)
    assert len(blocks) >= 2
    for block in blocks:
        exec(block, names)


def test_polars_duckdb_and_pandas_take_a_table_as_it_is():
    capture = attlas.open(HEART_RATE)
    rates = polars.DataFrame(capture.fields).filter(polars.col("unit") == "bpm")
    assert rates["number"][0] == 72
    fields = capture.fields
    assert duckdb.sql("SELECT max(number) FROM fields WHERE unit = 'bpm'").fetchall()[0][0] == rates["number"].max()
    assert len(pa.table(capture.operations).to_pandas()) == 97


def test_the_page_of_the_tables_writes_files(tmp_path, monkeypatch):
    """Documentation/tables.md: Parquet with durations in nanoseconds, and Arrow's file format."""
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / "Documentation/tables.md").read_text(), re.S)
    (tmp_path / "Captures").symlink_to(ROOT / "Captures")
    monkeypatch.chdir(tmp_path)
    subprocess.run([os.environ["ATTLAS"], "export", "--arrow", "fields.arrows", "--table", "fields", HEART_RATE], check=True)
    assert len(blocks) == 2
    for block in blocks:
        exec(block, {})
    fields = pa.table(attlas.open(HEART_RATE).fields)
    assert pa.parquet.read_table("fields.parquet")["number"].to_pylist() == fields["number"].to_pylist()
    wanted = pa.table(attlas.open(HEART_RATE).operations)
    times = wanted["round_trip"].cast(pa.int64()).to_pylist()
    assert any(time and time % 1_000_000 for time in times)
    assert pa.parquet.ParquetFile("operations.parquet").schema.column(20).physical_type == "INT64"
    assert [row[0] for row in duckdb.sql("SELECT round_trip FROM 'operations.parquet'").fetchall()] == times
    assert polars.read_parquet("operations.parquet")["round_trip"].dt.total_nanoseconds().to_list() == times
    assert pa.parquet.read_table("operations.parquet")["round_trip"].cast(pa.int64()).to_pylist() == times
    assert pa.parquet.read_table("operations.parquet")["value"].to_pylist() == wanted["value"].to_pylist()
    assert pa.ipc.open_file("operations.arrow").read_all() == wanted


def test_datasette_opens_a_database(tmp_path):
    database = tmp_path / "out.db"
    subprocess.run([os.environ["ATTLAS"], "export", "--sqlite", database, HEART_RATE], check=True, capture_output=True)
    datasette = Path(sys.executable).with_name("datasette")
    answer = subprocess.run(
        [datasette, database, "--get", "/out/heart_rate.json?_shape=array&_size=1"], capture_output=True, text=True, check=True)
    assert json.loads(answer.stdout)[0] == {
        "capture": 1, "frame": 140, "utc": "2026-11-21T09:55:22.922434Z", "peer_address": "F2:F2:F2:F2:F2:F2",
        "peer_name": "HRM-7", "bpm": 72.0}


def test_package_and_library_are_of_one_version():
    assert attlas.version() == importlib.metadata.version("attlas")


def test_all_tables_of_the_library_are_in_the_package():
    with pytest.raises(attlas.Error, match="there is no table x") as caught:
        pa.table(attlas.Table(HEART_RATE, "x", {}))
    assert str(caught.value).split("the tables are ")[1].split(", ") == list(attlas.TABLES)


def test_a_table_can_be_read_again():
    operations = attlas.open(HEART_RATE).operations
    assert pa.table(operations) == pa.table(operations)


def printed(*arguments):
    """What a command prints with --json. Its status is of findings and faults."""
    result = subprocess.run([os.environ["ATTLAS"], *arguments, "--json"], capture_output=True, text=True)
    return json.loads(result.stdout)


@pytest.mark.parametrize("capture", CAPTURES, ids=lambda path: path.name)
def test_documents_are_those_of_the_commands(capture):
    for name in ["devices", "tree", "stats", "lint"]:
        assert getattr(attlas.open(str(capture)), name)() == printed(name, str(capture)), name


def test_a_selection_says_which_rows_there_are():
    notified = attlas.open(HEART_RATE, filter="method == notification")
    operations = pa.table(notified.operations)
    assert set(operations["method"].to_pylist()) == {"Handle Value Notification"}
    assert len(set(pa.table(notified.fields)["operation"].to_pylist())) == operations.num_rows
    assert pa.table(attlas.open(HEART_RATE, frames="1-10").operations).num_rows == 0
    assert pa.table(attlas.open(HEART_RATE, from_=2, to="2.5").operations)["frame"].to_pylist()
    # Tables about the whole capture are complete.
    assert pa.table(notified.attributes) == pa.table(attlas.open(HEART_RATE).attributes)
    assert pa.table(notified.connections).num_rows == 1
    wanted = printed("stats", str(HEART_RATE), "--filter", "method == notification")
    assert attlas.open(str(HEART_RATE), filter="method == notification").stats() == wanted


def test_own_definitions_are_used(tmp_path):
    own = tmp_path / "own.yaml"
    own.write_text("""characteristics:
  - uuid: 12345678-0001-4000-8000-00805F9B34FB
    name: Pressure of the Test
    fields:
      - { name: Pressure, type: uint16, unit: hPa }
""")
    value = attlas.dissect("Pressure of the Test", b"\xF5\x03", dissectors=own)
    assert value["fields"][0]["value"] == 1013
    own.write_text("characteristics: [")
    with pytest.raises(attlas.Error, match="own.yaml"):
        attlas.open(HEART_RATE, dissectors=[own])


def test_a_value_is_dissected_as_by_the_command():
    value = attlas.dissect("2A37", bytes.fromhex("0048"))
    assert value == printed("dissect", "2A37", "0048")
    assert [field["value"] for field in value["fields"] if field["name"] == "Heart Rate Measurement Value"] == [72]
    with pytest.raises(attlas.Error, match="neither a UUID nor in the name"):
        attlas.dissect("Hart Rate Measurment", b"")
    with pytest.raises(attlas.Error, match="there is no operation shout"):
        attlas.dissect("2A37", b"", operation="shout")


def test_wrong_options_are_errors_that_say_why():
    for options, reason in [
        ({"filter": "method = notification"}, "filter, "), ({"frames": "x"}, "frames takes 120"),
        ({"from_": "noon"}, "from takes seconds"), ({"irk": "12"}, "irk takes 32 hexadecimal digits"),
        ({"netkey": "12"}, "netkey takes 32 hexadecimal digits"),
        ({"gatt_db": "/nowhere"}, "/nowhere"), ({"keys": ["/nowhere"]}, "/nowhere"),
    ]:
        with pytest.raises(attlas.Error, match=reason):
            attlas.open(HEART_RATE, **options)


@pytest.fixture(scope="session")
def large(tmp_path_factory):
    """What takes seconds to read."""
    octets = HEART_RATE.read_bytes()
    path = tmp_path_factory.mktemp("large") / "large.btsnoop"
    path.write_bytes(octets[:16] + octets[16:] * 50_000)
    return path


@pytest.mark.parametrize("program", [
    "len(c.operations)", "c.operations.to_pandas()", "c.operations.to_polars()", "pa.table(c.operations)", "polars.DataFrame(c.operations)",
    # With several threads, DuckDB 2.0.1 lets one of them read all rows while the main thread waits for its turn.
    "duckdb.sql('SET threads = 1'); rows = c.operations; duckdb.sql('SELECT count(*) FROM rows').fetchall()",
    "[0 for _ in c.tables('operations', 'fields')]", "c.wide('2A37')", "c.stats()", "c.lint()",
    "attlas.open(sys.argv[1], peer='HRM-7').operations.to_pandas()", "pa.table(c.captures)",
    "[0 for _ in attlas.live(sys.argv[1], every=0.1).operations]"])
def test_control_c_ends_the_reading(program, large):
    program = f"""
import attlas, duckdb, polars, pyarrow as pa, sys
c = attlas.open(sys.argv[1])
print('ready', flush=True)
try:
    {program}
    print('not raised')
except (KeyboardInterrupt, RuntimeError):
    print('raised', flush=True)
    raise
"""
    process = subprocess.Popen(
        [sys.executable, "-c", program, large], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "ready\n"
    time.sleep(0.5)
    begin = time.monotonic()
    process.send_signal(signal.SIGINT)
    output, errors = process.communicate(timeout=60)
    # With the end of the process, and for a library that was not optimized.
    assert time.monotonic() - begin < 2
    # DuckDB draws a progress bar.
    assert output.strip().endswith("raised") and "not raised" not in output
    assert "ignored" not in errors
    # DuckDB 2.0.1 may notice the interrupt first, and raises an error that Python ends with 1.
    if "duckdb.sql" in program and errors.rstrip().endswith("RuntimeError: Query interrupted"):
        assert process.returncode == 1
    else:
        assert process.returncode == -signal.SIGINT and errors.rstrip().endswith("KeyboardInterrupt")


def test_a_handler_that_raises_nothing_ends_nothing(tmp_path):
    octets = HEART_RATE.read_bytes()
    path = tmp_path / "log.btsnoop"
    path.write_bytes(octets[:16] + octets[16:] * 1_000)
    capture, signals = attlas.open(path), []
    before = signal.signal(signal.SIGALRM, lambda *_: signals.append(1))
    signal.setitimer(signal.ITIMER_REAL, 0.01, 0.01)
    try:
        assert pa.table(capture.operations).num_rows == 97_000
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    # Also while it was read, and not once at its end.
    assert len(signals) > 1


def test_an_exception_of_a_handler_is_raised(large):
    def give_up(*_):
        raise TimeoutError("too late")

    capture = attlas.open(large)
    before = signal.signal(signal.SIGALRM, give_up)
    signal.setitimer(signal.ITIMER_REAL, 0.2)
    try:
        with pytest.raises(TimeoutError, match="too late"):
            capture.stats()
    finally:
        signal.signal(signal.SIGALRM, before)


def test_a_capture_that_becomes_shorter_while_it_is_read_raises(tmp_path):
    octets = HEART_RATE.read_bytes()
    path = tmp_path / "log.btsnoop"

    def capture():
        path.write_bytes(octets[:16] + octets[16:] * 2_000)
        return attlas.open(path)

    batches = capture().tables("operations")
    next(batches)
    os.truncate(path, 300_000)
    with pytest.raises(attlas.Error, match="became shorter while it was read"):
        list(batches)
    reader = pa.RecordBatchReader.from_stream(capture().operations)
    reader.read_next_batch()
    path.write_bytes(octets)
    with pytest.raises(OSError, match="became shorter while it was read"):
        reader.read_all()
    # Until it is noticed: it may be read whole before.
    for read in (lambda capture: len(capture.operations), lambda capture: capture.stats(), lambda capture: capture.tree()):
        for milliseconds in range(20, 60_000, 20):
            opened = capture()
            cutting = threading.Timer(milliseconds / 1_000, os.truncate, (path, 300_000))
            cutting.start()
            try:
                read(opened)
            except attlas.Error as error:
                assert "became shorter while it was read" in str(error)
                break
            finally:
                cutting.join()
        else:
            pytest.fail("never noticed")
    # It was cut before it is opened.
    cut = attlas.open(path)
    assert 0 < len(cut.operations) < 97 * 2_000 and "cut short" in cut.captures.to_pandas()["error"][0]


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
    with pytest.raises(attlas.Error, match="a text without packets"):
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
    """10,200 times a capture is opened and closed."""
    def memory():
        return int(Path("/proc/self/statm").read_text().split()[1])

    def open_thrice():
        capture.operations.__arrow_c_stream__()
        pa.table(capture.fields)
        for name, batch in capture.tables("operations", "links", "attributes"):
            if name == "operations":
                pa.record_batch(batch)
            elif name == "links":
                batch.__arrow_c_array__()

    capture = attlas.open(HEART_RATE)
    for _ in range(200):
        open_thrice()
    before = memory()
    for _ in range(3_400):
        open_thrice()
    assert memory() - before < 2_000


MANY_SENSORS = ROOT / "Captures/many-sensors.btsnoop"


def test_a_wrong_checksum_is_in_fields_and_faults():
    """CGM Measurement, frame 151: as `show` prints it."""
    capture = attlas.open(MANY_SENSORS)
    [fault] = [row for row in pa.table(capture.faults).to_pylist() if row["operation"] is not None]
    assert (fault["frame"], fault["kind"], fault["reason"]) == (151, "checksum", "E2E-CRC wrong")
    fields = [row for row in pa.table(capture.fields).to_pylist() if row["operation"] == fault["operation"]]
    assert [row["name"] for row in fields if row["checksum"] == "wrong"] == ["E2E-CRC"]
    assert all(row["faulty"] for row in fields)


def test_the_wide_form_leaves_faulty_values_out(tmp_path):
    capture = attlas.open(MANY_SENSORS)
    good, everything = capture.wide("CGM Measurement"), capture.wide("CGM Measurement", faulty=True)
    assert everything["frame"].to_pylist() == [*good["frame"].to_pylist(), 151]
    assert everything["faults"].to_pylist() == [None] * good.num_rows + ["E2E-CRC wrong"]
    assert everything.drop_columns("faults").schema == good.schema
    database = tmp_path / "out.db"
    command = [os.environ["ATTLAS"], "export", "--sqlite", database, "--wide", "CGM Measurement", MANY_SENSORS]
    subprocess.run(command, check=True, capture_output=True)
    query = sqlite3.connect(database).execute
    assert query("SELECT count(*) FROM wide_cgm_measurement").fetchall() == [(good.num_rows,)]
    assert query("SELECT frame, faults FROM wide_cgm_measurement_all WHERE faults IS NOT NULL").fetchall() == [(151, "E2E-CRC wrong")]


def with_rates(path, values):
    """The heart-rate capture with these Heart Rate Measurements. btsnoop: 24 octets before each record, then H4, ACL, L2CAP and ATT."""
    octets, values = bytearray(HEART_RATE.read_bytes()), list(values)
    place = 16
    while place < len(octets) and values:
        length = int.from_bytes(octets[place + 4:place + 8], "big")
        packet = place + 24
        # A notification of two octets, of the handle 0x0010.
        if octets[packet + 9:packet + 12] == b"\x1b\x10\x00" and length == 14:
            octets[packet + 12:packet + 14] = values.pop(0)
        place += 24 + length
    assert not values
    path.write_bytes(octets)
    return path


def test_the_wide_forms_of_thirty_captures_concatenate(tmp_path):
    """Each with other values: some have no Energy Expended, or end early."""
    paths = [with_rates(tmp_path / f"{n}.btsnoop", [bytes([0, 60 + n]), bytes([n % 2, 70])]) for n in range(30)]
    tables = [attlas.open(path).wide("2A37") for path in paths]
    assert all(table.schema.equals(tables[0].schema, check_metadata=True) for table in tables)
    together = pa.concat_tables(tables)
    assert together["Heart Rate Measurement Value"].type == pa.int64()
    # 16 bits are announced, but only eight present: no value.
    assert [table.num_rows for table in tables] == [tables[0].num_rows - n % 2 for n in range(30)]


def test_a_special_value_is_null_and_has_its_name(tmp_path):
    assert attlas.dissect("2A1C", "00 FF FF 7F 00")["fields"][1]["special"] == "NaN"
    own = tmp_path / "own.yaml"
    own.write_text("""characteristics:
  - uuid: 2A37
    name: Rate
    fields:
      - { name: Flags, type: uint8 }
      - { name: Rate, type: uint8, special: { 72: resting } }
      - { name: Rest, type: bytes }
""")
    wide = attlas.open(HEART_RATE, dissectors=own).wide("2A37")
    assert wide.schema.field("Rate").type == pa.int64()
    first = wide.slice(0, 1).to_pylist()[0]
    assert (first["Rate"], first["Rate special"]) == (None, "resting")
    assert wide.slice(1, 1).to_pylist()[0]["Rate"] == 73


def test_a_selection_that_matches_nothing_raises():
    for options, reason in [
        ({"peer": "HRN-7"}, "did you mean \"HRM-7\""), ({"characteristic": "Body Sensor Lokation"}, "did you mean \"Body Sensor Location\""),
        ({"frames": 5000}, "there are 177 records"), ({"filter": "rtt > 100s"}, "nothing meets filter"),
    ]:
        capture = attlas.open(HEART_RATE, **options)
        with pytest.raises(attlas.SelectionError, match=reason):
            pa.table(capture.operations)
        with pytest.raises(LookupError, match=reason):
            list(capture.tables("operations", "captures"))
        with pytest.raises(attlas.Error, match=reason):
            len(capture.operations)
        with pytest.raises(attlas.SelectionError, match=reason):
            capture.stats()
        assert attlas.open(HEART_RATE, **options, may_match_nothing=True).stats()["groups"] == []
        assert pa.table(attlas.open(HEART_RATE, **options, may_match_nothing=True).operations).num_rows == 0


def test_times_have_a_zone():
    time = pa.table(attlas.open(HEART_RATE).operations)["time"][50].as_py()
    assert time.utcoffset() == datetime.timedelta(0)
    wanted = pa.table(attlas.open(HEART_RATE, from_=time).operations)
    assert wanted["time"][0].as_py() == time and 0 < wanted.num_rows < 97
    elsewhere = time.to_pydatetime(warn=False).astimezone(datetime.timezone(datetime.timedelta(hours=9))) + datetime.timedelta(seconds=1)
    assert 0 < pa.table(attlas.open(HEART_RATE, from_=elsewhere).operations).num_rows <= wanted.num_rows
    assert pa.table(attlas.open(HEART_RATE, from_=datetime.timedelta(seconds=2)).operations).num_rows
    with pytest.raises(attlas.Error, match=r"from_ takes a time with a zone.*replace\(tzinfo=datetime.timezone.utc\).*astimezone\(\)"):
        attlas.open(HEART_RATE, from_=datetime.datetime(2026, 11, 21))


def test_a_table_is_what_pandas_users_expect():
    operations = attlas.open(HEART_RATE).operations
    assert operations.schema == pa.table(operations).schema
    assert len(operations) == 97 and bool(operations)
    frame = operations.to_pandas()
    assert frame["time"].dt.tz is not None and str(frame["time"].dt.tz) == "UTC"
    assert str(frame["handle"].dtype) == "Int64" and len(frame) == 97
    assert operations.to_polars().height == 97
    assert str(attlas.open(HEART_RATE).links.to_pandas()["encrypted"].dtype) == "boolean"
    shown = operations._repr_html_()
    assert "97 rows, the first 10 shown" in shown and shown.count("<tr>") == 11
    if hasattr(pandas.DataFrame, "from_arrow"):
        assert len(pandas.DataFrame.from_arrow(operations)) == 97
    with pytest.raises(ValueError):
        pandas.DataFrame(operations)


def test_the_rows_that_are_kept_are_decoded_once(monkeypatch):
    count = 0
    read_table = attlas._library.read_table

    def counting(*arguments):
        nonlocal count
        count += 1
        return read_table(*arguments)

    capture = attlas.open(HEART_RATE)
    monkeypatch.setattr(attlas._library, "read_table", counting)
    assert len(capture.fields) == len(capture.fields.to_pandas()) == capture.fields.to_polars().height
    pa.table(capture.fields)
    assert count == 1


def test_a_name_from_the_air_is_text_in_a_notebook():
    assert attlas._table._cell("<script>x</script>") == "&lt;script&gt;x&lt;/script&gt;"


def test_errors_are_those_of_python_too(tmp_path):
    with pytest.raises(FileNotFoundError, match="No such file") as caught:
        attlas.open(tmp_path / "nothing.btsnoop")
    assert isinstance(caught.value, attlas.Error) and isinstance(caught.value, attlas.NotFoundError)
    with pytest.raises(FileNotFoundError):
        next(attlas.live(tmp_path / "nothing.btsnoop").operations)
    with pytest.raises(attlas.Error) as caught:
        attlas.open(HEART_RATE, dissectors="/nowhere")
    assert not isinstance(caught.value, OSError)
    assert attlas.__version__ == attlas.version()


def test_hexadecimal_digits_are_octets():
    for digits in ["0048", "00 48", "00:48", "00-48"]:
        assert attlas.dissect("2A37", digits) == attlas.dissect("2A37", b"\x00\x48")
    with pytest.raises(attlas.Error, match="not hexadecimal"):
        attlas.dissect("2A37", "72 bpm")


def test_one_frame_is_a_number():
    operations = pa.table(attlas.open(HEART_RATE).operations)
    frame = operations["frame"][3].as_py()
    assert set(pa.table(attlas.open(HEART_RATE, frames=frame).operations)["frame"].to_pylist()) == {frame}
    assert pa.table(attlas.open(HEART_RATE, frames=f"{frame}-{frame}").operations) == pa.table(
        attlas.open(HEART_RATE, frames=frame).operations)


def test_the_types_of_the_documents_are_those_of_the_schemas():
    sys.path.insert(0, str(ROOT / "Python"))
    import make_documents

    assert (ROOT / "Python/attlas/documents.py").read_text() == make_documents.text()


def page_programs():
    return re.findall(r"```python\n(.*?)```", (ROOT / "Python/README.md").read_text(), re.S)


def test_a_type_checker_knows_the_programs_of_the_page_and_the_examples(tmp_path):
    program = tmp_path / "page.py"
    seen, lines = set(), []
    for line in "\n".join(page_programs()).splitlines():
        if line.startswith("import "):
            if line in seen:
                continue
            seen.add(line)
        lines.append(line)
    program.write_text("\n".join(lines) + """
stats = attlas.open("x").stats()
print([connection["longest_silence"]["duration_us"] for connection in stats["connections"]])
print(attlas.open("x", frames=2, from_=1.5).lint()["findings"][0]["rule"], attlas.dissect("2A37", "00 48")["fields"][0]["name"])
""")
    result = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--cache-dir", tmp_path / "cache", program,
         *(ROOT / "Python/examples").glob("*.py")], capture_output=True, text=True,
        cwd=tmp_path)
    mistakes = [line for line in result.stdout.splitlines() if "error:" in line and "pyarrow" not in line]
    assert not mistakes, result.stdout + result.stderr


def test_the_programs_of_the_page_run_in_a_notebook(tmp_path):
    nbclient, nbformat = pytest.importorskip("nbclient"), pytest.importorskip("nbformat")
    cells = [nbformat.v4.new_code_cell(program) for program in [*page_programs(), "capture.operations"]]
    notebook = nbformat.v4.new_notebook(cells=cells)
    nbclient.NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(ROOT)}}).execute()
    [shown] = notebook.cells[-1].outputs
    assert "operations: 97 rows" in shown.data["text/html"]
