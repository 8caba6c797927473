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
    """A running capture. Each table is an iterator over batches of rows: `for batch in attlas.live("-").operations`.

    A pipe is read once: use `tables` for several tables.
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
        """Several tables, or all: yields (table name, batch) as rows come."""
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
    """Read a capture while another program writes it: `attlas live --write FILE`, `btmon -w FILE`, `tcpdump -w -`, also over `ssh`.

    `source` is "-" for standard input, the path of a named pipe or of a growing file, a descriptor, or an object with one, such as the
    `stdout` of a `subprocess.Popen`. A named pipe opens with its first writer and ends with its last. A file ends when another replaces
    it, or when it is truncated.

    Complete rows come at least every `every` seconds, also if nothing more is written. Reading pauses while rows are not taken.
    `options` are those of `open`, except `sha256`; a selection of a peer starts when its name is known.

    Raises `Error` with the first rows if the source is not a capture, or if an option is wrong.
    """
    return Live(source, every, _options(**options, sha256=None))
