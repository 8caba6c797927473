"""Writers of small captures for the scripts of this folder."""
import struct
import sys

# Microseconds from the year 0 to 1970, as btsnoop counts.
BTSNOOP_EPOCH = 0x00DCDDB30F2F8000
MONITOR, H4 = 2001, 1002
COMMAND, EVENT, ACL_TX, ACL_RX, ISO_TX, ISO_RX = 2, 3, 4, 5, 18, 19


def btsnoop(path, records, link=H4, start=1_700_000_000_000_000):
    """Records are (flags, octets), with the original length and the time in µs since 1970 if given; by default 1 ms apart."""
    out = bytearray(b"btsnoop\0" + struct.pack(">II", 1, link))
    for number, (flags, octets, *rest) in enumerate(records):
        original = rest[0] if rest and rest[0] is not None else len(octets)
        time = rest[1] if len(rest) > 1 else start + number * 1000
        out += struct.pack(">IIIIq", original, len(octets), flags, 0, time + BTSNOOP_EPOCH) + octets
    open(path, "wb").write(out)


def pcap(path, link, packets, start=1_700_000_000):
    """Packets are octets, or (octets, original length)."""
    out = bytearray(struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, link))
    for number, packet in enumerate(packets):
        octets, original = packet if isinstance(packet, tuple) else (packet, len(packet))
        out += struct.pack("<IIII", start, number * 1000, len(octets), original) + octets
    open(path, "wb").write(out)


def block(kind, body):
    """A block of pcapng."""
    body += bytes(-len(body) % 4)
    return struct.pack("<II", kind, len(body) + 12) + body + struct.pack("<I", len(body) + 12)


def option(code, value):
    return struct.pack("<HH", code, len(value)) + value + bytes(-len(value) % 4)


def section(link, options=b""):
    """The header of a section and its interface."""
    return block(0x0A0D0D0A, struct.pack("<IHHq", 0x1A2B3C4D, 1, 0, -1)) + block(1, struct.pack("<HHI", link, 0, 0) + options)


def packet(octets, options=b"", interface=0, time=1_700_000_000_000_000):
    """An Enhanced Packet Block."""
    body = struct.pack("<IIIII", interface, time >> 32, time & 0xFFFFFFFF, len(octets), len(octets))
    return block(6, body + octets + bytes(-len(octets) % 4) + options)


def acl(handle, channel, payload, boundary=2):
    """An ACL packet with a whole L2CAP PDU, without the octet of H4."""
    frame = struct.pack("<HH", len(payload), channel) + payload
    return struct.pack("<HH", handle | boundary << 12, len(frame)) + frame


def att(hexadecimal, handle=0x0040):
    return acl(handle, 4, bytes.fromhex(hexadecimal))


def connected(handle=0x0040, address=b"\x01\x02\x03\x04\x05\xc6", status=0):
    """LE Connection Complete: central, random address, 30 ms, 5 s."""
    return bytes.fromhex("3E1301") + struct.pack("<BHBB6sHHHB", status, handle, 0, 1, address, 24, 0, 500, 0)


def disconnected(handle=0x0040):
    return bytes.fromhex("0504") + struct.pack("<BHB", 0, handle, 0x13)


def sent(octets, kind=2):
    """A record of H4 in the direction of the controller."""
    return (2 if kind == 1 else 0, bytes([kind]) + octets)


def received(octets, kind=2):
    return (3 if kind == 4 else 1, bytes([kind]) + octets)


def event(octets):
    return received(octets, 4)


def urb(kind, transfer, endpoint, octets=b"", setup=b"", length=0):
    """A packet of link type 220: `kind` is S (submitted) or C (completed), `transfer` 1 (interrupt) or 2 (control)."""
    return struct.pack("<QBBBBHBBqiiII", 1, ord(kind), transfer, endpoint, 5, 1, 0 if setup else ord("-"), 0 if octets else ord("<"),
                       1_700_000_000, 0, 0, length or len(octets), len(octets)) + (setup or bytes(8)) + struct.pack("<iiII", 0, 0, 0, 0) + octets


def usb_controller():
    """What the host reads when the adapter is plugged in, by which tshark knows it as a Bluetooth controller."""
    device = bytes.fromhex("12010002E00101405D7E01000001000000 01")
    settings = bytes.fromhex("0902190001010080FA 09040000 01E0010100 07058103100001")
    return [urb("S", 2, 0x80, setup=bytes.fromhex("8006000100001200"), length=18), urb("C", 2, 0x80, device),
            urb("S", 2, 0x80, setup=bytes.fromhex("8006000200001900"), length=25), urb("C", 2, 0x80, settings),
            urb("S", 2, 0x00, setup=bytes.fromhex("0009010000000000")), urb("C", 2, 0x00)]
