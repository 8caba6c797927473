#!/usr/bin/env python3
"""Holds Sources/ to the layout that CONTRIBUTING.md describes. `make lint` runs it, after a build.

Which file depends on which comes from the index that the compiler writes: a file depends on the files of its module that
define what it refers to. Files of one type (Name.swift, Name+Topic.swift) count as one.
"""
import ctypes
import re
import shutil
import sys
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SOURCES = ROOT / "Sources"
INDEX = ROOT / ".build/debug/index/store"
FILES_OF_A_FOLDER = 30
FILES_OF_A_CYCLE = 5
# Layers of the protocol, whose files refer to each other as the specification's parts do.
CYCLES_ALLOWED = {"AttlasTrace", "AttlasWire"}
# Whose folders depend on each other in one direction.
LAYERED = {"AttlasText", "AttlasConversation", "AttlasScreen", "AttlasTables"}

# A number in a comparison or a case. Bits of a mask are compared as they are.
CODE = re.compile(
    r"[=!~]= *0x|\b0x\w+ *[=!~]= |^ *case\b[^:]*\b0x|\[0x\w+(, 0x\w+)*\]\.contains|\(0x\w+\.\.[.<]0x\w+\)\.contains"
    r"|\b0x\w+\.\.[.<]0x\w+ ~=")
MASK = re.compile(r"& 0x\w+( [=!]= 0x\w+)?")
# Whose numbers are octets of files, of text, of values and of tests, not codes of the protocol.
OCTETS = (
    "AttlasWire/", "AttlasSystem/", "AttlasCapture/", "AttlasDissection/", "AttlasDefinitionFiles/", "AttlasGenerate/",
    "AttlasInference/", "AttlasText/Fields/", "AttlasText/Writers/", "AttlasScreen/", "AttlasInput/", "AttlasImport/",
    "AttlasRecords/", "AttlasSources/", "AttlasBench/", "AttlasFuzz/", "attlas-bench/", "attlas-fuzz/", "embed-",
    "AttlasAnonymize/Pseudonyms.swift", "AttlasAnonymize/Secret", "AttlasFilter/TimeBound+Text.swift",
    # Compares the heads of packets as words of 64 bits, because it reads each record.
    "AttlasTrace/Decoding/Trace+Frequent.swift",
)


class Text(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("length", ctypes.c_size_t)]

    def __str__(self):
        return ctypes.string_at(self.data, self.length).decode() if self.length else ""


class Index:
    """The part of the toolchain's libIndexStore that is needed here."""

    DEFINITION, REFERENCE, RECORD = 1 << 1, 1 << 2, 2
    EACH = ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_void_p, ctypes.c_void_p)
    EACH_NAME = ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_void_p, Text)

    def __init__(self, store):
        library = Path(shutil.which("swiftc")).resolve().parent.parent / "lib/libIndexStore.so"
        self.library = ctypes.CDLL(str(library))
        self.store = self.call("store_create", ctypes.c_void_p, str(store).encode(), None)

    def call(self, name, result, *arguments):
        function = getattr(self.library, f"indexstore_{name}")
        function.restype = result
        return function(*[ctypes.c_void_p(value) if isinstance(value, int) else value for value in arguments])

    def units(self):
        names = []
        each = self.EACH_NAME(lambda _, name: names.append(str(name)) or True)
        self.call("store_units_apply_f", ctypes.c_bool, self.store, ctypes.c_uint(0), None, each)
        return names

    def source(self, unit):
        """The file of a unit, and the name of its record."""
        reader = self.call("unit_reader_create", ctypes.c_void_p, self.store, unit.encode(), None)
        file = str(self.call("unit_reader_get_main_file", Text, reader))
        records = []

        def note(_, dependency):
            kind = self.call("unit_dependency_get_kind", ctypes.c_int, dependency)
            if kind == self.RECORD and str(self.call("unit_dependency_get_filepath", Text, dependency)) == file:
                records.append(str(self.call("unit_dependency_get_name", Text, dependency)))
            return True

        self.call("unit_reader_dependencies_apply_f", ctypes.c_bool, reader, None, self.EACH(note))
        self.call("unit_reader_dispose", None, reader)
        return Path(file), records

    def symbols(self, record):
        """What a file defines and what it refers to, by the symbols' names for linkers."""
        defined, referred = {}, set()
        reader = self.call("record_reader_create", ctypes.c_void_p, self.store, record.encode(), None)

        def note(_, occurrence):
            roles = self.call("occurrence_get_roles", ctypes.c_uint64, occurrence)
            symbol = self.call("occurrence_get_symbol", ctypes.c_void_p, occurrence)
            usr = str(self.call("symbol_get_usr", Text, symbol))
            if roles & self.DEFINITION:
                defined[usr] = str(self.call("symbol_get_name", Text, symbol))
            if roles & self.REFERENCE:
                referred.add(usr)
            return True

        self.call("record_reader_occurrences_apply_f", ctypes.c_bool, reader, None, self.EACH(note))
        self.call("record_reader_dispose", None, reader)
        return defined, referred


def cycles(edges):
    """The strongly connected parts of more than one node."""
    numbers, lows, stack, found = {}, {}, [], []

    def visit(node):
        numbers[node] = lows[node] = len(numbers)
        stack.append(node)
        for other in sorted(edges.get(node, ())):
            if other not in numbers:
                visit(other)
                lows[node] = min(lows[node], lows[other])
            elif other in stack:
                lows[node] = min(lows[node], numbers[other])
        if lows[node] == numbers[node]:
            part = []
            while not part or part[-1] != node:
                part.append(stack.pop())
            if len(part) > 1:
                found.append(sorted(part))

    for node in sorted(edges):
        if node not in numbers:
            visit(node)
    return found


def dependencies(files, index):
    """{(file, other file): name of a symbol} within one module."""
    places, names, found = {}, {}, {}
    symbols = {file: index.symbols(record) for file, record in files.items()}
    for file, (defined, _) in symbols.items():
        for usr, name in defined.items():
            places.setdefault(usr, file)
            names[usr] = name
    for file, (_, referred) in symbols.items():
        for usr in sorted(referred):
            if places.get(usr, file) != file:
                found.setdefault((file, places[usr]), names[usr])
    return found


def check(module, files, index, complain):
    types, folders, reasons = defaultdict(set), defaultdict(set), defaultdict(list)
    for (file, other), symbol in dependencies(files, index).items():
        one, two = (path.stem.split("+")[0] for path in (file, other))
        if one != two:
            types[one].add(two)
        one, two = (path.relative_to(SOURCES / module).parts[0] for path in (file, other))
        if one != two and not one.endswith(".swift") and not two.endswith(".swift"):
            folders[one].add(two)
            reasons[one, two].append(f"{file.name} uses {symbol} of {other.name}")
    if module not in CYCLES_ALLOWED:
        for cycle in cycles(types):
            if len(cycle) > FILES_OF_A_CYCLE:
                complain(f"{module}: {len(cycle)} files depend on each other: {', '.join(cycle)}")
    if module in LAYERED:
        for cycle in cycles(folders):
            complain(f"{module}: folders depend on each other: {', '.join(cycle)}")
            for pair in sorted(reasons):
                if set(pair) <= set(cycle):
                    complain("".join(f"  {' → '.join(pair)}: {reason}\n" for reason in reasons[pair][:3]).rstrip())


def unnamed_codes(complain):
    for path in sorted(SOURCES.rglob("*.swift")):
        name = str(path.relative_to(SOURCES))
        if name.startswith(OCTETS):
            continue
        for number, line in enumerate(path.read_text().splitlines(), 1):
            code = re.sub(r'"(?:[^"\\]|\\.)*"', '""', line).split("//")[0]
            if CODE.search(MASK.sub("", code)):
                complain(
                    f"{name}:{number}: a code without a name: compare with a constant of its type in AttlasWire "
                    f"(HCIOpcode, HCIErrorCode, ATTOpcode, BluetoothUUID, …), and add it there if it is missing")


def coroutines(complain):
    """One with two places of `yield` is a call, which takes memory from the heap. The optimizer of Swift 6.3.1 lets callers of this `_read`
    read that memory after it was freed."""
    for path in sorted(SOURCES.rglob("*.swift")):
        for number, line in enumerate(path.read_text().splitlines(), 1):
            coroutine = re.search(r"\b_(read|modify) \{(.*)", line)
            if coroutine and ("@inline(__always)" not in line or coroutine[1] == "read" and "yield" not in coroutine[2]):
                complain(
                    f"{path.relative_to(SOURCES)}:{number}: a coroutine without @inline(__always), or a _read with several yields: "
                    f"use get")


def main():
    if not INDEX.is_dir():
        return f"{INDEX} is not there: `rm -rf .build/debug && swift build` makes it"
    complaints = []
    for folder in [SOURCES, *sorted(path for path in SOURCES.rglob("*") if path.is_dir())]:
        count = len(list(folder.glob("*.swift")))
        if count > FILES_OF_A_FOLDER:
            complaints.append(f"{folder.relative_to(SOURCES)}: {count} source files; {FILES_OF_A_FOLDER} are enough")
    unnamed_codes(complaints.append)
    coroutines(complaints.append)
    index = Index(INDEX)
    modules = defaultdict(dict)
    for unit in index.units():
        file, records = index.source(unit)
        # The index still has units of files that are gone.
        if file.is_relative_to(SOURCES) and file.exists() and records:
            modules[file.relative_to(SOURCES).parts[0]][file] = records[0]
    if not modules:
        complaints.append(f"{INDEX}: no index; `swift build` writes it")
    for module in sorted(modules):
        check(module, modules[module], index, complaints.append)
    print("\n".join(complaints), end="\n" if complaints else "", file=sys.stderr)
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
