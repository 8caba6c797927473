"""Captures that are still being written."""
import builtins
import contextlib
import os
from typing import Iterator, Tuple

from . import _library
from ._capture import TABLES, Batch, Error, _options


class Live:
    """What is happening. Each table is an iterator over batches of rows: `for batch in attlas.live("-").operations`.

    A pipe is read once: use `tables` for several of them.
    """

    def __init__(self, source, every, options):
        self._source = source
        self._every = every
        self._options = options

    def __repr__(self):
        return f"<attlas live {self._source}>"

    def __getattr__(self, name) -> Iterator[Batch]:
        if name not in TABLES:
            raise AttributeError(name)
        return (batch for _, batch in self.tables(name))

    def __dir__(self):
        return [*super().__dir__(), *TABLES]

    def tables(self, *names) -> Iterator[Tuple[str, Batch]]:
        """Several tables, or all: pairs of a table's name and a batch of its rows, as they come."""
        names = names or TABLES
        with self._open() as (descriptor, path):
            arrays = _library.follow(descriptor, path, names, self._options, round(self._every * 1_000))
            try:
                with contextlib.closing(arrays):
                    for index, array in arrays:
                        yield names[index], Batch(names[index], array)
            except _library.Failure as failure:
                raise Error(str(failure)) from None

    @contextlib.contextmanager
    def _open(self):
        if isinstance(self._source, int):
            yield self._source, f"descriptor {self._source}"
        elif hasattr(self._source, "fileno"):
            yield self._source.fileno(), str(getattr(self._source, "name", "a file"))
        elif self._source == "-":
            yield 0, "standard input"
        else:
            try:
                file = builtins.open(self._source, "rb", buffering=0)
            except OSError as error:
                raise Error(f"{os.fspath(self._source)}: cannot be opened: {error.strerror}") from None
            with file:
                yield file.fileno(), self._source


def live(source="-", *, every=1.0, **options) -> Live:
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
