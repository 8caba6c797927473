"""Expectations of captures, for pytest. The checks are those of `attlas check`.

    from attlas.testing import expect

    def test_subscribes():
        expect("run.btsnoop", {"characteristic": "2A37", "notifies-within": "200 ms"}, {"incidents": "none"})

    def test_the_file():
        expect("run.btsnoop", "expectations.yaml")

A recorded device as a Bluetooth device, with `pip install attlas[twin]`: attlas.twin describes it.

    from attlas.testing import twin

    async def test_a_refused_write():
        async with twin("led.btsnoop", faults=["write FFE1 refused 0x0E"], record="run.btsnoop") as device:
            ...
"""
import os
from typing import TYPE_CHECKING, Any

from ._command import Expectation, findings, run

if TYPE_CHECKING:
    from .twin import twin

__all__ = ["expect", "twin"]


def __getattr__(name: str) -> Any:
    if name != "twin":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    # bumble is not needed for expectations.
    from .twin import twin

    return twin


# Lines of the conversation before and after a frame, and frames whose lines are shown.
_CONTEXT = 3
_FRAMES = 8


def expect(capture: "str | os.PathLike[str]", *expectations: Expectation) -> None:
    """Raises AssertionError, with the lines of the conversation, if the capture is not as expected or has no evidence for it.

    An expectation is the path of an expectations file, or one of its entries, whose id may be left out.
    """
    __tracebackhide__ = True  # pytest shows the line of the test
    path = os.fspath(capture)
    found = findings(path, expectations)
    if not found:
        return
    frames = sorted({finding["frame"] for finding in found})[:_FRAMES]
    shown = run(
        "show", "--frame-numbers", "-C", str(_CONTEXT), "--filter", " or ".join(f"frame == {frame}" for frame in frames), path)
    lines = (f"✗ {finding['title']}: {finding['message']} · frame {finding['frame']}" for finding in found)
    raise AssertionError("\n".join([f"{path} is not as expected:", *lines, shown.stdout.rstrip()]))
