"""Many captures in one process, on Spark and on Ray: the same rows, whatever is broken, killed or done again."""
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import attlas
import attlas.fleet
import duckdb
import pyarrow as pa
import pyarrow.dataset
import pytest

import fleet_captures
import fleet_clusters

ROOT = Path(__file__).resolve().parents[2]
COUNT = int(os.environ.get("ATTLAS_FLEET", "120"))
TABLES = ["captures", "connections", "links", "operations", "fields", "findings"]


@pytest.fixture(scope="session")
def logs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("logs")
    fleet_captures.make(folder, COUNT)
    return folder


@pytest.fixture(scope="session")
def alone(logs, tmp_path_factory):
    """What one process stores."""
    folder = tmp_path_factory.mktemp("alone")
    attlas.fleet.store(f"{logs}/**/*.log*", folder, tables=TABLES)
    return folder


@pytest.fixture(scope="session")
def spark():
    session = fleet_clusters.spark()
    yield session
    session.stop()


@pytest.fixture(scope="session")
def ray():
    ray = fleet_clusters.ray()
    yield ray
    ray.shutdown()


def rows(folder, table):
    """Sorted rows, because the files are in no order."""
    stored = pyarrow.dataset.dataset(Path(folder) / table, format="parquet", partitioning="hive").to_table()
    return ordered(stored)


def ordered(table):
    return sorted((tuple(row.items()) for row in table.to_pylist()), key=repr)


def test_a_store_has_the_rows_of_each_capture(logs, alone):
    """Compared with `attlas.open` of one log."""
    numbers = {path.name: number for number, path in enumerate(fleet_captures.conversations())}
    path = fleet_captures.place(logs, numbers["hasty-app.btsnoop"])
    for table in TABLES:
        wanted = pa.table(getattr(attlas.open(path), table))
        stored = pyarrow.dataset.dataset(alone / table, format="parquet").to_table(
            filter=pyarrow.dataset.field("file") == str(path))
        assert stored.num_rows == wanted.num_rows > 0 or table == "findings"
        for name in wanted.column_names:
            if pa.types.is_timestamp(wanted.schema.field(name).type):
                assert [time.value // 1000 for time in wanted[name].to_pandas()] == [
                    time.value // 1000 for time in stored[name].to_pandas()]
            elif pa.types.is_duration(wanted.schema.field(name).type):
                assert wanted[name].cast(pa.int64()).to_pylist() == stored[name].to_pylist()
            else:
                assert wanted[name].to_pylist() == stored[name].to_pylist(), name


def test_what_is_broken_is_a_row_with_its_error(logs, alone):
    files = {str(path) for path in logs.rglob("*.log*")}
    captures = pyarrow.dataset.dataset(alone / "captures", format="parquet", partitioning="hive").to_table().to_pylist()
    assert {row["file"].split("!/")[0] for row in captures} == files
    errors = {row["file"]: row["error"] for row in captures if row["error"]}
    assert len(errors) == max(COUNT // 200, 4)
    assert sum("a text without packets" in error or "empty" in error for error in errors.values()) >= 2
    # Records before the damage are kept.
    cut = [row for row in captures if row["error"] and row["records"] > 0]
    assert cut and all(row["day"] is not None for row in cut)


def test_archives_are_opened(logs, alone):
    captures = pyarrow.dataset.dataset(alone / "captures", format="parquet").to_table().to_pylist()
    zipped = [row for row in captures if ".zip!/" in row["file"]]
    assert {row["capture"] for row in zipped} == {1, 2}
    assert any(".log.gz" in row["file"] for row in captures)


def test_large_files_come_first_and_alone():
    files = [("a", 90 << 20), ("b", 40 << 20), ("c", 30 << 20), *((f"s{n}", 1000) for n in range(1000))]
    portions = attlas.fleet.divide(files, 1)
    assert portions[:3] == [["a"], ["b"], ["c", *(f"s{n}" for n in range(len(portions[2]) - 1))]]
    assert [path for portion in portions for path in portion] == [path for path, _ in files]
    assert len(attlas.fleet.divide(files[3:], 2)) >= 8


def test_spark_reads_the_rows_of_one_process(logs, alone, spark):
    import attlas.spark

    tables = attlas.spark.read(spark, f"{logs}/**/*.log*", tables=["captures", "operations"])
    for name in tables:
        wanted = pyarrow.dataset.dataset(alone / name, format="parquet").to_table()
        assert ordered(tables[name].toArrow().cast(wanted.schema)) == ordered(wanted)


def test_spark_loses_nothing_with_an_executor(logs, alone, spark, tmp_path):
    def kill():
        while len(list(tmp_path.glob("captures/*/*.parquet"))) < COUNT // 10:
            time.sleep(0.05)
        killed.set()
        found = subprocess.run(["pgrep", "-f", "CoarseGrainedExecutorBackend"], capture_output=True, text=True).stdout
        os.kill(int(found.split()[0]), signal.SIGKILL)

    import attlas.spark

    killed = threading.Event()
    killer = threading.Thread(target=kill, daemon=True)
    killer.start()
    outcome = attlas.spark.store(spark, f"{logs}/**/*.log*", tmp_path, tables=TABLES)
    assert killed.is_set()
    assert outcome.stored + outcome.kept + outcome.unreadable == COUNT
    for table in TABLES:
        assert rows(tmp_path, table) == rows(alone, table), table
    counted = spark.read.parquet(f"{tmp_path}/operations").groupBy("day").count().collect()
    assert sum(row["count"] for row in counted) == len(rows(alone, "operations"))


def test_ray_has_the_rows_of_one_process(logs, alone, ray, tmp_path):
    import attlas.ray

    outcome = attlas.ray.store(f"{logs}/**/*.log*", tmp_path, tables=TABLES)
    assert outcome.stored + outcome.unreadable == COUNT
    for table in TABLES:
        assert rows(tmp_path, table) == rows(alone, table), table
    read = attlas.ray.read(f"{logs}/**/*.log*", tables=["links"])["links"]
    wanted = pyarrow.dataset.dataset(alone / "links", format="parquet").to_table()
    assert ordered(pa.concat_tables(ray.get(read.to_arrow_refs()))) == ordered(wanted)


def test_what_is_there_is_not_decoded_again(logs, alone, tmp_path):
    folder = tmp_path / "store"
    shutil.copytree(alone, folder)
    before = {path: path.stat().st_mtime_ns for path in folder.rglob("*.parquet")}
    again = attlas.fleet.store(f"{logs}/**/*.log*", folder, tables=TABLES)
    assert again.stored == 0 and again.kept + again.unreadable == COUNT and again.unreadable > 0
    assert {path: path.stat().st_mtime_ns for path in folder.rglob("*.parquet")} == before


def test_what_another_version_stored_is_replaced(logs, alone, tmp_path, monkeypatch):
    folder = tmp_path / "store"
    shutil.copytree(alone, folder)
    monkeypatch.setattr(attlas._capture, "version", lambda: "9.9.9")
    attlas.fleet.store(f"{logs}/pixel-8/*.log", folder, tables=TABLES)
    stored = {row["file"]: row["attlas"] for row in pyarrow.dataset.dataset(folder / "operations", format="parquet").to_table(
        columns=["file", "attlas"]).to_pylist()}
    assert {version for file, version in stored.items() if "pixel-8" in file and ".log." not in file} == {"9.9.9"}
    assert {version for file, version in stored.items() if "moto" in file} == {attlas.version()}
    assert len(rows(folder, "operations")) == len(rows(alone, "operations"))


def test_mistakes_are_of_the_request_and_not_of_each_file(logs, alone, tmp_path):
    with pytest.raises(attlas.Error, match="filter, "):
        attlas.fleet.store(f"{logs}/**/*.log", tmp_path, tables=TABLES, filter="method = notification")
    with pytest.raises(ValueError, match="there is no table x"):
        attlas.fleet.store(f"{logs}/**/*.log", tmp_path, tables=["x"])
    with pytest.raises(FileNotFoundError, match="no file matches"):
        attlas.fleet.store(f"{logs}/nothing/*", tmp_path)
    with pytest.raises(ValueError, match="other tables or options"):
        attlas.fleet.store(f"{logs}/**/*.log", alone, tables=["records"])


def test_logs_without_records_have_a_row_each(tmp_path, monkeypatch):
    """A phone that recorded nothing is not another phone; a log that was copied is the same log."""
    heart_rate = (ROOT / "Captures/heart-rate.btsnoop").read_bytes()
    (tmp_path / "logs").mkdir()
    for name, octets in [("a", b""), ("b", b""), ("c", heart_rate[:16]), ("d", heart_rate[:16]), ("e", heart_rate), ("f", heart_rate)]:
        (tmp_path / "logs" / f"{name}.log").write_bytes(octets)

    def store():
        return attlas.fleet.store(f"{tmp_path}/logs/*", tmp_path / "lake", tables=["operations"])

    def files():
        captures = pyarrow.dataset.dataset(tmp_path / "lake/captures", format="parquet").to_table().to_pylist()
        return sorted((Path(row["file"]).name, row["records"], row["error"] is not None, row["attlas"]) for row in captures)

    def wanted(version):
        return [("a.log", 0, True, version), ("b.log", 0, True, version), ("c.log", 0, False, version),
                ("d.log", 0, False, version), ("f.log", 177, False, version)]

    version = attlas.version()
    monkeypatch.setattr(attlas._capture, "version", lambda: "0.0.1")
    assert store()[:3] == (4, 0, 2)
    assert files() == wanted("0.0.1")
    assert store()[:3] == (0, 4, 2)
    # Another version replaces them.
    monkeypatch.setattr(attlas._capture, "version", lambda: version)
    assert store()[:3] == (4, 0, 2)
    assert files() == wanted(version)
    # A log that has records now.
    (tmp_path / "logs/d.log").write_bytes((ROOT / "Captures/eatt.btsnoop").read_bytes())
    assert store()[:3] == (1, 3, 2)
    assert ("d.log", 0, False, version) in files() and len(files()) == 6


def test_what_cannot_be_read_is_reported_until_it_changes_or_is_given_up(tmp_path):
    heart_rate = (ROOT / "Captures/heart-rate.btsnoop").read_bytes()
    logs = tmp_path / "logs"
    logs.mkdir()
    (logs / "good.log").write_bytes(heart_rate)
    (logs / "bad.log").write_bytes(b"no capture")
    (logs / "cut.log").write_bytes(heart_rate[:-7])

    def store(**options):
        return attlas.fleet.store(f"{logs}/*", tmp_path / "lake", tables=["operations"], **options)

    first, again = store(), store()
    assert first[:3] == (2, 0, 1) and again[:3] == (0, 2, 1)
    assert sorted(again.failures) == sorted(first.failures)
    assert [Path(path).name for path, _ in sorted(first.failures)] == ["bad.log", "cut.log"]
    assert all(reason for _, reason in first.failures)
    given_up = store(give_up=[logs / "bad.log"])
    assert given_up[:3] == (0, 2, 0) and [Path(path).name for path, _ in given_up.failures] == ["cut.log"]
    (logs / "bad.log").write_bytes((ROOT / "Captures/eatt.btsnoop").read_bytes())
    assert store()[:3] == (1, 2, 0)


def test_files_of_attlas_are_no_captures(tmp_path):
    logs = tmp_path / "logs"
    logs.mkdir()
    (logs / "a.btsnoop").write_bytes((ROOT / "Captures/heart-rate.btsnoop").read_bytes())
    (logs / "a.btsnoop.attlas-marks").write_text("12 a note")
    (logs / "attlas.yaml").write_text("disable: []")
    for _ in range(2):
        outcome = attlas.fleet.store(f"{logs}/**/*", logs / "lake", tables=["operations"])
        assert outcome.stored + outcome.kept == 1 and outcome.unreadable == 0 and outcome.failures == ()


def test_a_log_without_what_is_selected_is_no_failure(tmp_path):
    logs = tmp_path / "logs"
    logs.mkdir()
    for name in ["heart-rate", "keyboard"]:
        shutil.copy(ROOT / f"Captures/{name}.btsnoop", logs)
    outcome = attlas.fleet.store(f"{logs}/*", tmp_path / "lake", tables=["operations"], characteristic="2A37")
    assert outcome == (2, 0, 0, ())


def test_the_questions_have_answers(alone):
    """By the program of the page; the round trips of a firmware are a quarter slower than those of the one before."""
    program = ROOT / "Python/examples/fleet.py"
    result = subprocess.run([sys.executable, program, alone], capture_output=True, text=True, check=True)
    assert re.findall(r"│ \"(2\.4\.\d)\"", result.stdout) == ["2.4.3", "2.4.2", "2.4.1", "2.4.0"]
    for answer in ["a text without packets", "pixel-8", "Remote User Terminated Connection"]:
        assert answer in result.stdout
    lost = duckdb.sql(f"""
        SELECT DISTINCT peer_name FROM '{alone}/links/*/*.parquet' AS links
        JOIN '{alone}/connections/*/*.parquet' AS connections USING (sha256, capture, connection) WHERE status = 'PIN or Key Missing'
    """).fetchall()
    assert lost and all(f"│ {name} " in result.stdout for [name] in lost)


def test_the_programs_of_the_page_run(logs, spark, ray, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "logs").mkdir()
    for path in sorted(logs.glob("pixel-8/*"))[:6]:
        shutil.copy(path, tmp_path / "logs")
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / "Python/fleets.md").read_text(), re.S)
    assert len(blocks) == 3
    for block in blocks:
        # Spark began in another folder.
        exec(block.replace('"lake', f'"{tmp_path}/lake'), {"spark": spark})
    assert len(rows(tmp_path / "lake", "captures")) >= 6
