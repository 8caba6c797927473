"""Rows of captures that are still being written."""
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import attlas
import pyarrow as pa
import pytest

from test_tables import HEART_RATE, plain_words

OCTETS = HEART_RATE.read_bytes()


def taken(pairs):
    """The rows of each table."""
    batches = {}
    for name, batch in pairs:
        batches.setdefault(name, []).append(pa.record_batch(batch))
    return {name: pa.Table.from_batches(members) for name, members in batches.items()}


@pytest.fixture
def pipe():
    reading, writing = os.pipe()
    with os.fdopen(reading, "rb", buffering=0) as reader, os.fdopen(writing, "wb", buffering=0) as writer:
        yield reader, writer


def test_a_pipe_that_ends_gives_the_rows_of_the_file(pipe):
    reader, writer = pipe

    def feed():
        for start in range(0, len(OCTETS), 700):
            writer.write(OCTETS[start:start + 700])
            time.sleep(0.01)
        writer.close()

    threading.Thread(target=feed).start()
    together = taken(attlas.live(reader, every=0.05).tables())
    for name in attlas.TABLES:
        wanted = plain_words(pa.table(getattr(attlas.open(HEART_RATE), name)))
        if name == "captures":
            wanted, got = ([row | {"file": None, "sha256": None} for row in rows.to_pylist()] for rows in (
                wanted, plain_words(together[name])))
            assert got == wanted
        elif wanted.num_rows:
            assert plain_words(together[name]) == wanted, name


def test_rows_come_while_nothing_more_is_written(pipe):
    """The beginning of the capture, and then silence."""
    reader, writer = pipe
    writer.write(OCTETS[:4_000])
    begin = time.monotonic()
    rows = attlas.live(reader, every=0.3).operations
    first = pa.record_batch(next(rows))
    assert 0.2 < time.monotonic() - begin < 10
    assert 0 < first.num_rows < 97
    writer.write(OCTETS[4_000:])
    second = pa.record_batch(next(rows))
    assert first.num_rows + second.num_rows == 97
    assert second["operation"][0].as_py() == first.num_rows + 1
    # Nobody waits for the writer.
    begin = time.monotonic()
    rows.close()
    assert time.monotonic() - begin < 5


def test_a_file_that_grows_is_followed_until_another_is_there(tmp_path):
    log = tmp_path / "log.btsnoop"
    log.write_bytes(OCTETS[:4_000])
    rows = attlas.live(log, every=0.05).operations
    count = pa.record_batch(next(rows)).num_rows
    with log.open("ab") as file:
        file.write(OCTETS[4_000:])
    while count < 97:
        count += len(next(rows))
    (tmp_path / "new").write_bytes(OCTETS)
    (tmp_path / "new").replace(log)
    assert list(rows) == []
    assert count == 97


def test_no_more_is_read_than_somebody_takes(pipe):
    """A writer that never stops is as fast as who takes the rows."""
    reader, writer = pipe
    written = 0

    def feed():
        nonlocal written
        try:
            writer.write(OCTETS[:16])
            while True:
                writer.write(OCTETS[16:])
                written += 1
        except OSError:
            pass

    feeding = threading.Thread(target=feed, daemon=True)
    feeding.start()
    rows = attlas.live(reader, every=60).operations
    assert len(next(rows)) == 65_536
    # Six batches: the one that was taken, four that wait, and one more. Then the writer waits.
    before = -1
    while written != before:
        before = written
        time.sleep(1)
        assert written * 97 < 8 * 65_536
    rows.close()
    reader.close()
    feeding.join(10)
    assert not feeding.is_alive()


def test_a_selection_and_several_tables(pipe):
    reader, writer = pipe
    writer.write(OCTETS)
    writer.close()
    live = attlas.live(reader.fileno(), filter="method == notification", every=0)
    together = taken(live.tables("operations", "fields"))
    wanted = attlas.open(HEART_RATE, filter="method == notification")
    assert plain_words(together["operations"]) == plain_words(pa.table(wanted.operations))
    assert plain_words(together["fields"]) == plain_words(pa.table(wanted.fields))


def test_a_recording_of_attlas_is_a_source(tmp_path):
    log = tmp_path / "log.btsnoop"
    command = [os.environ["ATTLAS"], "live", "--plain", "--write", log, "-"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL) as recorder:
        recorder.stdin.write(OCTETS)
        recorder.stdin.flush()
        while not log.exists():
            time.sleep(0.05)
        rows = attlas.live(log, every=0.1).operations
        count = 0
        while count < 97:
            count += len(next(rows))
        recorder.stdin.close()
    assert count == 97


def test_standard_input_and_control_c():
    program = """
import attlas
for batch in attlas.live("-", every=0.1).operations:
    print(len(batch), flush=True)
"""
    process = subprocess.Popen(
        [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    process.stdin.write(OCTETS)
    process.stdin.flush()
    assert int(process.stdout.readline()) > 0
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=30) == -signal.SIGINT
    assert process.stderr.read().rstrip().endswith(b"KeyboardInterrupt")
    process.stdin.close()


def test_what_is_no_capture_is_an_error_that_says_why(pipe):
    reader, writer = pipe
    writer.write(b"no capture at all" * 100)
    writer.close()
    with pytest.raises(attlas.Error, match="a text without packets"):
        next(attlas.live(reader).operations)
    with pytest.raises(attlas.Error, match="cannot be opened: No such file"):
        next(attlas.live("/nowhere").operations)
    with pytest.raises(attlas.Error, match="there is no table x"):
        next(attlas.live(HEART_RATE).tables("x"))
    with pytest.raises(attlas.Error, match="frames takes 120"):
        next(attlas.live(HEART_RATE, frames="x").operations)
    with pytest.raises(TypeError, match="shout"):
        attlas.live("-", shout=1)
    with pytest.raises(AttributeError):
        attlas.live("-").x
