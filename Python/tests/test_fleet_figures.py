"""The figures of `attlas fleet`, again by SQL over what `attlas export` writes."""
import json
import os
import sqlite3
import subprocess
from pathlib import Path

import pytest

CAPTURES = Path(__file__).resolve().parents[2] / "Captures"
BASE = CAPTURES / "heart-rate.btsnoop"
NAMES = ("careless-scale", "pairing", "two-peripherals", "led-strip", "hasty-app", "bluez-central", "handle-reused")
HOUR = 3.6e12

pytestmark = pytest.mark.skipif("ATTLAS" not in os.environ, reason="needs the command")


def attlas(*arguments):
    return subprocess.run([os.environ["ATTLAS"], *map(str, arguments)], check=True, capture_output=True, text=True).stdout


def middle(values):
    """The median, as the nearest rank."""
    return sorted(values)[(len(values) - 1) // 2] if values else None


def by_sql(capture, database):
    attlas("export", "--sqlite", database, capture)
    connection = sqlite3.connect(database)

    def column(query, *values):
        return [row[0] for row in connection.execute(query, values)]

    def seconds(values):
        return len(values), middle([value / 1e9 for value in values])

    (first, last), = connection.execute("SELECT min(time), max(time) FROM records")
    connected = sum(column("SELECT coalesce(ended_time, ?) - begun_time FROM connections", last))
    (lost,) = column("SELECT count(*) FROM connections WHERE lost")
    figures = {
        "connections lost": (lost, lost / (connected / HOUR)),
        "first value after connecting": seconds(column("SELECT first_value_after FROM connections WHERE first_value_after NOT NULL")),
        "reconnection after a loss": seconds(column("SELECT reconnected_after FROM connections WHERE after_loss AND reconnected_after NOT NULL")),
    }
    for kind, total, failures in connection.execute("SELECT kind, count(*), sum(outcome <> 'done') FROM procedures GROUP BY kind"):
        figures[f"{kind} failures"] = (failures, failures / total)
        links = column("SELECT DISTINCT connection FROM procedures WHERE kind = ? AND outcome = 'done'", kind)
        figures[f"{kind} duration"] = seconds([
            middle(column("SELECT duration FROM procedures WHERE kind = ? AND outcome = 'done' AND connection IS ?", kind, link))
            for link in links])
    for kind, count in connection.execute("SELECT kind, sum(count) FROM incidents WHERE weight <> 'noted' GROUP BY kind"):
        figures[f"incident: {kind}"] = (count, count / ((last - first) / HOUR))
    return figures


@pytest.mark.parametrize("name", NAMES)
def test_each_figure_is_that_of_sql(name, tmp_path):
    capture = CAPTURES / f"{name}.btsnoop"
    comparison = json.loads(attlas("fleet", "--json", capture, "--against", BASE))["comparisons"][0]
    assert comparison["differences"]
    for side, path in (("a", BASE), ("b", capture)):
        expected = by_sql(path, tmp_path / f"{side}.db")
        for difference in comparison["differences"]:
            count, value = expected.get(difference["measure"], (0, 0))
            figure = difference[side]
            assert figure["count"] == count, difference
            assert (figure.get("value") or 0) == pytest.approx(value or 0), difference
