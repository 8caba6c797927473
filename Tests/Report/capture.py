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


# Shortened name, URI, data of a manufacturer, of a service with 16 bits, 32 and 128; broadcast name.
_ADVERTISED = [0x08, 0x24, 0xFF, 0x16, 0x20, 0x21, 0x30]


def octets(count):
    """A capture with `count` names, each of another device, advertised data and values."""
    records = [b"btsnoop\0" + struct.pack(">II", 1, 1002)]
    clock = itertools.count(0, 1_000)
    texts = [f"{text}{number}".encode()[:200] for number, text in zip(range(count), itertools.cycle(TEXTS))]
    for number, text in enumerate(texts):
        data = bytes([len(text) + 1, 0x09]) + text
        address = struct.pack("<I", number) + b"\x05\xc6"
        records.append(_event(b"\x02\x01\x00\x01" + address + bytes([len(data)]) + data + b"\xc8", next(clock)))
        data = bytes([len(text) + 1, _ADVERTISED[number % len(_ADVERTISED)]]) + text
        records.append(_event(b"\x02\x01\x04\x01" + address + bytes([len(data)]) + data + b"\xc8", next(clock)))
    records.append(_event(bytes.fromhex("01004000 0001 0000000005c6 1800 0000 4800 00"), next(clock)))
    # Device Name, Manufacturer Name String, and a characteristic that nobody knows, which describes itself.
    discovered = bytes.fromhex("0907 0200020300002a 0400020500292a 0600020700aaaa")
    records += [_acl(bytes.fromhex("080100ffff0328"), True, next(clock)), _acl(discovered, False, next(clock))]
    records += [_acl(bytes.fromhex("0408000800"), True, next(clock)), _acl(bytes.fromhex("050108000129"), False, next(clock))]
    for number, text in enumerate(texts):
        handle = bytes([[3, 5, 7, 8][number % 4], 0])
        records += [_acl(b"\x0a" + handle, True, next(clock)), _acl(b"\x0b" + text, False, next(clock))]
    records += [_acl(b"\x12\x05\x00" + texts[0], True, next(clock)), _acl(b"\x01\x12\x05\x00\x80", False, next(clock))]
    records.append(_record(bytes.fromhex("04 05 04 00 4000 13"), False, next(clock)))
    return b"".join(records)


def recorder():
    """A pcapng file whose recorder calls itself, its interfaces and its packets what could be markup."""

    def block(kind, body):
        return struct.pack("<II", kind, len(body) + 12) + body + struct.pack("<I", len(body) + 12)

    def option(code, text):
        octets = text.encode()[:240]
        return struct.pack("<HH", code, len(octets)) + octets + bytes(-len(octets) % 4)

    # Comment, hardware, operating system, program.
    section = b"".join(option(1 + number % 4, text) for number, text in enumerate(TEXTS)) + bytes(4)
    # Comment, name, description, hardware, operating system.
    interface = b"".join(option([1, 2, 3, 15, 12][number % 5], text) for number, text in enumerate(TEXTS)) + bytes(4)
    blocks = [
        block(0x0A0D0D0A, struct.pack("<IHHq", 0x1A2B3C4D, 1, 0, -1) + section),
        block(1, struct.pack("<HHI", 201, 0, 0) + interface),
    ]
    for number, text in enumerate(TEXTS):
        sent = number % 2 == 0
        pdu = b"\x0a\x03\x00" if sent else b"\x0b" + text.encode()[:200]
        l2cap = struct.pack("<HH", len(pdu), 4) + pdu
        flags = 0x0040 | (0 if sent else 0x2000)
        packet = struct.pack(">I", 0 if sent else 1) + b"\x02" + struct.pack("<HH", flags, len(l2cap)) + l2cap
        head = struct.pack("<IIIII", 0, 0x00065000, number * 1_000, len(packet), len(packet))
        blocks.append(block(6, head + packet + bytes(-len(packet) % 4) + option(1, text) + bytes(4)))
    return b"".join(blocks)


def firmware(version):
    """A heart rate belt with firmware 1 or 2: the second has one attribute more, answers later, and loses the contact."""
    records = [b"btsnoop\0" + struct.pack(">II", 1, 1002)]
    time = 0

    def add(pdu, sent, milliseconds):
        nonlocal time
        time += milliseconds * 1_000
        records.append(_acl(bytes.fromhex(pdu), sent, time))

    def ask(request, answer, milliseconds):
        add(request, True, 20)
        add(answer, False, milliseconds)

    name = b"Belt"
    data = bytes([len(name) + 1, 0x09]) + name
    address = bytes.fromhex("0100000005c6")
    records.append(_event(b"\x02\x01\x00\x01" + address + bytes([len(data)]) + data + b"\xc8", time))
    records.append(_event(bytes.fromhex("01004000 0001 0100000005c6 1800 0000 4800 00"), time))
    last = "0a00" if version == 1 else "0c00"
    ask("10 0100 ffff 0028", f"11 06 0100 {last} 0d18", 40)
    ask("08 0100 ffff 0328", "09 07 0200 10 0300 372a 0500 02 0600 382a", 40)
    if version == 2:
        ask("08 0600 ffff 0328", "09 07 0700 08 0800 392a", 40)
    ask("04 0400 0400", "05 01 0400 0229", 40)
    ask("12 0400 0100", "13", 40)
    for number in range(40):
        # The contact in the flags: not detected, detected, and with the second firmware gone at times.
        isContact = number % 20 >= 3
        flags = 0x06 if isContact else 0x04
        if version == 2 and number % 10 > 7:
            flags = 0x00
        rate = 70 + number % 17 + (9 if version == 2 and number > 25 else 0)
        add(f"1b 0300 {flags:02x} {rate:02x}", False, 1_000 if version == 1 else 700)
        if number % 2 == 0:
            ask("0a 0600", "0b 01", 30 if version == 1 else 55 + number)
    if version == 2:
        ask("0a 0900", "01 0a 0900 01", 40)
    records.append(_record(bytes.fromhex("04 05 04 00 4000 13"), False, time + 1_000_000))
    return b"".join(records)


def visits():
    """Two devices, one after the other. Of the first, Battery Level is read at 2 s, and refused at 3 s; its connection ends at 4 s. The second
    advertises at 5 s, connects at 6 s, and notifies at 7 s and at 8 s."""
    records = [b"btsnoop\0" + struct.pack(">II", 1, 1002)]

    def heard(name, address, time):
        data = bytes([len(name) + 1, 0x09]) + name
        records.append(_event(b"\x02\x01\x00\x01" + bytes.fromhex(address) + bytes([len(data)]) + data + b"\xc8", time))

    def connected(address, time):
        records.append(_event(bytes.fromhex(f"01004000 0001 {address} 1800 0000 4800 00"), time))

    def ask(request, answer, time):
        records.append(_acl(bytes.fromhex(request), True, time))
        records.append(_acl(bytes.fromhex(answer), False, time + 50_000))

    def discover(service, properties, characteristic, time):
        ask("10 0100 ffff 0028", f"11 06 0100 0300 {service}", time)
        ask("08 0100 0300 0328", f"09 07 0200 {properties} 0300 {characteristic}", time + 100_000)

    heard(b"Lock", "0100000005c6", 0)
    connected("0100000005c6", 1_000_000)
    discover("0f18", "02", "192a", 1_100_000)
    ask("0a 0300", "0b 5a", 2_000_000)
    ask("0a 0300", "01 0a 0300 05", 3_000_000)
    records.append(_record(bytes.fromhex("04 05 04 00 4000 13"), False, 4_000_000))
    heard(b"Belt", "0200000005c6", 5_000_000)
    connected("0200000005c6", 6_000_000)
    discover("0d18", "10", "372a", 6_100_000)
    records.append(_acl(bytes.fromhex("1b 0300 00 48"), False, 7_000_000))
    records.append(_acl(bytes.fromhex("1b 0300 00 49"), False, 8_000_000))
    return b"".join(records)
