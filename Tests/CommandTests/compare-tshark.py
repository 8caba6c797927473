"""Compares what attlas and tshark read in the attribute values of captures, field by field.

usage: compare-tshark.py ATTLAS CAPTURE...

For every field that tshark finds in a value, attlas must have a field of the same octets with the same raw number (or the same
text). tshark 4.0 keeps one table of handles per adapter, so it reads the second device with a handle as the first: values that
it takes for another characteristic's are counted apart.
"""
import json
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

# Octets of the PDU before the value.
HEADERS = {0x0B: 1, 0x12: 3, 0x1B: 3, 0x1D: 3, 0x52: 3}


def leaves(fields):
    for field in fields:
        children = field.get("repeats", [])
        for child in children:
            yield from leaves(child["fields"])
        if not children and field.get("fields") and "offset" in field["fields"][0]:
            yield from leaves(field["fields"])
        elif not children:
            yield field


def own(capture, attlas):
    """frame -> (UUID, fields by (offset, length))"""
    output = subprocess.run([attlas, "show", "--json", capture], capture_output=True, text=True).stdout
    frames = {}
    for line in output.splitlines():
        event = json.loads(line)
        if event["type"] != "att" or not event.get("fields"):
            continue
        fields = {}
        for field in leaves(event["fields"]):
            values = field.get("raw", field.get("value"))
            values = values if isinstance(values, list) else [values]
            size = field["length"] // len(values) if values else field["length"]
            for index, value in enumerate(values):
                fields.setdefault((field["offset"] + index * size, size), []).append((field["name"], value, field))
        attribute = event.get("descriptor") or event.get("characteristic", {})
        frames[event["frame"]] = (attribute.get("uuid"), fields, event["value"])
    return frames


def theirs(capture):
    """(frame, UUID, name, offset, size, shown) of every field in a value"""
    process = subprocess.Popen(
        ["tshark", "-r", capture, "-Y", "btatt", "-T", "pdml"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    for _, packet in ElementTree.iterparse(process.stdout):
        if packet.tag != "packet":
            continue
        frame = int(next(f.get("show") for f in packet.iter("field") if f.get("name") == "num"))
        for pdu in packet.findall("proto[@name='btatt']"):
            opcode = next((int(f.get("show"), 16) for f in pdu if f.get("name") == "btatt.opcode"), None)
            if opcode not in HEADERS:
                continue
            start = int(pdu.get("pos")) + HEADERS[opcode]
            uuids = [f.get("show") for f in pdu.iter("field") if f.get("name") == "btatt.uuid16"]
            uuid = uuids[-1][2:].upper() if uuids else None
            for field in pdu:
                offset, size = int(field.get("pos")) - start, int(field.get("size"))
                if offset >= 0 and size > 0 and field.get("name") not in ("btatt.value", ""):
                    yield frame, uuid, field.get("name"), offset, size, field.get("show")
        packet.clear()


def is_same(shown, size, octets, candidates):
    for _, value, field in candidates:
        if isinstance(value, str):
            if shown.strip("\0") == value.strip("\0") or shown.replace(":", "") == value.lower():
                return True
            # A UUID, an address: their octets.
            if value.replace("-", "").lower() == octets[::-1].hex():
                return True
            continue
        number = int.from_bytes(octets, "little")
        bits = 8 * size
        signed = number - (1 << bits) if number >> (bits - 1) else number
        if value in (number, signed) or "bit_offset" in field:
            return True
    return False


def main():
    attlas, captures = sys.argv[1], sys.argv[2:]
    compared = differences = mistaken = unknown = 0
    for capture in captures:
        frames = own(capture, attlas)
        for frame, uuid, name, offset, size, shown in theirs(capture):
            if frame not in frames:
                unknown += 1
                continue
            own_uuid, fields, value = frames[frame]
            if own_uuid and uuid and own_uuid != uuid:
                mistaken += 1
                continue
            compared += 1
            octets = bytes.fromhex(value)[offset:offset + size]
            candidates = fields.get((offset, size), [])
            # What tshark shows as one field attlas may cut into several, all of them within it.
            inside = [k for k in fields if offset <= k[0] and k[0] + k[1] <= offset + size]
            covered = sum(length for _, length in set(inside))
            if is_same(shown, size, octets, candidates) or len(inside) > 1 and covered == size:
                continue
            differences += 1
            if differences <= 40:
                print(f"{capture} frame {frame} {uuid} {name} [{offset}, {size}] {shown}: attlas has "
                      f"{[(c[0], c[1]) for c in candidates] or sorted(fields)}")
    print(f"{compared} fields compared, {differences} differ, {mistaken} of values that tshark took for another "
          f"characteristic's, {unknown} in values attlas does not read")
    sys.exit(1 if differences or not compared else 0)


main()
