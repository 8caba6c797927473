"""One table of a capture."""
from __future__ import annotations

import html
import os
from typing import TYPE_CHECKING, Any, Dict, Union

from . import _errors, _library

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

Path = Union[str, bytes, "os.PathLike[str]"]
# What a notebook shows of a table.
_SHOWN_ROWS, _SHOWN_CHARACTERS = 10, 60


class Table:
    """One table of a capture. Rows are decoded on demand.

    pyarrow, Polars, DuckDB and `pandas.DataFrame.from_arrow` read it in batches through `__arrow_c_stream__`; each decodes the capture.
    `len`, `to_pandas`, `to_polars` and a notebook need all rows: the capture is decoded once, and the rows are kept.
    """

    def __init__(self, path: Path, name: str, options: Dict[str, Any]) -> None:
        self._path = path
        self._options = options
        self._rows: Any = None
        self.name = name

    def __arrow_c_schema__(self) -> object:
        return _library.schema(self.name).capsule

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        if self._rows is not None:
            return self._rows.__arrow_c_stream__(requested_schema)
        try:
            return _library.read_table(self._path, self.name, self._options).capsule
        except _library.Failure as failure:
            raise _errors.of(str(failure), self._path) from None

    def _read(self) -> pyarrow.Table:
        import pyarrow

        if self._rows is None:
            before = _library.library.attlas_interruptions()
            try:
                rows = pyarrow.table(self)
            except OSError as error:
                if isinstance(error, _errors.Error):
                    raise
                # Of the stream, such as a file that became shorter.
                raise _errors.Error(str(error)) from None
            if _library.library.attlas_interruptions() != before:
                raise KeyboardInterrupt
            self._rows = rows
        return self._rows

    @property
    def schema(self) -> pyarrow.Schema:
        """The columns and their types, without decoding. Needs pyarrow."""
        import pyarrow

        return pyarrow.schema(self)

    def __len__(self) -> int:
        """The number of rows. Needs pyarrow."""
        return int(self._read().num_rows)

    def __bool__(self) -> bool:
        return True

    def to_pandas(self) -> pandas.DataFrame:
        """All rows. Times are in UTC; integers and booleans that may be missing are `Int64` and `boolean`. Needs pyarrow."""
        import pandas
        import pyarrow

        types = {pyarrow.int64(): pandas.Int64Dtype(), pyarrow.bool_(): pandas.BooleanDtype()}
        frame: pandas.DataFrame = self._read().to_pandas(types_mapper=types.get)
        return frame

    def to_polars(self) -> polars.DataFrame:
        """All rows. Needs pyarrow."""
        import polars

        return polars.DataFrame(self._read())

    def __repr__(self) -> str:
        return f"<attlas table {self.name} of {os.fsdecode(self._path)}>"

    def _repr_html_(self) -> str | None:
        try:
            rows = self._read()
        except ImportError:
            return None
        cells = "".join(f"<th>{html.escape(name)}</th>" for name in rows.column_names)
        lines = [f"<tr>{cells}</tr>"]
        for row in rows.slice(0, _SHOWN_ROWS).to_pylist():
            cells = "".join(f"<td>{_cell(value)}</td>" for value in row.values())
            lines.append(f"<tr>{cells}</tr>")
        count = f"{rows.num_rows} row{'' if rows.num_rows == 1 else 's'}"
        if rows.num_rows > _SHOWN_ROWS:
            count += f", the first {_SHOWN_ROWS} shown"
        return f"<table><caption>{self.name}: {count}</caption>{''.join(lines)}</table>"


def _cell(value: object) -> str:
    if value is None:
        return ""
    text = value.hex(" ") if isinstance(value, bytes) else str(value)
    if len(text) > _SHOWN_CHARACTERS:
        text = text[:_SHOWN_CHARACTERS] + "…"
    return html.escape(text)
