"""The command attlas, which the wheel installs together with the library."""
import json
import os
import subprocess
import sysconfig
import tempfile
from typing import Any, Dict, List, Mapping, Optional, Sequence, Union

from . import _errors
from ._errors import Error, SelectionError

Expectation = Union[str, "os.PathLike[str]", Mapping[str, Any]]


def command() -> str:
    """Its path: of the environment variable ATTLAS, of this Python's scripts, or else the one that PATH has."""
    named = os.environ.get("ATTLAS")
    if named:
        return named
    installed = os.path.join(sysconfig.get_path("scripts"), "attlas")
    return installed if os.access(installed, os.X_OK) else "attlas"


def run(*arguments: str, given: bytes = b"") -> "subprocess.CompletedProcess[str]":
    """What the command prints, with these octets as its standard input."""
    name = command()
    try:
        return subprocess.run(
            [name, *arguments], capture_output=True, encoding="utf-8", errors="surrogateescape",
            input=given.decode("utf-8", "surrogateescape"))
    except FileNotFoundError:
        raise Error(f"{name}: not installed; the environment variable ATTLAS can name the command") from None
    except ValueError as error:
        raise Error(f"an argument cannot be handed to a command: {error}") from None


def document(name: str, options: Sequence[str], path: str, *operands: str, answer: Optional[str] = None) -> Any:
    """What a command prints with --json, also of a capture that ends early.

    `answer` is the member that is empty if the operands match nothing in the capture.
    """
    result = run(name, "--json", *options, "--", path, *operands)
    printed = json.loads(result.stdout) if result.stdout else None
    reason = result.stderr.strip().removeprefix("attlas: ")
    if printed is not None and answer and operands and not printed[answer]:
        known = ", ".join(printed.get("known", ())[:8])
        raise SelectionError(f"{path}: nothing in the capture is called {operands[0]!r}; it has {known}" if known else reason)
    if printed is None or result.returncode == 1 and not printed["integrity"]["ends_early"]:
        raise _errors.of(reason or f"attlas {name} ended with status {result.returncode}", path)
    return printed


def findings(path: str, expectations: Sequence[Expectation], options: Sequence[str] = ()) -> List[Dict[str, Any]]:
    """The findings of `attlas check`. An expectation is the path of an expectations file, or one of its entries, whose id may be left out."""
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
        found: List[Dict[str, Any]] = []
        for name in files:
            found += document("check", options, path, name)["findings"]
    return found
