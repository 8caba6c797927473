"""attlas.testing: expectations in pytest."""
import os
from pathlib import Path

import attlas
import pytest
from attlas.testing import expect

CAPTURE = Path(__file__).parents[2] / "Captures/heart-rate.btsnoop"

pytestmark = pytest.mark.skipif("ATTLAS" not in os.environ, reason="needs the command")


def test_a_capture_that_is_as_expected_passes():
    expect(CAPTURE, {"characteristic": "2A37", "notifies-within": "500 ms"}, {"lint": "att/*"})


def test_a_failure_has_the_lines_of_the_conversation():
    # The subscription is answered in frame 139, and the first value comes 300.8 ms later.
    with pytest.raises(AssertionError) as failure:
        expect(CAPTURE, {"characteristic": "2A37", "notifies-within": "200 ms"})
    lines = str(failure.value).splitlines()
    assert lines[1] == (
        "✗ 2A37 › notifies-within 200 ms: The first value came 300.8 ms after the subscription of frame 139. · frame 140")
    assert any("140" in line and "72 bpm" in line for line in lines[2:])


def test_what_the_capture_does_not_show_fails():
    with pytest.raises(AssertionError, match="Could not be checked"):
        expect(CAPTURE, {"characteristic": "Glucose Measurement", "notifies-within": "1 s"})


def test_a_file_of_expectations(tmp_path):
    file = tmp_path / "expectations.yaml"
    file.write_text("expectations:\n  - { id: seen, service: Heart Rate, exists: false }\n")
    with pytest.raises(AssertionError, match="The peer has it"):
        expect(CAPTURE, file)


def test_a_mistake_is_an_error():
    with pytest.raises(attlas.Error, match="did you mean"):
        expect(CAPTURE, {"characteristic": "Heart Rate Measurment", "exists": True})
    with pytest.raises(attlas.Error):
        expect(CAPTURE.with_name("missing"), {"incidents": "none"})
