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
    fields: List[Field]


class Dissected(_DissectedRequired, total=False):
    uuid: str
    operation: str
    alternatives: List[str]
    withheld: Literal[True]
    unexplained: Unexplained
    fault: Fault
'''
# Other names of the same classes. Programs import them: they stay.
ALIASES = {
    "AdvertisingStructure": "DevicesPeriodicAdvertisingStructuresItem DevicesDevicesItemStructuresItem",
    "CodeName": "DevicesCodeName StatsCodeName",
    "Codec": "TreeEndpointStatesItemCodec StatsCodec",
    "Fault": "DevicesFault TreeFault",
    "Field": "DevicesField TreeField",
    "FieldRepeatsItem": "DevicesFieldRepeatsItem TreeFieldRepeatsItem",
    "IncidentAttribute": "WhyIncidentAttribute",
    "IncidentCause": "WhyIncidentCause",
    "IncidentStepsItem": "WhyIncidentStepsItem",
    "Integrity": "DevicesIntegrity TreeIntegrity StatsIntegrity LintIntegrity WhyIntegrity ValuesIntegrity InferIntegrity",
    "IntegrityCutsItem":
        "DevicesIntegrityCutsItem TreeIntegrityCutsItem StatsIntegrityCutsItem LintIntegrityCutsItem WhyIntegrityCutsItem "
        "ValuesIntegrityCutsItem InferIntegrityCutsItem",
    "IntegrityLimitsItem":
        "DevicesIntegrityLimitsItem TreeIntegrityLimitsItem StatsIntegrityLimitsItem LintIntegrityLimitsItem "
        "WhyIntegrityLimitsItem ValuesIntegrityLimitsItem InferIntegrityLimitsItem",
    "IntegrityRadioClock":
        "DevicesIntegrityRadioClock TreeIntegrityRadioClock StatsIntegrityRadioClock LintIntegrityRadioClock "
        "WhyIntegrityRadioClock ValuesIntegrityRadioClock InferIntegrityRadioClock",
    "KnownPeer": "LintFindingsItemPeer",
    "ManufacturerData": "DevicesPeriodicAdvertisingManufacturerDataItem DevicesDevicesItemManufacturerDataItem",
    "Microseconds": "StatsMicroseconds",
    "NamedUuid": "DevicesNamedUuid StatsNamedUuid LintNamedUuid WhyNamedUuid ValuesNamedUuid InferNamedUuid",
    "Peer": "WhyIncidentPeer WhyAnswersItemPeer",
    "ProcedureOutcomes": "StatsProceduresOutcomes",
    "RssiRange": "DevicesPeriodicAdvertisingRssiDbm DevicesDevicesItemRssiDbm StatsConnectionRssiDbm",
    "ServiceData": "DevicesPeriodicAdvertisingServiceDataItem DevicesDevicesItemServiceDataItem",
    "TreeCounts": "TreeCharacteristicCounts TreeAttributeCounts TreeUnknownCounts",
    "TreeFormerItem": "TreePeersItemFormerItem TreeLocalItemFormerItem",
    "TreeSubscription": "TreeCharacteristicSubscription TreeAttributeSubscription TreeUnknownSubscription",
    "Unexplained": "DevicesUnexplained TreeUnexplained",
}
SCALARS = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None"}


def class_name(text):
    return "".join(part.capitalize() for part in text.replace("-", "_").split("_"))


class Module:
    """The classes of the documents. Names of shapes that only one document has begin with its name."""

    def __init__(self):
        self.schemas = {path.name: self.read(path) for path in SCHEMAS.glob("*.schema.json")}
        self.done = {}

    def read(self, path):
        """A schema whose references all name their file."""
        def absolute(value):
            if str(value.get("$ref")).startswith("#"):
                value["$ref"] = path.name + value["$ref"]
            return value

        return json.loads(path.read_text(), object_hook=absolute)

    def write(self, *names):
        for name in names:
            self.typed(self.schemas[f"{name}.schema.json"], class_name(name))
        return "".join(self.done.values())

    def union(self, types):
        types = list(dict.fromkeys(types))
        return types[0] if len(types) == 1 else "Any" if "Any" in types else f"Union[{', '.join(types)}]"

    def typed(self, schema, name):
        """The annotation of a schema; a class of this name if it is an object."""
        if "$ref" in schema:
            file, key = schema["$ref"].split("#/$defs/")
            document = "" if file == "common.schema.json" else file.removesuffix(".schema.json")
            return self.typed(self.schemas[file]["$defs"][key], class_name(document) + class_name(key))
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
    classes = Module().write("devices", "tree", "stats", "lint", "why", "values", "infer")
    aliases = "".join(f"{alias} = {name}\n" for name in ALIASES for alias in ALIASES[name].split())
    return f"{HEAD}{classes}{DISSECTED}\n\n# Other names of the same classes.\n{aliases}"


if __name__ == "__main__":
    (HERE / "attlas/documents.py").write_text(text())
