"""A test farm's logs, made of the recorded conversations: python fleet_captures.py FOLDER COUNT

Each log is a conversation at another time, at another pace, in the folder of a phone; some devices have another firmware, and some have lost
their bond. Ten of two thousand files, and at least four, cannot be read, or not to their end.
"""
import gzip
import struct
import sys
import zipfile
from pathlib import Path

CAPTURES = Path(__file__).resolve().parents[2] / "Captures"
PHONES = ["pixel-8", "galaxy-s24", "moto-g84", "fairphone-5"]
HEADER = 16
# Of a record of btsnoop: original length, included length, flags, drops, microseconds.
RECORD = struct.Struct(">IIIIQ")
# An HCI packet with Encryption Change, whose status follows, and with Firmware Revision String as heart-rate.btsnoop has it.
ENCRYPTED = b"\x04\x08\x04\x00"
FIRMWARE = b"2.4.1"


def records(octets):
    place = HEADER
    while place < len(octets):
        head = RECORD.unpack_from(octets, place)
        place += RECORD.size
        yield head, octets[place:place + head[1]]
        place += head[1]


def varied(octets, number, turn):
    """The same conversation: `number` hours later, slower by a quarter for each step of the firmware, and with a lost bond in one of seven."""
    firmware = turn % 4
    made = [octets[:HEADER]]
    first = None
    for (original, included, flags, drops, time), packet in records(octets):
        first = time if first is None else first
        time = first + (time - first) * (4 + firmware) // 4 + number * 3_600_000_000
        packet = packet.replace(FIRMWARE, b"2.4.%d" % firmware)
        if number % 7 == 3 and packet.startswith(ENCRYPTED):
            packet = ENCRYPTED[:3] + b"\x06" + packet[4:]
        made += [RECORD.pack(original, included, flags, drops, time), packet]
    return b"".join(made)


def conversations():
    """The recorded conversations that the logs are made of, in turn."""
    return [path for path in sorted(CAPTURES.glob("*.btsnoop")) if path.stat().st_size < 40_000]


def place(folder, number):
    """Where the log with this number is."""
    return Path(folder) / PHONES[number % len(PHONES)] / f"{number:05}.log"


def make(folder, count):
    """Writes `count` files. Returns those that are broken."""
    originals = [path.read_bytes() for path in conversations()]
    kinds = max(count // 200, 4)
    broken = {count * (2 * kind + 1) // (2 * kinds): kind for kind in range(kinds)}
    made = []
    for number in range(count):
        turn = number // len(originals)
        octets = varied(originals[number % len(originals)], number, turn)
        path = place(folder, number)
        path.parent.mkdir(parents=True, exist_ok=True)
        if number in broken:
            # Each another one: of files that are alike, a store has one.
            other = b"This is log %d of something else.\n" % number
            octets = [
                b"" if broken[number] == 0 else b"%d" % number, other * 40, octets[:-9], octets[:HEADER] + b"\xFF" * (400 + number),
            ][broken[number] % 4]
            made.append(path)
        elif number % 50 == 11:
            path = path.with_suffix(".log.gz")
            octets = gzip.compress(octets, mtime=0)
        elif number % 50 == 12:
            path = path.with_suffix(".log.zip")
            with zipfile.ZipFile(path, "w") as archive:
                archive.writestr("FS/data/misc/bluetooth/logs/btsnoop_hci.log", octets)
                archive.writestr("FS/data/misc/bluetooth/logs/btsnoop_hci.log.last", varied(originals[0], number + 1, turn))
            continue
        path.write_bytes(octets)
    return made


if __name__ == "__main__":
    for path in make(sys.argv[1], int(sys.argv[2])):
        print(path, "is broken")
