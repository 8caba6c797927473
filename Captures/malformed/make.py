#!/usr/bin/env python3
"""Builds the other files of this folder: one file, one fault, named after it.

The octets come from the formats' specifications, not from attlas. Run it again after a change; the files are committed.
"""
import base64
import io
import pathlib
import struct
import tarfile
import zipfile
import zlib

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


# PacketLogger: either byte order.
def packet_logger(kind, packet, length=None, order="<"):
    length = len(packet) + 9 if length is None else length
    return struct.pack(order + "III", length, SECONDS, 0) + bytes([kind]) + packet


# hcidump: little-endian.
def hcidump(packet, received=0, length=None):
    length = len(packet) if length is None else length
    return struct.pack("<HBBII", length, received, 0, SECONDS, 0) + packet


# btsnooz: little-endian, zlib, base64 in a text.
def snooz(kind, packet, length=None):
    length = len(packet) + 1 if length is None else length
    return struct.pack("<HHIB", length, length, 1000, kind) + packet


def bug_report(records, version=2, keep=None, end=True):
    log = struct.pack("<BQ", version, SECONDS * 1_000_000) + records
    lines = base64.encodebytes(log).decode()[:keep]
    text = "== dumpstate: 2026-01-01\n--- BEGIN:BTSNOOP_LOG_SUMMARY (1 bytes in) ---\n" + lines
    return (text + ("--- END:BTSNOOP_LOG_SUMMARY ---\n" if end else "")).encode()


# Compressed files and archives, without anything that changes from run to run.
def gzip(octets):
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    return packer.compress(octets) + packer.flush()


def zip_archive(files):
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as writer:
        for name, octets in files:
            writer.writestr(zipfile.ZipInfo(name), octets, zipfile.ZIP_DEFLATED)
    return archive.getvalue()


def tar_archive(files):
    archive = io.BytesIO()
    with tarfile.open(fileobj=archive, mode="w", format=tarfile.USTAR_FORMAT) as writer:
        for name, octets in files:
            entry = tarfile.TarInfo(name)
            entry.size = len(octets)
            writer.addfile(entry, io.BytesIO(octets))
    return archive.getvalue()


CONVERSATION = [phdr(REQUEST), phdr(RESPONSE, 1)]
LOG = btsnoop_header() + btsnoop(REQUEST) + btsnoop(RESPONSE, 1)
SNOOZ = snooz(0x21, REQUEST[1:]) + snooz(0x11, RESPONSE[1:])
ZIP = zip_archive([("hci.log", LOG)])
ACL_SENT, ACL_RECEIVED = packet_logger(2, REQUEST[1:]), packet_logger(3, RESPONSE[1:])
START = section() + interface(201) + enhanced(CONVERSATION[0])

# The air: Access Address, header, L2CAP, Handle Value Notification, and no true CRC.
NOTIFICATION = bytes.fromhex("78563412 0208 0400 0400 1B 0300 48 112233")


def air(packet, flags=0x0C01):
    return struct.pack("<BbBBIH", 1, -60, 128, 0, 0, flags) + packet


def nordic(packet, version=3):
    return struct.pack("<BHBHB", 1, len(packet) + 10, version, 1, 6) \
        + struct.pack("<BBBBHI", 10, 0x01, 5, 60, 1, 1000) + packet


def ppi(packet, link_type=251):
    return struct.pack("<BBHI", 0, 0, 8, link_type) + packet


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
    "pcap-baseband-255.pcap": pcap_header(255) + pcap(bytes.fromhex("D6BE898E 0000 000000")),
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
    "pcapng-interface-of-link-type-255.pcapng":
        START + interface(255) + enhanced(bytes(9), interface=1) + enhanced(CONVERSATION[1]),
    "pcapng-baseband-255.pcapng": section() + interface(255) + enhanced(bytes(9)) + enhanced(bytes(9)),
    "pcap-nrf-sniffer-version-9.pcap":
        pcap_header(272) + pcap(nordic(NOTIFICATION)) + pcap(nordic(NOTIFICATION, version=9)) + pcap(nordic(NOTIFICATION)),
    "pcap-air-whitened.pcap":
        pcap_header(256) + pcap(air(NOTIFICATION)) + pcap(air(NOTIFICATION, flags=0x0C00)) + pcap(air(NOTIFICATION)),
    "pcap-ppi-around-wifi.pcap":
        pcap_header(192) + pcap(ppi(NOTIFICATION)) + pcap(ppi(b"\0" * 24, link_type=105)) + pcap(ppi(NOTIFICATION)),
    "pcapng-section-without-byte-order.pcapng":
        START + section(magic=0) + enhanced(CONVERSATION[1]),
    "gzip-named-btsnoop.btsnoop": bytes.fromhex("1F8B080000000000") + bytes(20),
    "btsnoop-datalink-1003.btsnoop": btsnoop_header(1003) + btsnoop(REQUEST),
    "btsnoop-datalink-2002.btsnoop": btsnoop_header(2002) + btsnoop(REQUEST),
    "packetlogger-length-zero.pklg": ACL_SENT + packet_logger(0, COMMAND[1:], length=0) + ACL_RECEIVED,
    "packetlogger-length-beyond-the-end.pklg": ACL_SENT + packet_logger(0, COMMAND[1:], length=9999) + ACL_RECEIVED,
    "packetlogger-record-cut-short.pklg": ACL_SENT + ACL_RECEIVED[:-3],
    "packetlogger-byte-order-changes.pklg":
        ACL_SENT + packet_logger(3, RESPONSE[1:], order=">") + ACL_RECEIVED,
    "hcidump-length-beyond-the-end.hcidump": hcidump(REQUEST) + hcidump(COMMAND, length=9999) + hcidump(RESPONSE, 1),
    "hcidump-direction-of-two.hcidump": hcidump(REQUEST) + hcidump(COMMAND, received=2) + hcidump(RESPONSE, 1),
    "hcidump-record-cut-short.hcidump": hcidump(REQUEST) + hcidump(RESPONSE, 1)[:-3],
    "btsnooz-version-3.txt": bug_report(zlib.compress(SNOOZ), version=3),
    "btsnooz-length-zero.txt":
        bug_report(zlib.compress(SNOOZ[:20] + snooz(0x20, COMMAND[1:], length=0) + SNOOZ[20:])),
    "btsnooz-without-zlib.txt": bug_report(SNOOZ),
    "btsnooz-text-cut-short.txt": bug_report(zlib.compress(SNOOZ), keep=30, end=False),
    "gzip-cut-short.btsnoop.gz": gzip(LOG)[:-20],
    "zip-without-a-capture.zip": zip_archive([("readme.txt", b"nothing here"), ("data.bin", bytes(range(200)))]),
    "zip-file-damaged.zip": ZIP[:37] + b"\xFF" * 8 + ZIP[45:],
    "tar-cut-short.tar": tar_archive([("hci.log", LOG)])[:512 + 60],
}

for name, octets in FILES.items():
    (HERE / name).write_bytes(octets)
