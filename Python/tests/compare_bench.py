"""The ATT operations of one capture in Python: by attlas, by tshark's JSON, and by pyshark: python compare_bench.py [TIMES]

The capture is Captures/heart-rate.btsnoop, with its records repeated TIMES times. Prints the seconds of processor time of each with its child processes,
and their ratio to attlas. pyshark and tshark have to be installed.
"""
import json
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

import attlas
import pyarrow as pa
import pyshark

HEART_RATE = Path(__file__).resolve().parents[2] / "Captures/heart-rate.btsnoop"
HEADER = 16


def by_attlas(path):
    return pa.RecordBatchReader.from_stream(attlas.open(path).operations).read_all().num_rows


def by_tshark(path):
    command = ["tshark", "-r", path, "-Y", "btatt", "-T", "ek"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as tshark:
        # Every second line says in which index the next is to be.
        return sum("layers" in json.loads(line) for line in tshark.stdout)


def by_pyshark(path):
    with pyshark.FileCapture(path, display_filter="btatt", keep_packets=False) as packets:
        return sum(int(packet.btatt.opcode, 16) >= 0 for packet in packets)


def seconds():
    return sum(usage.ru_utime + usage.ru_stime for usage in map(
        resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)))


def main(times):
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/long.btsnoop"
        octets = HEART_RATE.read_bytes()
        Path(path).write_bytes(octets + octets[HEADER:] * (times - 1))
        print(f"{177 * times} records, {97 * times} operations")
        own = None
        for name, read in [("attlas", by_attlas), ("tshark -T ek, json", by_tshark), ("pyshark", by_pyshark)]:
            begin = seconds()
            count = read(path)
            taken = seconds() - begin
            own = own or taken
            print(f"{name}: {count} operations, {taken:.2f} s, {taken / own:.0f} ×", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 200)
