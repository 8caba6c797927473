"""Fields as columns."""
import pyarrow as pa
import pyarrow.compute

# Of an operation, before its fields.
_KEYS = ["operation", "frame", "time", "connection", "method"]
_NAMES = ["characteristic_uuid", "characteristic", "descriptor"]


def table(capture) -> pa.Table:
    """The values of the one characteristic that the capture's selection names."""
    batches, fields = [], {}
    for name, batch in capture.tables("operations", "fields"):
        batch = pa.record_batch(batch)
        if name == "operations":
            columns = [batch.column(column) for column in _KEYS + _NAMES]
            # Batches have dictionaries of their own.
            columns = [column.dictionary_decode() if pa.types.is_dictionary(column.type) else column for column in columns]
            batches.append(pa.table(columns, _KEYS + _NAMES))
            continue
        for row in batch.select(["operation", "path", "number", "text"]).to_pylist():
            fields.setdefault(row["path"], {}).setdefault(row["operation"], []).append((row["number"], row["text"]))
    if not fields:
        raise LookupError("the capture has no such value")
    rows = pa.concat_tables(batches)
    valued = pa.array([operation for cells in fields.values() for operation in cells], pa.int64())
    rows = rows.filter(pa.compute.and_(
        pa.compute.is_in(rows["operation"], valued), pa.compute.is_null(rows["descriptor"])))
    found = rows.select(_NAMES[:2]).group_by(_NAMES[:2]).aggregate([]).to_pylist()
    if len(found) > 1:
        names = ", ".join(f"{one['characteristic']} ({one['characteristic_uuid']})" for one in found)
        raise LookupError(f"this name is of several characteristics: {names}")
    operations = rows["operation"].to_pylist()
    wide = rows.select(_KEYS)
    for path, cells in fields.items():
        wide = wide.append_column(path, _column([cells.get(operation, []) for operation in operations]))
    return wide


def _column(rows):
    """Numbers, or texts if one of the fields has no number; lists, if a row has several."""
    are_numbers = all(number is not None for cells in rows for number, _ in cells)
    values = [[number if are_numbers else text for number, text in cells] for cells in rows]
    if any(len(cells) > 1 for cells in values):
        return pa.array([cells or None for cells in values])
    return pa.array([cells[0] if cells else None for cells in values])
