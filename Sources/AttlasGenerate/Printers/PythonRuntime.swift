/// What generated Python modules begin with.
enum PythonRuntime {
    static let text = #"""
        from dataclasses import dataclass as _dataclass, field as _field
        from struct import pack as _pack, unpack as _unpack
        from typing import ClassVar as _ClassVar, List as _List, Optional as _Optional, Union as _Union


        class CodecError(ValueError):
            """Why octets cannot be read, or a value cannot be written: "truncated", "size", "uuid length", "varint length",
            "checksum", "missing", "unexpected", "range" or "inconsistent"."""

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

            def terminated(self, field: str) -> bytes:
                zero = self.octets.find(0, self.offset, self.end)
                if zero < 0:
                    raise CodecError("truncated", field)
                octets = self.take(zero - self.offset, field)
                self.offset += 1
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


        def _patch(output: bytearray, place: int, number: int, count: int, big: bool, field: str) -> None:
            if number < 0 or number >> 8 * count:
                raise CodecError("range", field)
            output[place:place + count] = number.to_bytes(count, "big" if big else "little")


        def _reversed(number: int) -> int:
            return int(f"{number:032b}"[::-1], 2)


        def _checksum(
            octets: _Union[bytes, bytearray], start: int, end: int, gap: int, gap_count: int, width: int, polynomial: int,
            initial: int, reflected: bool, final: int, first: int, ends_before: bool,
        ) -> int:
            """The width 0 stands for a sum, 1 for an exclusive or, and others for a CRC."""
            unused = 32 - width
            divisor = _reversed(polynomial) >> unused if reflected else polynomial << unused
            state = _reversed(initial) >> unused if reflected else initial << unused
            if width < 2:
                state = 0
            for index in range(start + first, gap if ends_before else end):
                if gap <= index < gap + gap_count:
                    continue
                octet = octets[index]
                if width < 2:
                    state = state ^ octet if width else state + octet & 0xFF
                    continue
                state ^= octet if reflected else octet << 24
                for _ in range(8):
                    if reflected:
                        state = state >> 1 ^ (divisor if state & 1 else 0)
                    else:
                        state = state << 1 & 0xFFFFFFFF ^ (divisor if state >> 31 else 0)
            return (state if reflected else state >> unused) ^ final if width > 1 else state


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
