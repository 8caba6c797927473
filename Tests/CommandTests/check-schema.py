"""Checks NDJSON lines, or with --document JSON documents one after the other, against a JSON Schema; prints what does not fit.

usage: check-schema.py [--document] SCHEMA < JSON
"""
import json
import pathlib
import sys

from jsonschema import Draft202012Validator, RefResolver


def without_duplicates(pairs):
    keys = [key for key, _ in pairs]
    if len(keys) != len(set(keys)):
        raise ValueError(f"duplicate key in {keys}")
    return dict(pairs)


def documents(text):
    """The JSON documents of a text; what is left over as a text that is none."""
    decoder, place = json.JSONDecoder(), 0
    while text[place:].strip():
        place += len(text[place:]) - len(text[place:].lstrip())
        try:
            end = decoder.raw_decode(text, place)[1]
        except ValueError:
            end = len(text)
        yield text[place:end]
        place = end


def main():
    path = pathlib.Path(sys.argv[-1]).resolve()
    schema = json.loads(path.read_text())
    Draft202012Validator.check_schema(schema)
    # Debian 12 has jsonschema 4.10, which knows no other way to find common.schema.json.
    validator = Draft202012Validator(schema, resolver=RefResolver(schema.get("$id", path.as_uri()), schema))
    texts = documents(sys.stdin.read()) if "--document" in sys.argv else sys.stdin
    checked = wrong = 0
    for number, text in enumerate(texts, 1):
        checked += 1
        try:
            value = json.loads(text, object_pairs_hook=without_duplicates)
            faults = [f"{'/'.join(map(str, e.absolute_path))}: {e.message}" for e in validator.iter_errors(value)]
        except ValueError as error:
            faults = [str(error)]
        for fault in faults[:3]:
            print(f"{number}: {fault[:300]}")
        wrong += bool(faults)
    print(f"{checked} checked, {wrong} wrong")
    sys.exit(1 if wrong or not checked else 0)


main()
