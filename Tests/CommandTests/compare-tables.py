#!/usr/bin/env python3
"""Compares the tables of a database with the lines of `show --json` of the same capture.

    compare-tables.py DATABASE CAPTURE-NUMBER < LINES
"""
import json
import sqlite3
import sys
from collections import Counter
from datetime import datetime, timezone

database = sqlite3.connect(f"file:{sys.argv[1]}?mode=ro", uri=True)
database.row_factory = sqlite3.Row
capture = int(sys.argv[2])
lines = [json.loads(line) for line in sys.stdin]
differences = []


def rows(table, order):
    return [dict(row) for row in database.execute(f"SELECT * FROM {table} WHERE capture = ? ORDER BY {order}", (capture,))]


def same(what, got, wanted):
    if got != wanted:
        differences.append(f"{what}: the table has {got!r}, the line {wanted!r}")


def nanoseconds(text):
    whole, _, fraction = text.rstrip("Z").partition(".")
    seconds = int(datetime.fromisoformat(whole).replace(tzinfo=timezone.utc).timestamp())
    return seconds * 1_000_000_000 + int(fraction.ljust(9, "0") or 0)


def uuid(member):
    return member["uuid"] if member else None


def name(member):
    return member.get("name") if member else None


def octets(row):
    return row["value"].hex() if row["value"] is not None else None


def numbers(fields):
    """The names and numbers of fields, and of bits that have a separate name; of flags those that are set."""
    for field in fields:
        if "repeats" in field:
            for item in field["repeats"]:
                yield from numbers(item["fields"])
        elif "value" not in field:
            yield from numbers(field.get("fields", []))
        else:
            for value in field["value"] if isinstance(field["value"], list) else [field["value"]]:
                if isinstance(value, (int, float)):
                    yield field["name"], float(value)
            yield from numbers(field.get("fields", []))
            for flag in field.get("set", []):
                yield flag, 1.0


operations = rows("operations", "operation")
fields = {}
for field in rows("fields", "operation, field"):
    fields.setdefault(field["operation"], []).append(field)
connections = {row["connection"]: row for row in rows("connections", "connection")}
place = 0


def next_row():
    global place
    if place == len(operations):
        differences.append("the table ends before the lines")
        return None
    place += 1
    return operations[place - 1]


def compare_values(what, row, value):
    same(f"{what} value", octets(row), value.get("value"))
    wanted = Counter(numbers(value.get("message", value).get("fields", [])))
    got = Counter((field["name"], field["number"])
                  for field in fields.get(row["operation"], []) if field["number"] is not None)
    same(f"{what} fields that the table does not have", wanted - got, Counter())
    # Flags that are not set.
    same(f"{what} fields that the line does not have", {pair for pair in got - wanted if pair[1] != 0}, set())


for line in lines:
    what = f"frame {line.get('frame')} {line['type']}"
    if line["type"] == "att":
        items = line.get("items")
        several = items is not None and line["method"] in (
            "Multiple Handle Value Notification", "Read Multiple Variable Response")
        for index, item in enumerate(items if several else [line]):
            row = next_row()
            if row is None:
                break
            same(f"{what} frame", row["frame"], line["frame"])
            same(f"{what} time", row["time"], nanoseconds(line["time"]))
            same(f"{what} connection", row["connection"], line.get("connection"))
            same(f"{what} direction", row["direction"], line.get("direction", "unknown"))
            same(f"{what} method", row["method"], line["method"])
            same(f"{what} server", row["server"], line["server"])
            same(f"{what} handle", row["handle"], item.get("handle"))
            same(f"{what} service", (row["service_uuid"], row["service"]), (uuid(item.get("service")), name(item.get("service"))))
            same(f"{what} characteristic", (row["characteristic_uuid"], row["characteristic"]),
                 (uuid(item.get("characteristic")), name(item.get("characteristic"))))
            same(f"{what} descriptor", (row["descriptor_uuid"], row["descriptor"]),
                 (uuid(item.get("descriptor")), name(item.get("descriptor"))))
            same(f"{what} request", row["request_frame"], line.get("request_frame") if index == 0 else None)
            wanted = line.get("rtt_us") if index == 0 else None
            same(f"{what} round trip", row["round_trip"], None if wanted is None else round(wanted * 1_000))
            error = line.get("error")
            same(f"{what} error", row["error"], name(error))
            if items is None or several:
                compare_values(what, row, item)
    elif line["type"] == "assembled":
        row = next_row()
        if row is not None:
            same(f"{what} method", row["method"].split(",")[0], line["kind"])
            compare_values(what, row, line)
    elif line["type"] == "connection" and line["event"] == "ended" and "connection" in line:
        row = connections.get(line["connection"])
        if row is None:
            differences.append(f"{what}: there is no such connection")
            continue
        same(f"{what} frame", row["ended_frame"], line["frame"])
        same(f"{what} by", row["ended_by"], line["by"])
        same(f"{what} reason", row["reason"], name(line.get("reason")) or line.get("cause"))
        peer = line.get("peer", {})
        same(f"{what} peer", (row["peer_address"], row["peer_name"]), (peer.get("address"), peer.get("name")))

same("operations", len(operations), place)
summary = lines[-1]
same("records", len(rows("records", "record")), summary["integrity"]["records"])
same("missing keys", database.execute("PRAGMA foreign_key_check").fetchall(), [])
same("integrity", database.execute("PRAGMA integrity_check").fetchone()[0], "ok")
for view in [row[0] for row in database.execute("SELECT name FROM sqlite_schema WHERE type = 'view'")]:
    database.execute(f"SELECT * FROM {view} WHERE capture = ?", (capture,)).fetchall()
print("\n".join(differences[:20]))
sys.exit(1 if differences else 0)
