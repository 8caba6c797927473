"""How long a fleet of logs takes in one process, on Spark and on Ray: python fleet_bench.py COUNT

The logs are those of fleet_captures.py, each with its records 40 times, so that they have the size of a real log. Prints seconds and seconds per GB;
the start of Spark and of Ray is not in them.
"""
import sys
import tempfile
import time
from pathlib import Path

from attlas import fleet

import fleet_captures
import fleet_clusters

TABLES = ["connections", "operations", "findings"]


def main(count):
    with tempfile.TemporaryDirectory() as place:
        logs = Path(place, "logs")
        fleet_captures.make(logs, count)
        for path in logs.rglob("*.log"):
            octets = path.read_bytes()
            path.write_bytes(octets + octets[fleet_captures.HEADER:] * 39)
        size = sum(path.stat().st_size for path in logs.rglob("*") if path.is_file())
        print(f"{count} logs, {size / 1e6:.0f} MB, tables {', '.join(TABLES)}")
        pattern = f"{logs}/**/*.log*"

        def measure(name, store):
            begin = time.monotonic()
            outcome = store(f"{place}/{name}")
            seconds = time.monotonic() - begin
            begin = time.monotonic()
            store(f"{place}/{name}")
            again = time.monotonic() - begin
            print(f"{name}: {seconds:.1f} s, {seconds / size * 1e9:.0f} s/GB, again {again:.1f} s, {outcome}", flush=True)

        measure("one-process", lambda folder: fleet.store(pattern, folder, tables=TABLES))
        stored = sum(path.stat().st_size for path in Path(place, "one-process").rglob("*.parquet"))
        print(f"stored: {stored / 1e6:.0f} MB in {len(list(Path(place, 'one-process').rglob('*.parquet')))} files")

        ray = fleet_clusters.ray()
        from attlas import ray as on_ray

        on_ray.store(str(next(logs.rglob("*.log"))), f"{place}/warm-ray", tables=TABLES)
        measure("ray", lambda folder: on_ray.store(pattern, folder, tables=TABLES))
        ray.shutdown()

        spark = fleet_clusters.spark()
        from attlas import spark as on_spark

        on_spark.store(spark, str(next(logs.rglob("*.log"))), f"{place}/warm-spark", tables=TABLES)
        measure("spark", lambda folder: on_spark.store(spark, pattern, folder, tables=TABLES))
        spark.stop()


if __name__ == "__main__":
    main(int(sys.argv[1]))
