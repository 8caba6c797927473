"""Fields as columns."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, List, Set

import pyarrow as pa
import pyarrow.compute

from . import _errors, _library

if TYPE_CHECKING:
    from ._capture import Capture

# Of an operation, before its fields. Its number is left out: it counts those of the selection.
_KEYS = ["frame", "time", "connection", "method"]
_NAMES = ["operation", "characteristic_uuid", "characteristic"]
_TYPES = {
    "integer": pa.int64(), "unsigned": pa.uint64(), "real": pa.float64(), "boolean": pa.bool_(), "text": pa.string()}


def table(capture: Capture, faulty: bool) -> pa.Table:
    """The values of the one characteristic that the capture's selection names."""
    batches: List[Any] = []
    fields: Dict[int, Dict[str, List[Dict[str, Any]]]] = {}
    reasons: Dict[int, List[str]] = {}
    marked: Set[int] = set()
    places: Dict[str, int] = {}
    for name, batch in capture.tables("operations", "fields", "faults"):
        rows = pa.record_batch(batch)
        if name == "operations":
            # A descriptor has the name of its characteristic as well.
            batches.append(_plain(rows.filter(pa.compute.is_null(rows["descriptor"]))))
        elif name == "faults":
            for row in rows.select(["operation", "reason"]).to_pylist():
                reasons.setdefault(row["operation"], []).append(row["reason"])
        else:
            for row in rows.select(["operation", "path", "field", "number", "text", "special", "faulty"]).to_pylist():
                places[row["path"]] = min(places.get(row["path"], row["field"]), row["field"])
                fields.setdefault(row["operation"], {}).setdefault(row["path"], []).append(row)
                if row["faulty"]:
                    marked.add(row["operation"])
    rows = pa.concat_tables(batches) if batches else None
    if rows is not None:
        rows = rows.filter(pa.compute.is_in(rows["operation"], pa.array(list(fields), pa.int64())))
    if rows is None or rows.num_rows == 0:
        raise _errors.SelectionError("the capture has no such value")
    found = rows.select(_NAMES[1:]).group_by(_NAMES[1:]).aggregate([]).to_pylist()
    if len(found) > 1:
        names = ", ".join(f"{one['characteristic']} ({one['characteristic_uuid']})" for one in found)
        raise _errors.SelectionError(f"this name is of several characteristics: {names}")
    everything = [fields[operation] for operation in rows["operation"].to_pylist()]
    if not faulty:
        rows = rows.filter(pa.compute.invert(pa.compute.is_in(rows["operation"], pa.array(list(marked), pa.int64()))))
    operations = rows["operation"].to_pylist()
    values = [fields[operation] for operation in operations]
    wide = rows.select(_KEYS)
    if faulty:
        wide = wide.append_column("faults", pa.array(
            [" · ".join(reasons.get(operation, [])) if operation in marked else None for operation in operations], pa.string()))
    columns = _library.wide_columns(found[0]["characteristic_uuid"], capture._options)
    defined = {column["path"] for column in columns}
    # What other attributes of the device describe has no definition.
    others = {path for value in everything for path in value if path not in defined}
    for path in sorted(others, key=lambda path: (places[path], path)):
        cells = [cell for value in everything for cell in value.get(path, [])]
        is_real = all(cell["number"] is not None or cell["text"] is None for cell in cells)
        columns.append({
            "path": path, "kind": "real" if is_real else "text", "list": False, "special": False, "unit": None})
    for column in columns:
        wide = _append(wide, column, [value.get(column["path"], []) for value in values])
    return wide


def _plain(rows: pa.RecordBatch) -> pa.Table:
    """Without dictionaries, which differ between batches."""
    names = _KEYS + _NAMES
    columns = [rows[name] for name in names]
    return pa.table(
        [column.dictionary_decode() if pa.types.is_dictionary(column.type) else column for column in columns], names)


def _append(wide: pa.Table, column: Dict[str, Any], rows: List[List[Dict[str, Any]]]) -> pa.Table:
    """The field, and a column with the names of its special values. Repeated fields are lists."""
    is_list = column["list"] or any(len(cells) > 1 for cells in rows)
    metadata = {"unit": column["unit"]} if column["unit"] else None

    def add(wide: pa.Table, name: str, kind: str, cell: Any, metadata: Any) -> pa.Table:
        values = [[cell(one) for one in cells] for cells in rows]
        cells = [cells or None if is_list else cells[0] if cells else None for cells in values]
        type_ = pa.list_(_TYPES[kind]) if is_list else _TYPES[kind]
        return wide.append_column(pa.field(name, type_, metadata=metadata), pa.array(cells, type_))

    wide = add(wide, column["path"], column["kind"], lambda row: _cell(row, column["kind"]), metadata)
    if column["special"]:
        wide = add(wide, f"{column['path']} special", "text", lambda row: row["special"], None)
    return wide


def _cell(row: Dict[str, Any], kind: str) -> Any:
    if kind == "text":
        return row["text"]
    number = row["number"]
    if number is None or kind == "real":
        return number
    if kind == "boolean":
        return number != 0
    # Large ones are exact in the text.
    text = row["text"]
    number = int(text) if text and text.lstrip("-").isdecimal() else int(number)
    return max(-(1 << 63), min(number, (1 << 63) - 1)) if kind == "integer" else max(0, min(number, (1 << 64) - 1))
