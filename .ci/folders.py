"""The folders of a target of Package.swift and of all targets that it is built from, one in a line: `folders.py NAME`."""

import json
import subprocess
import sys

package = json.loads(subprocess.check_output(["swift", "package", "dump-package"]))
needed = {
    target["name"]: [(dependency.get("byName") or dependency.get("target") or dependency["product"])[0] for dependency in target["dependencies"]]
    for target in package["targets"]
}
if sys.argv[1] not in needed:
    sys.exit(f"Package.swift has no target {sys.argv[1]}")
found = [sys.argv[1]]
for name in found:
    found += [other for other in needed[name] if other in needed and other not in found]
folders = {target["name"]: "Plugins" if target["type"] == "plugin" else "Sources" for target in package["targets"]}
print("\n".join(target.get("path") or f"{folders[target['name']]}/{target['name']}/" for target in package["targets"] if target["name"] in found))
