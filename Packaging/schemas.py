"""Whether all keys of a release's schemas are still there with the same type. Prints those that are not; then the status is 1.

usage: schemas.py FOLDER_BEFORE FOLDER_NOW
"""
import json
import pathlib
import sys


class Schema:
    def __init__(self, path):
        self.files = {other.name: self.read(other) for other in path.parent.glob("*.json")}
        # The path of a key → the names of its types.
        self.keys = {}
        self.walk(self.files[path.name], path.name.split(".")[0], [])

    def read(self, path):
        """A schema whose references all name their file."""
        def absolute(value):
            if str(value.get("$ref")).startswith("#"):
                value["$ref"] = path.name + value["$ref"]
            return value

        return json.loads(path.read_text(), object_hook=absolute)

    def resolved(self, schema):
        while "$ref" in schema:
            file, pointer = schema["$ref"].split("#/")
            target = self.files[file]
            for part in pointer.split("/"):
                target = target[part]
            # Other keys of the referring schema hold as well.
            schema = target | {key: value for key, value in schema.items() if key != "$ref"}
        return schema

    def types(self, schema):
        schema = self.resolved(schema)
        if "type" in schema:
            return {schema["type"]} if isinstance(schema["type"], str) else set(schema["type"])
        if "const" in schema or "enum" in schema:
            names = {str: "string", bool: "boolean", int: "integer", float: "number", type(None): "null", list: "array", dict: "object"}
            return {names[type(value)] for value in schema.get("enum", [schema.get("const")])}
        found = set()
        for choice in ("anyOf", "oneOf", "allOf"):
            for part in schema.get(choice, []):
                found |= self.types(part)
        return found

    def walk(self, schema, path, above):
        if not isinstance(schema, dict):
            return
        # A structure that has itself inside says nothing new there.
        reference = schema.get("$ref")
        if reference in above:
            return
        above = above + [reference] if reference else above
        schema = self.resolved(schema)
        for key, value in schema.get("properties", {}).items():
            if isinstance(value, dict):
                self.keys.setdefault(f"{path}.{key}", set()).update(self.types(value))
                self.walk(value, f"{path}.{key}", above)
        for key in ("items", "additionalProperties"):
            self.walk(schema.get(key), f"{path}[]", above)
        for value in schema.get("patternProperties", {}).values():
            self.walk(value, f"{path}[]", above)
        for choice in ("anyOf", "oneOf", "allOf"):
            for part in schema.get(choice, []):
                # The kinds of lines: if the type is this, then such keys.
                kind = part.get("if", {}).get("properties", {}).get("type", {}).get("const")
                self.walk(part, f"{path}({kind})" if kind else path, above)
        for key in ("then", "else"):
            self.walk(schema.get(key), path, above)


def main():
    before, now = map(pathlib.Path, sys.argv[1:])
    faults = []
    for path in sorted(before.glob("*.json")):
        old = Schema(path).keys
        new = Schema(now / path.name).keys if (now / path.name).exists() else {}
        for key, types in old.items():
            if key not in new:
                faults.append(f"{key}: it is no longer there")
            elif new[key] != types:
                faults.append(f"{key}: it was {' or '.join(sorted(types))}, it is {' or '.join(sorted(new[key]))}")
    print("\n".join(faults), end="\n" if faults else "")
    sys.exit(1 if faults else 0)


main()
