"""Fields as columns."""
import pyarrow as pa
import pyarrow.compute

# Of an operation, before its fields. Its number is left out: it counts those of the selection.
_KEYS = ["frame", "time", "connection", "method"]
_NAMES = ["operation", "characteristic_uuid", "characteristic"]


def table(capture) -> pa.Table:
    """The values of the one characteristic that the capture's selection names."""
    batches, fields, places = [], {}, {}
    for name, batch in capture.tables("operations", "fields"):
        batch = pa.record_batch(batch)
        if name == "operations":
            # A descriptor has the name of its characteristic as well.
            batch = batch.filter(pa.compute.is_null(batch["descriptor"])).select(_KEYS + _NAMES)
            # Batches have dictionaries of their own.
            columns = [column.dictionary_decode() if pa.types.is_dictionary(column.type) else column for column in batch.columns]
            batches.append(pa.table(columns, _KEYS + _NAMES))
            continue
        for row in batch.select(["operation", "path", "field", "number", "text"]).to_pylist():
            places[row["path"]] = min(places.get(row["path"], row["field"]), row["field"])
            fields.setdefault(row["operation"], {}).setdefault(row["path"], []).append((row["number"], row["text"]))
    if batches:
        rows = pa.concat_tables(batches)
        rows = rows.filter(pa.compute.is_in(rows["operation"], pa.array(list(fields), pa.int64())))
    if not batches or rows.num_rows == 0:
        raise LookupError("the capture has no such value")
    found = rows.select(_NAMES[1:]).group_by(_NAMES[1:]).aggregate([]).to_pylist()
    if len(found) > 1:
        names = ", ".join(f"{one['characteristic']} ({one['characteristic_uuid']})" for one in found)
        raise LookupError(f"this name is of several characteristics: {names}")
    values = [fields[operation] for operation in rows["operation"].to_pylist()]
    wide = rows.select(_KEYS)
    for path in sorted({path for value in values for path in value}, key=lambda path: (places[path], path)):
        wide = wide.append_column(path, _column([value.get(path, []) for value in values]))
    return wide


def _column(rows):
    """Numbers, or texts if one of the fields has no number; lists, if a row has several."""
    are_numbers = all(number is not None for cells in rows for number, _ in cells)
    values = [[number if are_numbers else text for number, text in cells] for cells in rows]
    if any(len(cells) > 1 for cells in values):
        return pa.array([cells or None for cells in values])
    return pa.array([cells[0] if cells else None for cells in values])
