"""Faults that a twin plays: `notify FFE4 3 short by 2`, `read 2A19 late 31s`, `connection disconnect 0x13 after 5s`."""
from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Callable, Iterator, List, Optional, Sequence

from ._errors import Error
from ._twin_model import Model

_ATTRIBUTE = "ATTRIBUTE is a UUID, a handle (0x0010), or UUID/2902 for a descriptor; N is which one, from 1 (default: each); "
GRAMMAR = {
    "device": """a fault is one of
  read ATTRIBUTE [N] late TIME | never | refused CODE | twice | short by N | is HEX | stop | disconnect [CODE]
  write ATTRIBUTE [N] late TIME | never | refused CODE | twice | stop | disconnect [CODE]
  notify|indicate ATTRIBUTE [N] late TIME | never | twice | short by N | is HEX | on HANDLE | stop | disconnect [CODE]
  connection disconnect [CODE] [after TIME]
  pairing refused | never | ask
  encryption refused
  update ask [N]
  advertising stop
""" + _ATTRIBUTE + "stop and on hold from then on",
    "client": """a fault of a client is one of
  read ATTRIBUTE [N] never | stop | past
  write ATTRIBUTE [N] never | stop | unexecuted
  indicate ATTRIBUTE [N] never | late TIME
  update refused | never | unmade
  pairing again
  encryption early
  connection once | mistyped
""" + _ATTRIBUTE + "stop holds from then on",
}

_ATTRIBUTE_PATTERN = r"(?P<attribute>\S+) (?:(?P<number>[1-9]\d*) )?"
_WORDS = {
    "TIME": r"(?P<time>\d{1,6}(?:\.\d{1,3})?)(?P<unit>ms|s)", "CODE": r"(?P<code>0x[0-9A-Fa-f]{1,2}|[1-9]\d{0,2})", "N": r"(?P<count>[1-9]\d{0,2})",
    "HEX": r"(?P<octets>(?:[0-9A-Fa-f]{2} ?)+)", "HANDLE": r"(?P<on>\S+)"}


@dataclass
class Fault:
    text: str
    operation: str
    effect: str
    handle: Optional[int] = None
    number: int = 0  # 0: each
    seconds: float = 0.0
    code: int = 0
    octets: bytes = b""
    count: int = 0
    seen: int = 0

    def meets(self, operation: str, handle: int) -> bool:
        """Counts an operation, and says whether it is the one."""
        if (operation, handle) != (self.operation, self.handle):
            return False
        self.seen += 1
        return self.number in (0, self.seen) or (self.effect in ("stop", "on") and self.seen > self.number)

    def changed(self, value: bytes) -> bytes:
        """The value as it is sent."""
        if self.effect == "short":
            return value[: max(0, len(value) - self.count)]
        return self.octets if self.effect == "is" else value


class Faults:
    """The faults of one side: `device` or `client`."""

    def __init__(self, texts: Sequence[str], model: Model, role: str, log: Callable[[str], None]) -> None:
        self.all = [parse(text, model, role) for text in texts]
        self.log = log

    def met(self, operation: str, handle: int) -> List[Fault]:
        """The faults of this operation, which is counted."""
        met = [fault for fault in self.all if fault.meets(operation, handle)]
        for fault in met:
            self.log(f"fault     {fault.text}")
        return met

    def of(self, operation: str, effect: Optional[str] = None) -> Optional[Fault]:
        """The fault of what has no attribute: `connection`, `pairing`."""
        return next((fault for fault in self.all if fault.operation == operation and effect in (None, fault.effect)), None)


def _patterns(grammar: str) -> Iterator[str]:
    """The lines of a grammar as regular expressions."""
    for operations, attribute, effects in re.findall(r"^  ([a-z|]+) (ATTRIBUTE \[N\] )?(.*)$", grammar, re.M):
        for effect in effects.split(" | "):
            name, optional = effect.split(" ")[0], re.sub(r" \[([^]]*)\]", r"(?: \1)?", effect)
            rest = re.sub("[A-Z]+", lambda word: _WORDS[word[0]], optional[len(name):])
            yield f"(?P<operation>{operations}) {_ATTRIBUTE_PATTERN if attribute else ''}(?P<effect>{name}){rest}"


def parse(text: str, model: Model, role: str = "device") -> Fault:
    """Raises attlas.Error, with the grammar, for what is not a fault."""
    matches = (re.fullmatch(pattern, " ".join(text.split())) for pattern in _patterns(GRAMMAR[role]))
    found = next((match.groupdict("") for match in matches if match), {})
    code = int(found.get("code") or "0x13", 0)
    if not found or not 0 < code <= 0xFF:
        raise Error(f'--fault "{text}": {GRAMMAR[role]}')
    return Fault(
        text, found["operation"], found["effect"], number=int(found.get("number") or 0), code=code,
        handle=model.handle(found["attribute"]) if "attribute" in found else None,
        seconds=float(found.get("time") or 0) / (1000 if found.get("unit") == "ms" else 1),
        octets=bytes.fromhex(found.get("octets", "")),
        count=model.handle(found["on"]) if "on" in found else int(found.get("count") or 1))
