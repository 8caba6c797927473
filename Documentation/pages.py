#!/usr/bin/env python3
"""pages.py ATTLAS conformance|comparison|measured: print a page about coverage, other programs, or measurements.

Only the judgements in DIFFERENCES are written by hand. `ATTLAS_UPDATE_EXPECTED=1 swift test --filter MadePages` writes the first two
pages; the test fails when they are stale. `make measured` measures, and writes the third. To add a page, add it to MadePagesTests; a judged
difference from tshark is a row of DIFFERENCES with its section.
"""

import collections
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import zipfile

ROOT = pathlib.Path(__file__).parents[1]
CAPTURES = sorted(path.name for path in (ROOT / "Captures").glob("*.btsnoop"))


def run(*command):
    environment = dict(os.environ, LC_ALL="C.UTF-8", TZ="UTC")
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, errors="replace")


def each(function, items):
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        return list(pool.map(function, items))


def table(titles, rows):
    lines = ["| " + " | ".join(titles) + " |", "|" + "---|" * len(titles)]
    return "\n".join(lines + ["| " + " | ".join(str(cell) for cell in row) + " |" for row in rows]) + "\n"


def source(path):
    return (ROOT / path).read_text()


def words(name):
    """pairingPublicKey: Pairing Public Key"""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name[0].upper() + name[1:])


# Conformance


TESTS = {}


def tests(pattern, *folders):
    """Files of tests that contain a pattern."""
    if not TESTS:
        for path in sorted((ROOT / "Tests").rglob("*.swift")):
            text = path.read_text()
            TESTS[path] = text, set(re.findall(r"\w+", text.lower()))
    # To search takes long: only where one of the pattern's words is.
    names = set(re.findall(r"\w\w+", pattern.replace(r"\b", " ").lower()))
    found = [
        path.stem for path, (text, words) in TESTS.items()
        if any(folder in str(path) for folder in folders or [""]) and "/Fuzz/" not in str(path)
        and names & words and re.search(pattern, text)
    ]
    return list(dict.fromkeys(found))


def tested(rows):
    """Which suites name the PDUs of a table, and which PDUs no suite names. `rows` are PDUs with their suites."""
    suites = sorted({suite for _, found in rows for suite in found})
    missing = [name for name, found in rows if not found]
    return f"Tests: {', '.join(suites)}." + (f" Without a test: {', '.join(missing)}." if missing else "") + "\n\n"


def conformance(attlas):
    found = collections.Counter()
    values = collections.defaultdict(set)

    def show(name):
        return name, run(attlas, "show", "--json", "--hci", f"Captures/{name}").stdout.splitlines()

    for name, lines in each(show, CAPTURES):
        for line in lines:
            event = json.loads(line)
            kind = event["type"]
            if kind in ("att", "smp") or kind == "l2cap" and "code" in event:
                found[kind, (event.get("opcode") or event["code"]).lower()] += 1
            if kind == "hci" and "name" in event:
                found[kind, event["name"]] += 1
            attribute = event.get("descriptor") or event.get("characteristic")
            if attribute and event.get("fields"):
                values[attribute["uuid"]].add(name.removesuffix(".btsnoop"))

    page = """# Coverage and tests
This page lists what attlas decodes, and the tests of it. The tests compare it with the output of Documentation/pages.py. "Captures" are those of Captures/, recorded from real stacks.

## Capture formats
"""
    rows = []
    for name in re.findall(r"(\w+)\.self", source("Sources/AttlasCapture/CaptureReader+Formats.swift")) + ["BTSnooz"]:
        folder = ROOT / "Captures/malformed"
        damaged = len([path for path in folder.iterdir() if path.name.startswith(name.lower() + "-")])
        suites = tests(rf"(?i)\b{name}\b", "AttlasCaptureTests", "AttlasInputTests", "AttlasRecordsTests", "AttlasSourcesTests")
        rows.append([name, ", ".join(suites) or "–", damaged])
    page += table(["format", "tests", "malformed files in Captures/malformed/"], rows)

    page += "\n## ATT\nEvery field of every PDU is decoded; each PDU has a test of its octets, of every shorter prefix and of its lengths. "
    views = dict(re.findall(r"case (0x\w\w): self = \.\w+\(try (\w+)\(", source("Sources/AttlasWire/ATT/ATTPDU.swift")))
    rows, suites = [], []
    for code, name in re.findall(r'case (0x\w\w):\s+\.init\(\.\w+, "([^"]+)"', source("Sources/AttlasWire/ATT/ATTOpcode.swift")):
        view = views.get(code, name.replace(" ", ""))
        suites.append((name, tests(rf"\b{view}\b", "AttlasWireTests/ATT")))
        rows.append([code, name, found["att", code.lower()]])
    page += tested(suites) + table(["opcode", "PDU", "in captures"], rows)

    page += "\n## Security Manager Protocol\n"
    rows, suites = [], []
    for code, name, view in re.findall(r"case (0x\w\w): self = \.(\w+)\(try (\w+)\(", source("Sources/AttlasWire/SMP/SMPPDU.swift")):
        suites.append((words(name), tests(rf"\b{view}\b|\.{name}\b", "AttlasWireTests", "AttlasTraceTests")))
        rows.append([code, words(name), found["smp", code.lower()]])
    page += tested(suites) + table(["code", "PDU", "in captures"], rows)

    page += "\n## L2CAP signalling\n"
    suites = []
    for name in re.findall(r"case (?!other)(\w+)\(\w+\)", source("Sources/AttlasWire/L2CAP/L2CAPSignalParameters.swift")):
        suites.append((words(name).replace("Le ", "LE "), tests(rf"\.{name}\b", "AttlasWireTests/L2CAP")))
    page += f"Every field is decoded of {', '.join(name for name, _ in suites)}. " + tested(suites)

    fields = re.findall(r"^    case (?!other)(\w+)\(", source("Sources/AttlasWire/LinkLayer/LLControlPDU.swift"), re.M)
    opcodes = [name for name, _ in re.findall(r'Definition\("(\w+)", (\w+)', source("Sources/AttlasWire/LinkLayer/LLControlOpcode.swift"))]
    page += f"""## LL control PDUs (captures from the air)
Fields: {', '.join(words(name) for name in fields)}.

Names and lengths: {', '.join(opcodes)}.

""" + tested([(name, tests(rf"\b{name}\b")) for name in opcodes])

    page += """## Hostile input
Every parser of untrusted octets is a target of the fuzzer. Each run of the tests gives every target generated and kept inputs (`SeededFuzzTests`); `make fuzz` adds libFuzzer's;
`make mutate` damages every capture in every way. See [SECURITY.md](../SECURITY.md) and [limits.md](limits.md).

"""
    rows = []
    for reads, target in targets():
        with zipfile.ZipFile(ROOT / f"Tests/Fuzz/corpus/{target}.zip") as kept:
            rows.append([target, reads.rstrip("."), len(kept.namelist())])
    page += table(["target", "input", "kept inputs"], rows)

    listed = json.loads(run(attlas, "dissectors", "list", "--json").stdout)
    hci = listed["hci"]
    seen_hci = len({name for kind, name in found if kind == "hci"})
    page += f"""
## HCI
Definitions read {hci['commands']} commands, {hci['results']} results of commands, {hci['events']} events, {hci['le_events']} LE events, {hci['ll_control_pdus']} LL control PDUs and {hci['monitor_records']} kinds of records of the Linux
monitor, field by field. The captures have {seen_hci} of them. `HCIParametersTests` compares octets written by hand; `ShippedDefinitionTests` runs the examples of the files.

"""
    count = lambda path: (path, run(attlas, "dissectors", "check", path).stdout)

    def named(item):
        return item["name"] + ("" if item["confidence"] == "A" else f" ({item['confidence']})")

    attributes = {item["uuid"]: named(item) for item in listed["definitions"] if "uuid" in item and not item["kind"].endswith("data")}

    def files(folder):
        """Each file with its numbers of definitions and examples, its attributes, and the captures with values of them."""
        rows = []
        for path, text in each(count, sorted(str(path.relative_to(ROOT)) for path in (ROOT / folder).glob("*.yaml"))):
            number = re.match(r"1 file, (\d+) definitions?, (\d+) examples?: all right", text)
            uuids = dict.fromkeys(uuid.upper() for uuid in re.findall(r"uuid: ([0-9A-Fa-f-]{4,36})", source(path)))
            names = [attributes[uuid] for uuid in uuids if uuid in attributes]
            where = sorted(set().union(*(values[uuid] for uuid in uuids if uuid in values)))
            rows.append([
                path.rsplit("/", 1)[1], number[1] if number else "–", number[2] if number else "–", ", ".join(names) or "–",
                ", ".join(where) or "–"])
        return rows

    def counted(rows):
        return f"Files, with their definitions and examples: {', '.join(f'{name} ({definitions}, {examples})' for name, definitions, examples, *_ in rows)}.\n"

    page += counted(files("Dissectors/hci") + files("Dissectors/link-layer"))
    coverage = listed["coverage"]
    page += f"""
## Values of attributes
Of {coverage['assigned']} characteristics that the SIG assigned, {coverage['defined']} have a definition: {coverage['confidence_a']} from the specification (A), {coverage['confidence_b']} from one source (B), {coverage['confidence_c']} known in part
(C). {coverage['named_decoders']} layouts are code, the others are data. `ShippedDefinitionTests` runs every example: octets, fields, text. The lists name B and C; the rest is A. `attlas dissectors list` prints every definition with its UUID or other condition.

### Services of the SIG
"""
    described = ["file", "examples", "attributes", "captures with values"]
    page += table(described, [[row[0], *row[2:]] for row in files("Dissectors")])
    page += "\n### Vendors\n" + table(described[:3], [[row[0], *row[2:4]] for row in files("Dissectors/vendors")])
    page += "\n### Single devices, used with `--dissectors`\n" + counted(files("Dissectors/vendors/devices"))
    page += "\n### Advertised data\n"
    advertised = collections.defaultdict(list)
    for item in listed["definitions"]:
        if item["kind"].endswith("data"):
            advertised[item["kind"]].append(named(item))
    page += table(["kind", "definitions"], [[kind, ", ".join(items)] for kind, items in sorted(advertised.items())])
    return page


# Comparison

# Capture, frame, what differs, who is right, and by which section. Core Specification.
DIFFERENCES = [
    ("both-roles", 147, "The watch reads an attribute of the phone. tshark has one attribute table for a connection, and shows the watch's name for this handle.",
     "attlas is right: a handle names an attribute of one server (Vol 3, Part F, 3.2.2)"),
    ("handle-reused", 156, "Another device has the connection handle. tshark reads its value as the earlier device's, and calls the packet malformed.",
     "attlas is right: the attribute is unknown, because its device was not discovered (Vol 3, Part F, 3.2.2)"),
    ("eatt", 141, "A Read Request on an enhanced bearer. tshark 4.0 shows data of a channel.",
     "attlas is right: the channel was opened for ATT, with PSM 0x0027 (Vol 3, Part G, 5.3)"),
    ("long-read", 144, "The last part of a long read is empty. tshark calls it malformed.",
     "attlas is right: a part may be empty, if the offset is the length of the value (Vol 3, Part F, 3.4.4.5)"),
    ("two-peripherals", 167, "Two connections discover at the same time. tshark matches the response to the other search, and calls it malformed.",
     "attlas is right: requests and responses belong to one bearer of one connection (Vol 3, Part F, 3.3.2)"),
]


def comparison(attlas):
    tshark = re.match(r"TShark \(Wireshark\) (\S+?)\.? ", run("tshark", "--version").stdout)[1]
    btmon = run("btmon", "--version").stdout.strip()

    def row(name):
        path = f"Captures/{name}"
        own = run(attlas, "show", "--json", path).stdout
        ours = [json.loads(line) for line in own.splitlines()]
        operations = sum(event["type"] == "att" for event in ours)
        faults = sum('"fault":' in line or '"type":"fault"' in line for line in own.splitlines())
        theirs = run("tshark", "-r", path, "-Y", "btatt", "-T", "fields", "-e", "btatt.opcode").stdout
        malformed = run("tshark", "-r", path, "-Y", "_ws.malformed && bthci_acl", "-T", "fields", "-e", "frame.number").stdout.split()
        monitor = run("btmon", "-r", path)
        attempts = len(re.findall(r"^ +E?ATT: ", monitor.stdout, re.M)) if monitor.returncode == 0 else "crashes"
        return [name, operations, len(re.findall(r"0x", theirs)), attempts, faults, ", ".join(malformed) or "–"]

    page = f"""# attlas compared with tshark and btmon
This page compares the output of attlas with tshark {tshark} and btmon {btmon}, on the captures of Captures/. The tests compare it with the output of Documentation/pages.py.

## ATT PDUs that each finds
By `attlas show --json FILE`, `tshark -r FILE -Y btatt` and `btmon -r FILE`. The last two columns are values and packets that attlas calls faulty, and frames with ACL data that tshark calls malformed.

"""
    page += table(["capture", "attlas", "tshark", "btmon", "faults", "malformed for tshark"], each(row, CAPTURES))
    fields = run(sys.executable, "Tests/CommandTests/compare-tshark.py", attlas, *(f"Captures/{name}" for name in CAPTURES))
    page += f"""
## Fields of values
attlas finds every field of tshark's at the same octets, with the same number (Tests/CommandTests/compare-tshark.py):

```text
{fields.stdout.strip().splitlines()[-1]}
```

## Where they differ, and who is right
"""
    for capture, frame, what, judgement in DIFFERENCES:
        path = f"Captures/{capture}.btsnoop"
        ours = run(attlas, "show", "--frames", str(frame), path).stdout.split("\n\n")[1].rstrip()
        theirs = run("tshark", "-r", path, "-Y", f"frame.number == {frame}", "-T", "fields", "-e", "_ws.col.Info").stdout.rstrip()
        page += f"""
### {capture}, frame {frame}
{what} {judgement}.

```text
$ attlas show --frames {frame} {path}
{ours}
$ tshark -r {path} -Y 'frame.number == {frame}' -T fields -e _ws.col.Info
{theirs}
```
"""
    page += """
## Only in tshark and btmon
They decode some profiles of BR/EDR (A2DP, HFP, RFCOMM, SDP, OBEX) and contents of isochronous streams. attlas names these packets.
"""
    return page


# Measurements


def targets():
    """What each target of the fuzzer reads."""
    return re.findall(r"/// (.+)\n    case (\w+)", source("Sources/AttlasFuzz/FuzzTarget.swift"))


def fuzzed(target):
    """Of libFuzzer's log: how long it ran, what it executed and reached, and what broke."""
    log = (ROOT / f".build/measured/fuzz/{target}.log").read_text(errors="replace")
    executed = int(re.search(r"stat::number_of_executed_units: (\d+)", log)[1])
    seconds = int(re.search(r"Done \d+ runs in (\d+) second", log)[1])
    edges, inputs = re.findall(r"cov: (\d+) ft: \d+ corp: (\d+)", log)[-1]
    return seconds, executed, edges, inputs, len(re.findall(r"^SUMMARY|^Fatal error", log, re.M)) or "none"


def measured(attlas):
    cpu = re.search(r"Model name:\s*(.+)", run("lscpu").stdout)[1]
    bench = (ROOT / ".build/measured/bench.md").read_text().strip()
    page = f"""# Measurements
This page is made by `make measured`: it runs `make bench` and `make fuzz`, and writes down what they say. [performance.md](performance.md) explains the figures.

- Commit {run("git", "rev-parse", "--short=10", "HEAD").stdout.strip()} of {run("git", "log", "-1", "--format=%cs").stdout.strip()}, {run("swift", "--version").stdout.splitlines()[0]}.
- Machine: {os.cpu_count()} processors, {cpu}, {os.uname().sysname} {os.uname().release}.

## Speed
The commands write to `/dev/null` or to a file, as the rows say. Figures are medians; the last column is the width of the middle half of them.

{bench}

## Fuzzing
libFuzzer with AddressSanitizer, from the kept inputs. What each target reads is in [conformance.md](conformance.md#hostile-input).

"""
    return page + table(["target", "seconds", "inputs executed", "edges reached", "inputs kept", "failures"],
                        [(target, *fuzzed(target)) for _, target in targets()])


def main():
    pages = {"conformance": conformance, "comparison": comparison, "measured": measured}
    sys.stdout.write(pages[sys.argv[2]](sys.argv[1]))


main()
