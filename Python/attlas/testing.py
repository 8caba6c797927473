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
import json
import os
import subprocess
import tempfile
from typing import TYPE_CHECKING, Any, Dict, List, Mapping, Union

from ._command import command
from ._errors import Error

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


def _run(*arguments: str) -> "subprocess.CompletedProcess[str]":
    name = command()
    try:
        return subprocess.run([name, *arguments], capture_output=True, text=True)
    except FileNotFoundError:
        raise Error(f"{name}: not installed; the environment variable ATTLAS can name the command") from None


def expect(capture: "str | os.PathLike[str]", *expectations: Union[str, "os.PathLike[str]", Mapping[str, Any]]) -> None:
    """Raises AssertionError, with the lines of the conversation, if the capture is not as expected or has no evidence for it.

    An expectation is an entry of a file of expectations, whose id may be left out, or the path of such a file.
    """
    __tracebackhide__ = True  # pytest shows the line of the test
    path = os.fspath(capture)
    entries = [dict(item) for item in expectations if isinstance(item, Mapping)]
    files = [os.fspath(item) for item in expectations if not isinstance(item, Mapping)]
    for number, entry in enumerate(entries, 1):
        entry.setdefault("id", f"expectation-{number}")
    with tempfile.TemporaryDirectory() as folder:
        if entries:
            name = os.path.join(folder, "expect.yaml")
            with open(name, "w", encoding="utf-8") as file:
                json.dump({"expectations": entries}, file, ensure_ascii=False)
            files.append(name)
        findings: List[Dict[str, Any]] = []
        for name in files:
            result = _run("check", "--json", path, name)
            if result.returncode not in (0, 2):
                raise Error(result.stderr.strip())
            findings += json.loads(result.stdout)["findings"]
    if findings:
        raise AssertionError(_failure(path, findings))


def _failure(path: str, findings: List[Dict[str, Any]]) -> str:
    lines = [f"{path} is not as expected:"]
    lines += [f"✗ {finding['title']}: {finding['message']} · frame {finding['frame']}" for finding in findings]
    frames = sorted({finding["frame"] for finding in findings})[:_FRAMES]
    shown = _run(
        "show", "--frame-numbers", "-C", str(_CONTEXT), "--filter", " or ".join(f"frame == {frame}" for frame in frames), path)
    return "\n".join(lines) + "\n" + shown.stdout.rstrip()
