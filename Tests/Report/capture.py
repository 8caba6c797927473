"""A capture of devices that call themselves whatever could be markup, a script or a mark of the writing direction."""

import itertools
import struct

TEXTS = [
    "</script><script>document.title='hit'</script>",
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "\" onmouseover=\"alert(1)\" x=\"",
    "' autofocus onfocus='alert(1)",
    "javascript:alert(1)",
    "</title></style></svg></table><h1>hit</h1>",
    "<!--",
    "]]><svg onload=alert(1)>",
    "&lt;b&gt; &#60;b&#62; &amp;",
    "{{1+1}} ${alert(1)} <%= 1 %>",
    "\u202eevil\u202c \u2067x\u2069",
    "\x1b[2J\x07\x00\x7f",
    "\u200b\u2060\ufeff\u00ad",
    "Ω≈ç√∫ 한국어 العربية עברית",
    "👩‍👩‍👧‍👦" * 9,
    "x" * 240,
    "a\u0301" * 60,
    "<iframe srcdoc='<script>parent.document.title=1</script>'>",
    "<base href='//example.invalid/'><meta http-equiv=refresh content=0>",
]


def _record(packet, sent, time):
    header = struct.pack(">IIIIq", len(packet), len(packet), 0 if sent else 1, 0, 0x00DCDDB30F2F8000 + time)
    return header + packet


def _acl(pdu, sent, time):
    l2cap = struct.pack("<HH", len(pdu), 4) + pdu
    return _record(b"\x02" + struct.pack("<HH", 0x0040 | (0 if sent else 0x2000), len(l2cap)) + l2cap, sent, time)


def _event(parameters, time):
    return _record(b"\x04\x3e" + bytes([len(parameters)]) + parameters, False, time)


def octets(count):
    """A capture with so many names, each of another device, and as many values."""
    records = [b"btsnoop\0" + struct.pack(">II", 1, 1002)]
    clock = itertools.count(0, 1_000)
    texts = [f"{text}{number}".encode()[:200] for number, text in zip(range(count), itertools.cycle(TEXTS))]
    for number, text in enumerate(texts):
        data = bytes([len(text) + 1, 0x09]) + text
        address = struct.pack("<I", number) + b"\x05\xc6"
        records.append(_event(b"\x02\x01\x00\x01" + address + bytes([len(data)]) + data + b"\xc8", next(clock)))
    records.append(_event(bytes.fromhex("01004000 0001 0000000005c6 1800 0000 4800 00"), next(clock)))
    # Device Name, Manufacturer Name String, and a characteristic that nobody knows.
    discovered = bytes.fromhex("0907 0200020300002a 0400020500292a 0600020700aaaa")
    records += [_acl(bytes.fromhex("080100ffff0328"), True, next(clock)), _acl(discovered, False, next(clock))]
    for number, text in enumerate(texts):
        handle = bytes([3 + 2 * (number % 3), 0])
        records += [_acl(b"\x0a" + handle, True, next(clock)), _acl(b"\x0b" + text, False, next(clock))]
    records += [_acl(b"\x12\x05\x00" + texts[0], True, next(clock)), _acl(b"\x01\x12\x05\x00\x80", False, next(clock))]
    records.append(_record(bytes.fromhex("04 05 04 00 4000 13"), False, next(clock)))
    return b"".join(records)
