"""Reads what `attlas export --twin` wrote, and people changed."""
from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Dict, Iterator, List, Tuple

import yaml
from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError
from referencing import Registry, Resource

from ._errors import Error

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_SCHEMAS = Path(__file__).with_name("schemas")
# Octets of a value. Core Specification, Vol 3, Part F, 3.2.9.
LONGEST = 512


def loaded(text: bytes, name: str) -> Any:
    try:
        return yaml.load(text, _LOADER)
    except (yaml.YAMLError, RecursionError) as error:
        mark = getattr(error, "problem_mark", None)
        place = f", line {mark.line + 1}, column {mark.column + 1}" if mark else ""
        raise Error(f"{name}{place}: not YAML: {getattr(error, 'problem', None) or ' '.join(str(error).split())}") from None


def document(text: bytes, name: str) -> Dict[str, Any]:
    """The document of a file. Raises attlas.Error with the place of what cannot be played."""
    found = loaded(text, name)
    if found is None:
        raise Error(f"{name}: empty; attlas export --twin writes a file to play")
    schema, common = (json.loads((_SCHEMAS / f"{stem}.schema.json").read_text()) for stem in ("twin", "common"))
    registry: Any = Registry().with_resource("common.schema.json", Resource.from_contents(common))
    validator = Draft202012Validator(schema, registry=registry)
    wrong = map(_problem, validator.iter_errors(found))
    problem = next(wrong, None) or next(_unplayable(found), None)
    if problem is None:
        return dict(found)
    path, said = problem
    place = "".join(f"[{key}]" if isinstance(key, int) else f".{key}" for key in path).lstrip(".")
    raise Error(f"{name}, line {_line(text, path)}: {place + ': ' if place else ''}{said[:300]}")


def _line(text: bytes, path: List[Any]) -> int:
    node = yaml.compose(text, _LOADER)
    for key in path:
        is_list = isinstance(node, yaml.SequenceNode)
        children = enumerate(node.value) if is_list else ((name.value, value) for name, value in node.value)
        node = dict(children).get(key, node)
    return int(node.start_mark.line) + 1


def _problem(error: ValidationError) -> Tuple[List[Any], str]:
    path, properties = list(error.absolute_path), error.schema.get("properties", {})
    if error.validator == "additionalProperties":
        return path + [key for key in error.instance if key not in properties][:1], f"not a key here; expected: {', '.join(properties)}"
    if error.validator == "oneOf":
        return path, "expected one of " + ", ".join(choice["required"][0] for choice in error.validator_value)
    if error.validator == "maxLength":
        return path, f"longer than {LONGEST} octets"
    expected = error.schema.get("description") if "pattern" in error.schema else None
    return path, f"{error.instance!r}; expected: {expected}" if expected else error.message


def _unplayable(found: Dict[str, Any]) -> Iterator[Tuple[List[Any], str]]:
    """What the schema cannot express."""
    for t, table in enumerate(found["tables"]):
        last = 0
        for a, attribute in enumerate(table["attributes"]):
            path: List[Any] = ["tables", t, "attributes", a]
            handle = attribute["handle"]
            if handle <= last:
                yield path + ["handle"], f"0x{handle:04X} after 0x{last:04X}; expected ascending handles from 0x0001 on, each once"
            if attribute.get("end_handle", handle) < handle:
                yield path + ["end_handle"], f"expected 0x{handle:04X} or a later handle"
            last = handle
    for c, connection in enumerate(found["connections"]):
        frames = {entry.get("frame") for entry in connection["operations"] if not entry.keys() & {"notify", "indicate"}}
        for o, entry in enumerate(connection["operations"]):
            if "since_frame" in entry and entry["since_frame"] not in frames:
                yield ["connections", c, "operations", o, "since_frame"], f"no request of this connection has frame {entry['since_frame']}"
