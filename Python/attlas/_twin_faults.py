"""Faults that a twin plays: `notify FFE4 3 short by 2`, `read 2A19 late 31s`, `connection disconnect 0x13 after 5s`."""
from __future__ import annotations

import re
from dataclasses import dataclass
from typing import List, Optional

from ._errors import Error
from ._twin_model import Model

OPERATIONS = ("read", "write", "notify", "indicate")
GRAMMAR = """a fault is one of
  read|write|notify|indicate ATTRIBUTE [N] late TIME | never | refused CODE | twice | short by N | is HEX | on HANDLE | stop | disconnect [CODE]
  connection disconnect [CODE] [after TIME]
  pairing refused | never | ask
  encryption refused
  update ask [N]
  advertising stop
ATTRIBUTE is a UUID, a handle (0x0010), or UUID/2902 for a descriptor; N is which one, from 1 (default: each); stop and on hold from then on"""


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


def parse(text: str, model: Model) -> Fault:
    """Raises attlas.Error, with the grammar, for what is not a fault."""
    words = text.split()
    try:
        return _parse(text, words, model)
    except (IndexError, ValueError):
        raise Error(f'--fault "{text}": {GRAMMAR}') from None


def _parse(text: str, words: List[str], model: Model) -> Fault:
    operation = words.pop(0)
    fault = Fault(text, operation, "")
    if operation in OPERATIONS:
        fault.handle = model.handle(words.pop(0))
        if words[0].isdigit():
            fault.number = int(words.pop(0))
            if fault.number < 1:
                raise ValueError
    fault.effect = words.pop(0)
    allowed = {
        "connection": ("disconnect",), "pairing": ("refused", "never", "ask"), "encryption": ("refused",), "update": ("ask",),
        "advertising": ("stop",),
    }.get(operation, ("late", "never", "refused", "twice", "short", "is", "on", "stop", "disconnect"))
    if operation not in OPERATIONS + ("connection", "pairing", "encryption", "update", "advertising") or fault.effect not in allowed:
        raise ValueError
    if fault.effect == "refused" and operation in ("notify", "indicate"):
        raise ValueError
    if fault.effect == "late":
        fault.seconds = _seconds(words.pop(0))
    elif fault.effect == "refused" and operation in OPERATIONS:
        fault.code = _code(words.pop(0))
    elif fault.effect == "disconnect":
        fault.code = _code(words.pop(0)) if words and words[0] != "after" else 0x13
        if words:
            if words.pop(0) != "after":
                raise ValueError
            fault.seconds = _seconds(words.pop(0))
    elif fault.effect == "short":
        if words.pop(0) != "by":
            raise ValueError
        fault.count = int(words.pop(0))
    elif fault.effect == "is":
        fault.octets = bytes.fromhex("".join(words))
        words.clear()
    elif fault.effect == "on":
        fault.count = model.handle(words.pop(0))
    elif fault.effect == "ask" and operation == "update":
        fault.count = int(words.pop(0)) if words else 1
    if words:
        raise ValueError
    return fault
