"""why(), values(), infer() and check(): the commands' answers in Python."""
import os
from pathlib import Path

import attlas
import pytest

CAPTURES = Path(__file__).resolve().parents[2] / "Captures"
HEART_RATE = CAPTURES / "heart-rate.btsnoop"

pytestmark = pytest.mark.skipif("ATTLAS" not in os.environ, reason="needs the command")


def test_why_lists_what_broke():
    # Frame 136 is an Error Response (0x01) to the Read Request of handle 0x0024: Insufficient Authentication (0x05).
    document = attlas.open(HEART_RATE).why()
    (incident,) = [one for one in document["incidents"] if one["weight"] == "broke"]
    assert (incident["kind"], incident["frame"], incident["attribute"]["handle"]) == ("request refused", 136, 0x0024)
    assert document["answers"] == []


def test_why_tells_the_story_of_a_characteristic():
    (answer, *_) = attlas.open(HEART_RATE).why("2A37")["answers"]
    assert answer["characteristic"]["uuid"] == "2A37"


def test_values_and_layouts():
    capture = attlas.open(HEART_RATE)
    (one,) = capture.values("2A38")["characteristics"]
    assert one["characteristic"]["uuid"] == "2A38"
    assert capture.infer()["characteristics"] == []
    (draft,) = attlas.open(CAPTURES / "led-strip.btsnoop").infer("6E40FF02")["characteristics"]
    assert draft["characteristic"]["uuid"].startswith("6E40FF02")


def test_check_gives_findings():
    capture = attlas.open(HEART_RATE)
    # The first value comes 300.8 ms after the subscription.
    assert capture.check({"characteristic": "2A37", "notifies-within": "500 ms"}) == []
    (finding,) = capture.check({"id": "quick", "characteristic": "2A37", "notifies-within": "200 ms"})
    assert (finding["rule"], finding["frame"]) == ("expect/quick", 140)
    with pytest.raises(attlas.Error, match="an expectation has no key"):
        capture.check({"nonsense": 1})


@pytest.mark.parametrize("ask", ["why", "values", "infer"])
def test_what_is_not_in_the_capture_is_named(ask):
    with pytest.raises(attlas.SelectionError, match="Heart Rate|Device Name"):
        getattr(attlas.open(HEART_RATE), ask)("nothing")


def test_keys_and_definitions_are_handed_on(tmp_path):
    (tmp_path / "wrong.yaml").write_text("nonsense: 1\n")
    with pytest.raises(attlas.Error, match="wrong.yaml"):
        attlas.Capture(HEART_RATE, {"dissectors": [tmp_path / "wrong.yaml"]}).why()
    with pytest.raises(attlas.Error, match=r"why\(\) is about the whole capture: open it without from_="):
        attlas.open(HEART_RATE, from_=1).why()


def test_a_capture_that_ends_early_is_answered(tmp_path):
    part = tmp_path / "-part.btsnoop"
    part.write_bytes(HEART_RATE.read_bytes()[:-5])
    document = attlas.open(part).why()
    assert document["integrity"]["ends_early"] and document["incidents"][0]["frame"] == 136
    with pytest.raises(attlas.NotFoundError):
        attlas.Capture(tmp_path / "none", {}).why()
    with pytest.raises(attlas.Error, match="null byte"):
        attlas.open(part).why("a\0b")
