"""Writes attlas/documents.py: the types of the JSON documents, from Documentation/schemas. `python make_documents.py`"""
import json
import keyword
from pathlib import Path

HERE = Path(__file__).resolve().parent
SCHEMAS = HERE.parent / "Documentation/schemas"
HEAD = '''"""The types of the documents that `devices`, `tree`, `stats`, `lint`, `why`, `values`, `infer` and `dissect` give, for type checkers.

Python/make_documents.py writes this file from Documentation/schemas.
"""
from __future__ import annotations

from typing import Any, Dict, List, Literal, TypedDict, Union
'''
DISSECTED = '''

class _DissectedRequired(TypedDict):
    name: str
    value: Union[str, None]
    fields: List[TreeField]


class Dissected(_DissectedRequired, total=False):
    uuid: str
    operation: str
    alternatives: List[str]
    withheld: Literal[True]
    unexplained: TreeUnexplained
    fault: TreeFault
'''
SCALARS = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None"}


def class_name(text):
    return "".join(part.capitalize() for part in text.replace("-", "_").split("_"))


class Module:
    """The classes of one schema, each after its document's name."""

    def __init__(self, name):
        self.prefix = class_name(name)
        self.schema = json.loads((SCHEMAS / f"{name}.schema.json").read_text())
        self.done = {}

    def write(self):
        self.typed(self.schema, self.prefix)
        return "".join(self.done[name] for name in self.done)

    def union(self, types):
        types = list(dict.fromkeys(types))
        return types[0] if len(types) == 1 else "Any" if "Any" in types else f"Union[{', '.join(types)}]"

    def typed(self, schema, name):
        """The annotation of a schema; a class of this name if it is an object."""
        if "$ref" in schema:
            key = schema["$ref"].split("/")[-1]
            return self.typed(self.schema["$defs"][key], self.prefix + class_name(key))
        if "const" in schema:
            return f"Literal[{schema['const']!r}]"
        if "enum" in schema:
            return f"Literal[{', '.join(repr(value) for value in schema['enum'])}]"
        for choice in ("anyOf", "oneOf"):
            if choice in schema and "properties" not in schema and "type" not in schema:
                return self.union(self.typed(one, f"{name}{number or ''}") for number, one in enumerate(schema[choice]))
        kinds = schema.get("type", "object" if "properties" in schema else None)
        if kinds is None:
            return "Any"
        return self.union(
            self.kind(kind, schema, name) for kind in (kinds if isinstance(kinds, list) else [kinds]))

    def kind(self, kind, schema, name):
        if kind == "array":
            return f"List[{self.typed(schema['items'], name + 'Item') if 'items' in schema else 'Any'}]"
        if kind != "object":
            return SCALARS[kind]
        if "properties" not in schema:
            others = schema.get("additionalProperties")
            return f"Dict[str, {self.typed(others, name + 'Item') if isinstance(others, dict) else 'Any'}]"
        if name not in self.done:
            # It may be inside itself.
            self.done[name] = ""
            required = set(schema.get("required", ()))
            lines = {True: "", False: ""}
            for key, value in schema["properties"].items():
                if key.isidentifier() and not keyword.iskeyword(key):
                    lines[key in required] += f"    {key}: {self.typed(value, name + class_name(key))}\n"
            # Classes inside it come first.
            del self.done[name]
            if lines[True] and lines[False]:
                text = f"\n\nclass _{name}Required(TypedDict):\n{lines[True]}\n\nclass {name}(_{name}Required, total=False):\n{lines[False]}"
            else:
                ending = "(TypedDict)" if lines[True] else "(TypedDict, total=False)"
                text = f"\n\nclass {name}{ending}:\n{lines[True] or lines[False] or '    pass' + chr(10)}"
            self.done[name] = text
        return name


def text():
    return HEAD + "".join(Module(name).write() for name in ("devices", "tree", "stats", "lint", "why", "values", "infer")) + DISSECTED


if __name__ == "__main__":
    (HERE / "attlas/documents.py").write_text(text())
