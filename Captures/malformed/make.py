#!/usr/bin/env python3
"""Builds the files of this folder beside itself: one file, one fault, named after it.

The octets come from the formats' specifications, not from attlas. Run it again after a change; the files are committed.
"""
import pathlib
import struct

HERE = pathlib.Path(__file__).parent

COMMAND = bytes.fromhex("01 030C00")                            # Reset
EVENT = bytes.fromhex("04 0E 04 01 030C 00")                    # Command Complete
REQUEST = bytes.fromhex("02 4000 0700 0300 0400 0A 1900")       # Read Request, handle 0x0019
RESPONSE = bytes.fromhex("02 4020 0600 0200 0400 0B 64")        # Read Response
SECONDS = 1_767_225_600                                         # 2026-01-01


# btsnoop: big-endian throughout.
def btsnoop_header(datalink=1002):
    return b"btsnoop\0" + struct.pack(">II", 1, datalink)


def btsnoop(packet, received=0, original=None, included=None, drops=0, time=None):
    flags = received | (2 if packet[:1] in (b"\1", b"\4") else 0)
    original = len(packet) if original is None else original
    included = len(packet) if included is None else included
    time = 0x00DCDDB30F2F8000 + SECONDS * 1_000_000 if time is None else time
    return struct.pack(">IIIIQ", original, included, flags, drops, time) + packet


# pcap: little-endian here.
def pcap_header(link_type, magic=0xA1B2C3D4):
    return struct.pack("<IHHIIII", magic, 2, 4, 0, 0, 262144, link_type)


def pcap(packet, captured=None):
    captured = len(packet) if captured is None else captured
    return struct.pack("<IIII", SECONDS, 0, captured, max(captured, len(packet))) + packet


def phdr(packet, received=0):
    return struct.pack(">I", received) + packet


# pcapng: little-endian here.
def block(kind, body, length=None, trailing=None):
    body += bytes(-len(body) % 4)
    length = len(body) + 12 if length is None else length
    trailing = length if trailing is None else trailing
    return struct.pack("<II", kind, length) + body + struct.pack("<I", trailing)


def section(magic=0x1A2B3C4D):
    return block(0x0A0D0D0A, struct.pack("<IHHq", magic, 1, 0, -1))


def interface(link_type):
    return block(1, struct.pack("<HHI", link_type, 0, 0))


def enhanced(packet, interface=0, captured=None, **lengths):
    captured = len(packet) if captured is None else captured
    time = SECONDS * 1_000_000
    head = struct.pack("<IIIII", interface, time >> 32, time & 0xFFFFFFFF, captured, max(captured, len(packet)))
    return block(6, head + packet, **lengths)


CONVERSATION = [phdr(REQUEST), phdr(RESPONSE, 1)]
START = section() + interface(201) + enhanced(CONVERSATION[0])

FILES = {
    "empty.btsnoop": b"",
    "btsnoop-header-only.btsnoop": btsnoop_header(),
    "btsnoop-header-cut-short.btsnoop": btsnoop_header()[:14],
    "btsnoop-datalink-1004.btsnoop": btsnoop_header(1004) + btsnoop(REQUEST),
    "btsnoop-record-cut-short.btsnoop":
        btsnoop_header() + btsnoop(REQUEST) + btsnoop(RESPONSE, 1)[:-3],
    "btsnoop-record-header-cut-short.btsnoop":
        btsnoop_header() + btsnoop(REQUEST) + btsnoop(RESPONSE, 1)[:20],
    "btsnoop-included-beyond-original.btsnoop":
        btsnoop_header() + btsnoop(REQUEST) + btsnoop(COMMAND, original=2) + btsnoop(RESPONSE, 1),
    "btsnoop-included-length-4-gib.btsnoop":
        btsnoop_header() + btsnoop(REQUEST) + btsnoop(COMMAND, included=0xFFFFFFFF) + btsnoop(RESPONSE, 1),
    "btsnoop-length-beyond-the-end.btsnoop":
        btsnoop_header() + btsnoop(REQUEST) + btsnoop(COMMAND, original=9999, included=9999) + btsnoop(RESPONSE, 1),
    "btsnoop-packet-empty.btsnoop":
        btsnoop_header() + btsnoop(REQUEST) + btsnoop(b"") + btsnoop(RESPONSE, 1),
    "btsnoop-time-before-year-zero.btsnoop":
        btsnoop_header() + btsnoop(REQUEST, time=0x8000000000000000) + btsnoop(RESPONSE, 1),
    "btsnoop-drops-counter-restarts.btsnoop":
        btsnoop_header() + btsnoop(REQUEST, drops=5) + btsnoop(RESPONSE, 1, drops=2),
    "pcap-le-link-layer-251.pcap": pcap_header(251) + pcap(bytes.fromhex("D6BE898E 0000 000000")),
    "pcap-modified-by-kuznetzov.pcap": pcap_header(201, magic=0xA1B2CD34) + pcap(CONVERSATION[0]),
    "pcap-captured-length-4-gib.pcap":
        pcap_header(201) + pcap(CONVERSATION[0]) + pcap(CONVERSATION[0], captured=0xFFFFFFFF) + pcap(CONVERSATION[1]),
    "pcap-pseudo-header-cut-short.pcap":
        pcap_header(201) + pcap(CONVERSATION[0]) + pcap(b"\0\0\0") + pcap(CONVERSATION[1]),
    "pcap-record-cut-short.pcap": pcap_header(201) + pcap(CONVERSATION[0]) + pcap(CONVERSATION[1])[:-3],
    "pcapng-block-length-lies.pcapng":
        START + enhanced(CONVERSATION[0], trailing=60) + enhanced(CONVERSATION[1]),
    "pcapng-block-length-zero.pcapng":
        START + enhanced(CONVERSATION[0], length=0) + enhanced(CONVERSATION[1]),
    "pcapng-block-cut-short.pcapng": START + enhanced(CONVERSATION[1])[:-3],
    "pcapng-packet-beyond-its-block.pcapng":
        START + enhanced(CONVERSATION[0], captured=17) + enhanced(CONVERSATION[1]),
    "pcapng-interface-unknown.pcapng":
        START + enhanced(CONVERSATION[0], interface=7) + enhanced(CONVERSATION[1]),
    "pcapng-interface-of-link-type-251.pcapng":
        START + interface(251) + enhanced(bytes(9), interface=1) + enhanced(CONVERSATION[1]),
    "pcapng-le-link-layer-251.pcapng": section() + interface(251) + enhanced(bytes(9)) + enhanced(bytes(9)),
    "pcapng-section-without-byte-order.pcapng":
        START + section(magic=0) + enhanced(CONVERSATION[1]),
    "gzip-named-btsnoop.btsnoop": bytes.fromhex("1F8B080000000000") + bytes(20),
}

for name, octets in FILES.items():
    (HERE / name).write_bytes(octets)
