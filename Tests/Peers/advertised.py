"""Advertised values as Python's libraries read them, compared with attlas on random and corner payloads.

    python Tests/Peers/advertised.py ATTLAS [--seed N] [--count N] [--peer NAME]

Each peer makes advertisements, asks its library for numbers, and names the fields of attlas that have the same numbers. One process of attlas reads
all advertisements from one capture. A disagreement that was judged by the maker's description has a line in `judged.tsv`; any other ends the script
with status 1. The versions are in requirements.txt. CI does not run it: `make test-peers` does."""
import argparse
import json
import random
import struct
import subprocess
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
HERE = Path(__file__).parent
CORNERS = (0x00, 0x01, 0x7F, 0x80, 0xFE, 0xFF)


@dataclass
class Advertisement:
    name: str = ""
    address: str = "AA:BB:CC:DD:EE:FF"
    services: list = field(default_factory=list)
    service_data: dict = field(default_factory=dict)
    manufacturer: dict = field(default_factory=dict)
    # The octets of a characteristic instead, which is notified.
    value: bytes = b""

    def octets(self):
        """Its AD structures."""
        def structure(kind, value):
            return bytes([len(value) + 1, kind]) + value
        out = b""
        for uuid in self.services:
            value = bytes.fromhex(uuid.replace("-", ""))[::-1]
            out += structure(0x03 if len(value) == 2 else 0x07, value)
        for uuid, value in self.service_data.items():
            out += structure(0x16, struct.pack("<H", uuid) + value)
        for company, value in self.manufacturer.items():
            out += structure(0xFF, struct.pack("<H", company) + value)
        return out + (structure(0x09, self.name.encode()) if self.name else b"")


def octets(source, count):
    """Random octets, of which some are corners, or all are the same corner."""
    draw = source.random()
    if draw < 0.1:
        return bytes([source.choice(CORNERS)]) * count
    return bytes(source.choice(CORNERS) if source.random() < 0.3 else source.randrange(256) for _ in range(count))


def capture(path, advertisements):
    """A btsnoop log of LE Extended Advertising Reports. Returns the frame of the first."""
    with open(path, "wb") as out:
        out.write(b"btsnoop\0" + struct.pack(">II", 1, 1002))
        for number, each in enumerate(advertisements):
            data = each.octets()
            body = bytes([0x0D, 1]) + struct.pack("<HB6sBBBbbHB6sB", 0x0010, 0, bytes.fromhex(each.address.replace(":", ""))[::-1],
                                                  1, 0, 0xFF, 127, -60, 0, 0, bytes(6), len(data)) + data
            event = b"\x04\x3e" + bytes([len(body)]) + body
            out.write(struct.pack(">IIIIq", len(event), len(event), 3, 0, 0x00E2E7D7274DC000 + number) + event)
    return 1


def conversation(path, uuid, values):
    """A btsnoop log in which a characteristic is discovered and notified. Returns the frame of the first notification."""
    def acl(pdu):
        return b"\x02" + struct.pack("<HHHH", 0x2040, len(pdu) + 4, len(pdu), 4) + pdu
    packets = [(3, bytes.fromhex("043E1301004000000101020304 05C6180000 00F40100")), (0, acl(bytes.fromhex("080100FFFF0328"))),
               (1, acl(bytes.fromhex("09150200120300") + bytes.fromhex(uuid.replace("-", ""))[::-1]))]
    packets += [(1, acl(b"\x1b\x03\x00" + value)) for value in values]
    with open(path, "wb") as out:
        out.write(b"btsnoop\0" + struct.pack(">II", 1, 1002))
        for number, (flags, packet) in enumerate(packets):
            out.write(struct.pack(">IIIIq", len(packet), len(packet), flags, 0, 0x00E2E7D7274DC000 + number * 1000) + packet)
    return 4


def flattened(fields, out):
    """Names and numbers of fields: None for special values; the label of a named number; a list of a repeated one."""
    for each in fields or []:
        if "repeats" in each:
            for value in each["repeats"]:
                flattened(value["fields"], out)
            continue
        if isinstance(each.get("value"), list):
            out[each["name"]] = each["value"]
            continue
        out[each["name"]] = None if "special" in each else each.get("label", each.get("value"))
        for flag in each.get("set", []):
            out[flag] = 1
        flattened(each.get("fields"), out)
    return out


def read_by_attlas(attlas, advertisements, characteristic):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "advertised.btsnoop"
        first = conversation(path, characteristic, [each.value for each in advertisements]) if characteristic else capture(path, advertisements)
        run = subprocess.run([attlas, "show", "--json", "--hci", "--dissectors", str(HERE.parent.parent / "Dissectors"), str(path)],
                             capture_output=True, text=True, check=False)
    found = {}
    for line in run.stdout.splitlines():
        event = json.loads(line)
        if event["type"] == "advertising":
            values = {}
            found[event["frame"]] = values
            for part in event.get("service_data", []) + event.get("manufacturer_data", []):
                flattened(part.get("fields"), values)
        elif event["type"] == "att":
            found[event["frame"]] = flattened(event.get("fields"), {})
    return [found.get(number + first, {}) for number in range(len(advertisements))]


def same(one, other, rounding):
    """Equal up to the rounding of the library, or to a part of 2,000. Not a number is none."""
    one, other = (None if value != value else value for value in (one, other))
    if one is None or other is None or isinstance(one, str) or isinstance(other, str):
        return one == other
    return abs(float(one) - float(other)) <= max(rounding, abs(float(one)) / 2000)


def judged():
    """The rows of judged.tsv: peer, quantity, condition, reason."""
    return [tuple(line.split("\t")) for line in (HERE / "judged.tsv").read_text().splitlines() if line and not line.startswith("#")]


def holds(condition, theirs, ours):
    try:
        return eval(condition, {}, {"theirs": theirs, "ours": ours, "abs": abs})  # pylint: disable=eval-used
    except TypeError:
        return False


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("attlas")
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 32))
    parser.add_argument("--count", type=int, default=3000)
    parser.add_argument("--peer", action="append", dest="peers", help="only this one; may be repeated")
    options = parser.parse_args()
    print("seed", options.seed)
    from peers import PEERS
    rows, used, unexpected = judged(), Counter(), 0
    for peer in PEERS:
        if options.peers and peer.name not in options.peers:
            continue
        source = random.Random(f"{options.seed} {peer.name}")
        advertisements = [peer.make(source) for _ in range(options.count)]
        theirs = [peer.ask(each) for each in advertisements]
        ours = [peer.translate(each) for each in read_by_attlas(options.attlas, advertisements, peer.characteristic)]
        compared, differ, examples = 0, Counter(), {}
        for advertisement, their, our in zip(advertisements, theirs, ours):
            for quantity in their if peer.partial else their.keys() | our.keys():
                one, other = their.get(quantity), our.get(quantity)
                if one is None and other is None:
                    continue
                compared += 1
                if same(one, other, peer.rounding):
                    continue
                row = next((each for each in rows if each[:2] == (peer.name, quantity) and holds(each[2], one, other)), None)
                if row:
                    used[row] += 1
                    continue
                differ[quantity] += 1
                examples.setdefault(quantity, []).append(f"{(advertisement.value or advertisement.octets()).hex()}: library {shown(one)}, attlas {shown(other)}")
        read = sum(bool(each) for each in theirs)
        print(f"{peer.name}: {len(advertisements)} payloads, {read} read by the library, {compared} values, {sum(differ.values())} differ")
        for quantity, count in differ.items():
            print(f"  {quantity}: {count}, for example\n    " + "\n    ".join(examples[quantity][:3]))
        unexpected += sum(differ.values())
    for (name, quantity, _, reason), count in used.items():
        print(f"judged: {name}, {quantity}: {count}: {reason}")
    sys.exit(1 if unexpected else 0)


def shown(value):
    return "none" if value is None else f"{value:g}" if isinstance(value, float) else str(value)


if __name__ == "__main__":
    main()
