/// What generated Python modules begin with.
enum PythonRuntime {
    /// What modules with messages in parts have, too.
    static let joining = #"""


        class _Header(_NamedTuple):
            octets: int
            mask: int
            complete: int
            first: int
            middle: int
            last: int
            sequence: int
            kept: bool


        class _Joiner:
            _start = _end = _key = b""
            _stuffing = ""
            # An octet, and what the next one is inverted with.
            _escape: _Optional[_Tuple[int, int]] = None
            _key_start = 0
            _header: _Optional[_Header] = None

            def __init__(self) -> None:
                self._reset()

            def _reset(self) -> None:
                self._message = bytearray()
                self._parts = 0
                self._whole = False
                self._number: _Optional[int] = None

            @staticmethod
            def _need(input: _Input) -> _Optional[int]:
                """The octets of a message, of which the input has the first ones; None: not known yet."""
                return None

            def add(self, part: bytes) -> _Optional[bytes]:
                """The message that a part completes. After a pause, begin with a new joiner."""
                if self._whole:
                    self._reset()
                body = bytes(part)
                last = False
                if self._start:
                    need = self._need(_Input(bytes(self._message)))
                    long = need is not None and need < len(self._message) + len(body)
                    # One octet may be anything.
                    if self._parts and body.startswith(self._start) and (len(self._start) > 1 or self._escape or long):
                        self._reset()
                    if not self._parts:
                        if self._start not in body:
                            return None
                        body = body[body.index(self._start):]
                header = self._header
                if header is not None:
                    if len(body) < header.octets:
                        return None
                    number = int.from_bytes(body[:header.octets], "little")
                    state, sequence = number & header.mask, number & header.sequence
                    has_first = header.first != header.middle
                    first = has_first and state in (header.first, header.complete)
                    last = state in (header.last, header.complete)
                    step = header.sequence & -header.sequence
                    if first or self._number is not None and (self._number + step) & header.sequence != sequence:
                        self._reset()
                    if not self._parts and has_first and not first:
                        return None
                    if not header.kept or self._parts:
                        body = body[header.octets:]
                    self._number = sequence
                if len(self._message) + len(body) > 65536 or self._parts >= 4096:
                    self._reset()
                    return None
                self._message += body
                self._parts += 1
                need = self._need(_Input(bytes(self._message)))
                empty = self._stuffing != "" and not self._message.strip(self._end)
                ended = self._end != b"" and self._message.endswith(self._end) and not empty
                if not (last or ended or need is not None and need <= len(self._message)):
                    return None
                self._whole = True
                if self._stuffing:
                    frames = bytes(self._message).split(self._end)
                    self._message = bytearray(b"".join(self._unstuffed(frame) for frame in frames))
                self._message = bytearray(self._unescaped(self._message))
                self._message = bytearray(self._ciphered(self._message))
                return bytes(self._message)

            @classmethod
            def _ciphered(cls, message: _Union[bytes, bytearray]) -> bytes:
                if not cls._key:
                    return bytes(message)
                rest = message[cls._key_start:]
                key = cls._key * (len(rest) // len(cls._key) + 1)
                return bytes(message[:cls._key_start]) + bytes(a ^ b for a, b in zip(rest, key))

            @classmethod
            def _unescaped(cls, message: bytearray) -> bytearray:
                octets, is_escaped = bytearray(), False
                for octet in message:
                    if cls._escape and not is_escaped and octet == cls._escape[0]:
                        is_escaped = True
                    else:
                        octets.append(octet ^ cls._escape[1] if cls._escape and is_escaped else octet)
                        is_escaped = False
                return octets

            @classmethod
            def _escaped(cls, message: bytes) -> bytes:
                if not cls._escape:
                    return message
                octets, marks = bytearray(), {cls._escape[0], *cls._start, *cls._end}
                for place, octet in enumerate(message):
                    if len(cls._start) <= place < len(message) - len(cls._end) and octet in marks:
                        octets += bytes([cls._escape[0], octet ^ cls._escape[1]])
                    else:
                        octets.append(octet)
                return bytes(octets)

            @classmethod
            def _unstuffed(cls, frame: bytes) -> bytes:
                octets, rest = bytearray(), frame
                while rest:
                    octet, rest = rest[0], rest[1:]
                    if cls._stuffing == "cobs":
                        octets += rest[:octet - 1]
                        rest = rest[octet - 1:]
                        if octet < 0xFF and rest:
                            octets.append(0)
                    elif octet != 0xDB:
                        octets.append(octet)
                    elif rest:
                        octets.append({0xDC: 0xC0, 0xDD: 0xDB}.get(rest[0], rest[0]))
                        rest = rest[1:]
                return bytes(octets)

            @classmethod
            def _stuffed(cls, message: bytes) -> bytes:
                if cls._stuffing != "cobs":
                    return message.replace(b"\xDB", b"\xDB\xDD").replace(b"\xC0", b"\xDB\xDC") + b"\xC0"
                octets, place = bytearray(b"\x01"), 0
                for octet in message:
                    if octet:
                        octets.append(octet)
                        octets[place] += 1
                    if not octet or octets[place] == 0xFF:
                        place = len(octets)
                        octets.append(1)
                return bytes(octets) + b"\0"

            @classmethod
            def split(cls, message: bytes, size: int) -> _List[bytes]:
                """The parts of a message, of at most a number of octets."""
                rest = cls._escaped(cls._ciphered(message))
                if cls._stuffing:
                    rest = cls._stuffed(rest)
                parts: _List[bytes] = []
                own = cls._header
                while rest or not parts:
                    start = b""
                    if own is not None and (parts or not own.kept):
                        last = len(rest) <= max(1, size - own.octets)
                        state = (own.last if last else own.middle) if parts else own.complete if last else own.first
                        number = state | len(parts) * (own.sequence & -own.sequence) & own.sequence
                        start = number.to_bytes(own.octets, "little")
                    count = max(1, size - len(start))
                    parts.append(start + rest[:count])
                    rest = rest[count:]
                return parts
        """#

    static let text = #"""
        from dataclasses import dataclass as _dataclass, field as _field
        from enum import IntFlag as _IntFlag
        from struct import pack as _pack, unpack as _unpack
        from typing import ClassVar as _ClassVar, List as _List, NamedTuple as _NamedTuple, Optional as _Optional, Tuple as _Tuple, Union as _Union


        class CodecError(ValueError):
            """Why octets cannot be read, or a value cannot be written: "truncated", "size", "uuid length", "varint length",
            "checksum", "constant", "digits", "missing", "unexpected", "range" or "inconsistent"."""

            def __init__(self, reason: str, field: str) -> None:
                super().__init__(f"{reason}: {field}" if field else reason)
                self.reason = reason
                self.field = field


        class _Input:
            def __init__(self, octets: bytes) -> None:
                self.octets = bytes(octets)
                self.offset = 0
                self.end = len(self.octets)

            def take(self, count: int, field: str) -> bytes:
                if count < 0:
                    raise CodecError("size", field)
                if count > self.end - self.offset:
                    raise CodecError("truncated", field)
                self.offset += count
                return self.octets[self.offset - count:self.offset]

            def number(self, count: int, signed: bool, big: bool, field: str) -> int:
                return int.from_bytes(self.take(count, field), "big" if big else "little", signed=signed)

            def varint(self, field: str) -> int:
                number = 0
                for index in range(10):
                    octet = self.take(1, field)[0]
                    number |= (octet & 0x7F) << 7 * index
                    if octet < 0x80:
                        return number & 0xFFFFFFFFFFFFFFFF
                raise CodecError("varint length", field)

            def is_at(self, mark: bytes) -> bool:
                return self.octets.startswith(mark, self.offset, self.end)

            def constant(self, constant: bytes, field: str) -> None:
                if self.take(len(constant), field) != constant:
                    raise CodecError("constant", field)

            def take_until(self, mark: bytes, or_end: bool, field: str) -> bytes:
                """The octets before a mark, which is read, too."""
                place = self.octets.find(mark, self.offset, self.end)
                if place < 0:
                    if not or_end:
                        raise CodecError("truncated", field)
                    return self.take(self.end - self.offset, field)
                octets = self.take(place - self.offset, field)
                self.offset += len(mark)
                return octets

            def next(self, distance: int) -> int:
                return self.octets[self.offset + distance] if distance < self.end - self.offset else 0

            def enter(self, size: int, field: str) -> int:
                """Restricts what is read to a number of octets; returns the previous end."""
                if size < 0:
                    raise CodecError("size", field)
                if size > self.end - self.offset:
                    raise CodecError("truncated", field)
                end, self.end = self.end, self.offset + size
                return end


        def _piece(number: int, shift: int, bits: int, signed: bool) -> int:
            piece = number >> shift & (1 << bits) - 1
            return piece - (1 << bits) if signed and piece >> bits - 1 else piece


        def _signed(number: int) -> int:
            return _piece(number, 0, 64, True)


        def _quotient(a: int, b: int) -> int:
            return a // b if a >= 0 else -(-a // b)


        def _remainder(a: int, b: int) -> int:
            return a - b * _quotient(a, b)


        def _require(number: int, bits: int, signed: bool, field: str) -> None:
            if _piece(number, 0, bits, signed) != number:
                raise CodecError("range", field)


        def _write(output: bytearray, number: int, count: int, big: bool) -> None:
            output += (number & (1 << 8 * count) - 1).to_bytes(count, "big" if big else "little")


        def _write_varint(output: bytearray, number: int) -> None:
            while number >= 0x80:
                output.append(number & 0x7F | 0x80)
                number >>= 7
            output.append(number)


        def _until(content: bytes, mark: bytes, field: str) -> bytes:
            if (content + mark).find(mark) != len(content):
                raise CodecError("range", field)
            return content + mark


        def _zigzag(number: int, field: str) -> int:
            _require(number, 64, True, field)
            return number << 1 if number >= 0 else ~(number << 1)


        def _from_magnitude(number: int, bits: int) -> int:
            """The highest bit is the sign."""
            magnitude = _piece(number, 0, bits - 1, False)
            return -magnitude if number >> bits - 1 & 1 else magnitude


        def _magnitude(number: int, bits: int, field: str) -> int:
            _require(abs(number), bits - 1, False, field)
            return abs(number) | (1 << bits - 1 if number < 0 else 0)


        def _from_decimal(number: int, field: str) -> int:
            """A decimal digit in four bits each."""
            digits = f"{number & 0xFFFFFFFFFFFFFFFF:x}"
            if not digits.isdigit():
                raise CodecError("digits", field)
            return int(digits)


        def _decimal(number: int, bits: int, field: str) -> int:
            if number < 0 or len(str(number)) > bits // 4:
                raise CodecError("range", field)
            return int(str(number), 16)


        def _hexadecimal(number: int, count: int) -> int:
            """The characters of a number as one number."""
            return int.from_bytes(f"{number:0{count}X}"[-count:].encode(), "big")


        def _trimmed(text: bytes) -> bytes:
            return text.rstrip(b" \0").lstrip(b" ")


        def _text(text: bytes, base: int, field: str) -> int:
            """A number in characters, without its decimals; 0 if there are none."""
            text = _trimmed(text)
            if not text:
                return 0
            sign = text[:1] if base == 10 and text[:1] in (b"-", b"+") else b""
            whole, _, decimals = text[len(sign):].partition(b".") if base == 10 else (text, b"", b"")
            digits = whole + decimals
            known = b"0123456789" if base == 10 else b"0123456789abcdefABCDEF"
            if not 1 <= len(digits) <= (18 if base == 10 else 16) or digits.strip(known):
                raise CodecError("digits", field)
            number = int(whole or b"0", base)
            return -number if sign == b"-" else _signed(number)


        def _patch(output: bytearray, place: int, number: int, count: int, big: bool, field: str) -> None:
            if number < 0 or number >> 8 * count:
                raise CodecError("range", field)
            output[place:place + count] = number.to_bytes(count, "big" if big else "little")


        def _reversed(number: int) -> int:
            return int(f"{number:032b}"[::-1], 2)


        def _checksum(
            octets: _Union[bytes, bytearray], start: int, end: int, gap: int, gap_count: int, kind: int, width: int,
            polynomial: int, initial: int, reflected: bool, final: int, first: int, ends_before: bool,
        ) -> int:
            """A sum (0), an exclusive or (1) or a CRC (2). A sum has its modulus as polynomial, and is negated instead of
            reflected."""
            unused = 32 - width
            divisor = _reversed(polynomial) >> unused if reflected else polynomial << unused
            state = _reversed(initial) >> unused if reflected else initial << unused
            if kind < 2:
                state = initial
            if ends_before:
                end = gap
            has_gap = gap >= start + first and gap + gap_count <= end
            for index in range(start + first, end):
                if has_gap and gap <= index < gap + gap_count:
                    continue
                octet = octets[index]
                if kind < 2:
                    state = state ^ octet if kind else state + octet & 0xFFFFFFFF
                    continue
                state ^= octet if reflected else octet << 24
                for _ in range(8):
                    if reflected:
                        state = state >> 1 ^ (divisor if state & 1 else 0)
                    else:
                        state = state << 1 & 0xFFFFFFFF ^ (divisor if state >> 31 else 0)
            if kind == 2:
                return (state if reflected else state >> unused) ^ final
            if kind == 0:
                state = state % polynomial if polynomial else state
                state = -state if reflected else state
            return (state ^ final) & 0xFFFFFFFF >> unused


        def _nearest(
            number: float, factor: int, addend: int, divisor: int, least: int, greatest: int, field: str
        ) -> int:
            exact = (number * divisor - addend) / factor
            if not -9.3e18 < exact < 9.3e18:
                raise CodecError("range", field)
            whole = int(exact)
            rest = exact - whole
            raw = whole + (1 if rest >= 0.5 else -1 if rest <= -0.5 else 0)
            if not least <= raw <= greatest:
                raise CodecError("range", field)
            return raw


        def _medical(raw: int, bits: int) -> float:
            """IEEE 11073-20601: a mantissa and an exponent of ten."""
            mantissa = _piece(raw, 0, bits, True)
            exponent = _piece(raw, bits, 4 if bits == 12 else 8, True)
            greatest = (1 << bits - 1) - 1
            if exponent == 0:
                if mantissa == greatest - 1:
                    return float("inf")
                if mantissa == 1 - greatest:
                    return float("-inf")
                if mantissa == greatest or mantissa <= -greatest:
                    return float("nan")
            return float(f"{mantissa}e{exponent}")


        def _medical_raw(number: float, bits: int, field: str) -> int:
            greatest = (1 << bits - 1) - 1
            mask = (1 << bits) - 1
            if number != number:
                return greatest
            if number in (float("inf"), float("-inf")):
                return (greatest - 1 if number > 0 else 1 - greatest) & mask
            found: _Optional[int] = None
            mantissa = exponent = 0
            # The exponent nearest to 0 with which the number is exact, or else the smallest possible one.
            while (-8 if bits == 12 else -20) <= exponent <= (7 if bits == 12 else 20):
                scaled = number / 10 ** exponent if exponent > 0 else number * 10 ** -exponent
                nearest = int(scaled + (0.5 if scaled >= 0 else -0.5))
                if abs(nearest) <= greatest - 2:
                    found, mantissa = exponent, nearest
                    if exponent > 0 or float(f"{nearest}e{exponent}") == number:
                        break
                    exponent -= 1
                elif found is not None and found <= 0:
                    break
                else:
                    exponent += 1
            if found is None:
                raise CodecError("range", field)
            return (found & (0xF if bits == 12 else 0xFF)) << bits | mantissa & mask
        """#
}
