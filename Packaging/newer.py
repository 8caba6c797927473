"""Names the dependencies of Package.swift of which there is a newer version. A report: its status is 0 whatever it finds.

usage: newer.py [PACKAGE_SWIFT]
"""
import os
import pathlib
import re
import subprocess
import sys

path = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent / "Package.swift")


def number(version):
    return tuple(map(int, version.split(".")))


for location, version in re.findall(r'\.package\(url: "([^"]*)", exact: "([^"]*)"\)', path.read_text()):
    name = location.split("/")[-1]
    try:
        listed = subprocess.run(
            ["git", "ls-remote", "--tags", "--refs", location],
            capture_output=True, text=True, timeout=30, env=os.environ | {"GIT_TERMINAL_PROMPT": "0"})
    except subprocess.TimeoutExpired:
        listed = None
    if listed is None or listed.returncode != 0:
        print(f"{name} {version}: its repository cannot be asked for newer versions")
        continue
    # Not previews of a version.
    versions = re.findall(r"refs/tags/v?(\d+\.\d+\.\d+)$", listed.stdout, re.M)
    newest = max(versions, key=number, default=version)
    if number(newest) > number(version):
        print(f"{name} {version}: there is {newest}")
    else:
        print(f"{name} {version}: the newest")
