#!/usr/bin/env python3
"""pages.py ATTLAS conformance|comparison|measured: a page that says what attlas covers, how it compares with other programs, or what was measured.

Nothing in these pages is written by hand but the judgements in DIFFERENCES. `ATTLAS_UPDATE_EXPECTED=1 swift test --filter MadePagesTests`
writes the first two; the test fails when they are stale. To add a page, add it to MadePagesTests; a judged difference from tshark
is a row of DIFFERENCES with its section. `make measured` measures, and writes the third.
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
    """Files of tests in which a pattern stands."""
    if not TESTS:
        TESTS.update({path: path.read_text() for path in sorted((ROOT / "Tests").rglob("*.swift"))})
    found = [
        path.stem for path, text in TESTS.items()
        if any(folder in str(path) for folder in folders or [""]) and "/Fuzz/" not in str(path) and re.search(pattern, text)
    ]
    return ", ".join(dict.fromkeys(found)) or "–"


def seen(events):
    """How often, and where first."""
    if not events:
        return "–"
    capture, frame = events[0]
    often = "once" if len(events) == 1 else f"{len(events)} times"
    return f"{often}, first in {capture.removesuffix('.btsnoop')}, frame {frame}"


def conformance(attlas):
    found = collections.defaultdict(list)
    values = collections.defaultdict(set)

    def show(name):
        return name, run(attlas, "show", "--json", "--hci", f"Captures/{name}").stdout.splitlines()

    for name, lines in each(show, CAPTURES):
        for line in lines:
            event = json.loads(line)
            kind = event["type"]
            if kind in ("att", "smp") or kind == "l2cap" and "code" in event:
                found[kind, (event.get("opcode") or event["code"]).lower()].append((name, event["frame"]))
            if kind == "hci" and "name" in event:
                found[kind, event["name"]].append((name, event["frame"]))
            attribute = event.get("descriptor") or event.get("characteristic")
            if attribute and event.get("fields"):
                values[attribute["uuid"]].add(name.removesuffix(".btsnoop"))

    page = """# Coverage and tests
This page is made by a command (Documentation/pages.py) and compared with it in the tests. "Captures" are those of Captures/, recorded from real stacks.

## Capture formats
"""
    rows = []
    for name in re.findall(r"(\w+)\.self", source("Sources/AttlasCapture/CaptureReader+Formats.swift")) + ["BTSnooz"]:
        folder = ROOT / "Captures/malformed"
        damaged = len([path for path in folder.iterdir() if path.name.startswith(name.lower() + "-")])
        rows.append([name, tests(rf"(?i)\b{name}\b", "AttlasCaptureTests", "AttlasInputTests", "AttlasLiveTests"), damaged])
    page += table(["format", "tests", "malformed files in Captures/malformed/"], rows)

    page += "\n## ATT\nEvery field of every PDU is decoded; each has a test of its octets, of every shorter prefix and of its lengths.\n\n"
    views = dict(re.findall(r"case (0x\w\w): self = \.\w+\(try (\w+)\(", source("Sources/AttlasWire/ATT/ATTPDU.swift")))
    rows = []
    for code, name in re.findall(r'case (0x\w\w):\s+\.init\(\s*name: "([^"]+)"', source("Sources/AttlasWire/ATT/ATTOpcode.swift")):
        view = views.get(code, name.replace(" ", ""))
        rows.append([code, name, tests(rf"\b{view}\b", "AttlasWireTests/ATT"), seen(found["att", code.lower()])])
    page += table(["opcode", "PDU", "tests", "captures"], rows)

    page += "\n## Security Manager Protocol\n"
    rows = []
    for code, name, view in re.findall(r"case (0x\w\w): self = \.(\w+)\(try (\w+)\(", source("Sources/AttlasWire/SMP/SMPPDU.swift")):
        rows.append([code, words(name), tests(rf"\b{view}\b|\.{name}\b", "AttlasWireTests", "AttlasTraceTests"), seen(found["smp", code.lower()])])
    page += table(["code", "PDU", "tests", "captures"], rows)

    page += "\n## L2CAP signalling\n"
    rows = []
    for name in re.findall(r"case (?!other)(\w+)\(\w+\)", source("Sources/AttlasWire/L2CAP/L2CAPSignalParameters.swift")):
        rows.append([words(name).replace("Le ", "LE "), tests(rf"\.{name}\b", "AttlasWireTests/L2CAP")])
    page += table(["PDU", "tests"], rows)

    fields = re.findall(r"^    case (?!other)(\w+)\(", source("Sources/AttlasWire/LinkLayer/LLControlPDU.swift"), re.M)
    page += f"\n## LL control PDUs (captures from the air)\nNames and lengths of all, and the fields of these: {', '.join(words(name) for name in fields)}.\n\n"
    rows = []
    for code, (name, _) in enumerate(re.findall(r'Definition\("(\w+)", (\w+)', source("Sources/AttlasWire/LinkLayer/LLControlOpcode.swift"))):
        rows.append([f"0x{code:02X}", name, tests(rf"\b{name}\b")])
    page += table(["opcode", "PDU", "tests that name it"], rows)

    page += """
## Hostile input
What reads octets of others is a target of the fuzzer. Every target gets generated input and every kept input in each run of the tests (`SeededFuzzTests`), and libFuzzer's in `make fuzz`;
`make mutate` damages every capture in every way. [SECURITY.md](../SECURITY.md) and [limits.md](limits.md) say more.

"""
    rows = []
    for reads, target in targets():
        with zipfile.ZipFile(ROOT / f"Tests/Fuzz/corpus/{target}.zip") as kept:
            rows.append([target, reads.rstrip("."), len(kept.namelist())])
    page += table(["target", "what it reads", "kept inputs"], rows)

    listed = json.loads(run(attlas, "dissectors", "list", "--json").stdout)
    hci = listed["hci"]
    seen_hci = len({name for kind, name in found if kind == "hci"})
    page += f"""
## HCI
Definitions read {hci['commands']} commands, {hci['results']} results of commands, {hci['events']} events and {hci['le_events']} LE events, and {hci['monitor_records']} kinds of records of the Linux
monitor, field by field. {seen_hci} different ones are in the captures. `HCIParametersTests` compares octets written by hand; the examples of the files are run by `ShippedDefinitionTests`.

"""
    count = lambda path: (path, run(attlas, "dissectors", "check", path).stdout)

    def files(folder, recursive=False):
        rows = []
        for path, text in each(count, sorted(str(path.relative_to(ROOT)) for path in (ROOT / folder).glob("*.yaml"))):
            number = re.match(r"1 file, (\d+) definitions?, (\d+) examples?: all right", text)
            uuids = {uuid.upper() for uuid in re.findall(r"uuid: ([0-9A-Fa-f-]{4,36})", source(path))}
            where = sorted(set().union(*(values[uuid] for uuid in uuids if uuid in values)))
            rows.append([path.split("/", 1)[1], number[1] if number else "–", number[2] if number else "–", ", ".join(where) or "–"])
        return rows

    page += table(["file", "definitions", "examples"], [row[:3] for row in files("Dissectors/hci")])
    coverage = listed["coverage"]
    page += f"""
## Values of attributes
Of {coverage['assigned']} characteristics that the SIG assigned, {coverage['defined']} have a definition: {coverage['confidence_a']} as the specification has it (A), {coverage['confidence_b']} with one source (B), {coverage['confidence_c']} known in part
(C). {coverage['named_decoders']} layouts are code, the others are data. Every example of every file is run by `ShippedDefinitionTests`: octets, fields, text.

### Services of the SIG
"""
    titles = ["file", "definitions", "examples", "with values in the captures"]
    page += table(titles, files("Dissectors"))
    page += "\n### Vendors\n" + table(titles, files("Dissectors/vendors"))
    page += "\n### Single devices, used with `--dissectors`\n" + table(titles[:3], [row[:3] for row in files("Dissectors/vendors/devices")])
    page += "\n### Each definition\n"
    page += table(
        ["UUID, or what is recognized", "name", "of", "confidence"],
        [[item.get("uuid") or item["when"], item["name"], item["kind"], item["confidence"]] for item in listed["definitions"]])
    return page


# Comparison

# Capture, frame, what differs, who is right, and by which section. Core Specification.
DIFFERENCES = [
    ("both-roles", 147, "tshark has one table of attributes for a connection: what the watch reads from the phone gets the name of what the watch itself has at this handle.",
     "attlas: a handle names an attribute of one server (Vol 3, Part F, 3.2.2)"),
    ("handle-reused", 156, "Another device on the same connection handle: tshark reads its value as that of the device before, and calls the packet malformed.",
     "attlas: the attribute is unknown, because its device was not discovered (Vol 3, Part F, 3.2.2)"),
    ("eatt", 141, "A Read Request on an enhanced bearer: tshark 4.0 shows data of a channel.",
     "attlas: the channel was opened for ATT, with PSM 0x0027 (Vol 3, Part G, 5.3)"),
    ("long-read", 144, "The last part of a long read is empty: tshark calls it malformed.",
     "attlas: a part may have no octets, if the offset is the length of the value (Vol 3, Part F, 3.4.4.5)"),
    ("two-peripherals", 167, "Two connections have discoveries at the same time: tshark takes the response for one of the other search, and calls it malformed.",
     "attlas: requests and responses belong to one bearer of one connection (Vol 3, Part F, 3.3.2)"),
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
This page is made by a command (Documentation/pages.py) on the captures of Captures/, with tshark {tshark} and btmon {btmon}, and compared with it in the tests.

## ATT PDUs that each finds
`attlas show --json FILE`, `tshark -r FILE -Y btatt`, `btmon -r FILE`. The last two columns: values and packets that attlas calls faulty, and frames with ACL data that tshark calls malformed.

"""
    page += table(["capture", "attlas", "tshark", "btmon", "faults", "malformed for tshark"], each(row, CAPTURES))
    fields = run(sys.executable, "Tests/CommandTests/compare-tshark.py", attlas, *(f"Captures/{name}" for name in CAPTURES))
    page += f"""
## Fields of values
Every field that tshark finds in a value, attlas has at the same octets with the same number (Tests/CommandTests/compare-tshark.py):

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
{what} Right is {judgement}.

```text
$ attlas show --frames {frame} {path}
{ours}
$ tshark -r {path} -Y 'frame.number == {frame}' -T fields -e _ws.col.Info
{theirs}
```
"""
    page += """
## What the others have and attlas has not
Profiles of BR/EDR (A2DP, HFP, RFCOMM, SDP, OBEX) and the contents of isochronous streams: tshark and btmon decode some of them, attlas names the packets.
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
