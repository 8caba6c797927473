"""Captures that are still being written."""
from __future__ import annotations

import builtins
import contextlib
import os
from typing import IO, Any, Dict, Iterator, List, Tuple, Union

from . import _errors, _library
from ._capture import TABLES, Batch, _options
from ._table import Path

Source = Union[Path, int, IO[bytes]]


class Live:
    """What is happening. Each table is an iterator over batches of rows: `for batch in attlas.live("-").operations`.

    A pipe is read once: use `tables` for several of them.
    """

    def __init__(self, source: Source, every: float, options: Dict[str, Any]) -> None:
        self._source = source
        self._every = every
        self._options = options

    def __repr__(self) -> str:
        return f"<attlas live {self._source!r}>"

    def __getattr__(self, name: str) -> Iterator[Batch]:
        if name not in TABLES:
            raise AttributeError(name)
        return (batch for _, batch in self.tables(name))

    def __dir__(self) -> List[str]:
        return [*super().__dir__(), *TABLES]

    def tables(self, *names: str) -> Iterator[Tuple[str, Batch]]:
        """Several tables, or all: pairs of a table's name and a batch of its rows, as they come."""
        names = names or TABLES
        with self._open() as (descriptor, path):
            arrays = _library.follow(descriptor, path, names, self._options, round(self._every * 1_000))
            try:
                with contextlib.closing(arrays):
                    for index, array in arrays:
                        yield names[index], Batch(names[index], array)
            except _library.Failure as failure:
                raise _errors.of(str(failure), path) from None

    @contextlib.contextmanager
    def _open(self) -> Iterator[Tuple[int, Path]]:
        if isinstance(self._source, int):
            yield self._source, f"descriptor {self._source}"
        elif not isinstance(self._source, (str, bytes, os.PathLike)):
            yield self._source.fileno(), str(getattr(self._source, "name", "a file"))
        elif self._source == "-":
            yield 0, "standard input"
        else:
            try:
                file = builtins.open(self._source, "rb", buffering=0)
            except OSError as error:
                raise _errors.of(f"{os.fsdecode(self._source)}: cannot be opened: {error.strerror}", self._source) from None
            with file:
                yield file.fileno(), self._source


def live(source: Source = "-", *, every: float = 1.0, **options: Any) -> Live:
    """What is happening, from a program that writes a capture: `attlas live --write FILE`, `btmon -w FILE`, `tcpdump -w -`, one of them
    behind `ssh`.

    `source` is "-" for standard input, the path of a named pipe or of a file that grows, a descriptor, or what has one, as the `stdout` of
    a `subprocess.Popen`. A named pipe opens when somebody writes to it. A pipe ends when nobody writes to it any more; a file when another
    takes its place, or when it is cut.

    Rows come when they are complete: at least every `every` seconds, also if nothing more is written. While nobody takes them, no more
    is read. `options` are those of `open`, but for `sha256`; what they select of a peer begins where its name is known.

    Raises `Error` with the first rows if it is no capture, or if an option is wrong.
    """
    return Live(source, every, _options(**options, sha256=None))
