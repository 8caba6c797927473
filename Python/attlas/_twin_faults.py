"""Faults that a twin plays: `notify FFE4 3 short by 2`, `read 2A19 late 31s`, `connection disconnect 0x13 after 5s`."""
from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Callable, Dict, List, Optional, Sequence

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


def _effects(grammar: str) -> Dict[str, List[str]]:
    """The effects of each operation."""
    rows = re.findall("^  ([a-z|]+) (?:ATTRIBUTE \\[N\\] )?(.*)$", grammar, re.M)
    return {name: [effect.split()[0] for effect in effects.split(" | ")] for names, effects in rows for name in names.split("|")}


@dataclass
class Fault:
    text: str
    operation: str
    effect: str
    handle: Optional[int] = None
    number: Optional[int] = None
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
        return self.number is None or self.seen == self.number or (self.effect in ("stop", "on") and self.seen > self.number)


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

    def of(self, operation: str) -> Optional[Fault]:
        """The fault of what has no attribute: `connection`, `pairing`."""
        return next((fault for fault in self.all if fault.operation == operation), None)

    def has(self, operation: str, effect: str) -> bool:
        return any((fault.operation, fault.effect) == (operation, effect) for fault in self.all)


def _seconds(text: str) -> float:
    match = re.fullmatch(r"(\d+(?:\.\d+)?)(ms|s)", text)
    if not match:
        raise ValueError
    return float(match[1]) / (1000 if match[2] == "ms" else 1)


def _code(text: str) -> int:
    code = int(text, 16) if text.lower().startswith("0x") else int(text)
    if not 0 < code <= 0xFF:
        raise ValueError
    return code


def parse(text: str, model: Model, role: str = "device") -> Fault:
    """Raises attlas.Error, with the grammar, for what is not a fault."""
    try:
        return _parse(text, text.split(), model, _effects(GRAMMAR[role]))
    except (IndexError, KeyError, ValueError):
        raise Error(f'--fault "{text}": {GRAMMAR[role]}') from None


def _parse(text: str, words: List[str], model: Model, effects: Dict[str, List[str]]) -> Fault:
    fault = Fault(text, words.pop(0), "")
    allowed = effects[fault.operation]
    has_attribute = fault.operation in ("read", "write", "notify", "indicate")
    if has_attribute:
        fault.handle = model.handle(words.pop(0))
        if words[0].isdigit():
            fault.number = int(words.pop(0))
            if fault.number < 1:
                raise ValueError
    fault.effect = words.pop(0)
    if fault.effect not in allowed:
        raise ValueError
    if fault.effect == "late":
        fault.seconds = _seconds(words.pop(0))
    elif fault.effect == "refused" and has_attribute:
        fault.code = _code(words.pop(0))
    elif fault.effect == "disconnect":
        fault.code = _code(words.pop(0)) if words and words[0] != "after" else 0x13
        if words and not has_attribute:
            if words.pop(0) != "after":
                raise ValueError
            fault.seconds = _seconds(words.pop(0))
    elif fault.effect == "short":
        if words.pop(0) != "by" or not words[0].isdigit():
            raise ValueError
        fault.count = int(words.pop(0))
    elif fault.effect == "is":
        fault.octets = bytes.fromhex(words.pop(0) + "".join(words))
        words.clear()
    elif fault.effect == "on":
        fault.count = model.handle(words.pop(0))
    elif fault.effect == "ask" and fault.operation == "update":
        fault.count = int(words.pop(0)) if words else 1
    if words:
        raise ValueError
    return fault
