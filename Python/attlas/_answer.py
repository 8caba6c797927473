"""Answers of attlas.mcp: JSON of bounded size that says what it leaves out."""
from __future__ import annotations

import json
from typing import Any, Dict, Optional

# Octets of an answer, of an entry in it, and of the sentences at its end.
ANSWER, ENTRY, SENTENCES = 24_000, 20_000, 3_000
# Characters of a text and members of a list in an entry that is too large: the first that fit.
_CUTS = ((1_000, 100), (400, 40), (200, 20), (80, 8), (40, 3))


# What str.isprintable takes for visible, and is not. Selectors of variants stay, as in the command's output.
_INVISIBLE = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u3164\uffa0")


def as_json(value: Any) -> str:
    """JSON with escapes for what is invisible or turns the writing direction."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    if text.isprintable() and _INVISIBLE.isdisjoint(text):
        return text
    return "".join(one if one.isprintable() and one not in _INVISIBLE else json.dumps(one)[1:-1] for one in text)


def _octets(value: Any) -> int:
    return len(as_json(value).encode())


def _cut(value: Any, characters: int, members: int) -> Any:
    """A value without the ends of long texts and lists; `KEY_left_out` counts what is missing."""
    if isinstance(value, str):
        return value if len(value) <= characters else value[:characters] + "…"
    if isinstance(value, list):
        return [_cut(member, characters, members) for member in value[:members]]
    if not isinstance(value, dict):
        return value
    cut = {}
    for key, member in value.items():
        cut[key] = _cut(member, characters, members)
        if isinstance(member, (str, list)):
            rest = len(member) - (characters if isinstance(member, str) else members)
            if rest > 0:
                cut[f"{key}_left_out"] = rest
    return cut


class Answer:
    """A JSON object: some members, and lists with the entries that fit."""

    def __init__(self, **members: Any) -> None:
        self.members: Dict[str, Any] = members
        self.count = 0
        self._octets = _octets(members)
        self._is_cut = False

    def add(self, key: str, entry: Any) -> bool:
        """Adds an entry to a list; False if there is no room. The first entry always fits."""
        room = ANSWER - SENTENCES - self._octets
        entry = self._fitting(entry, ENTRY if self.count else min(ENTRY, room))
        octets = _octets(entry) + 1
        if self.count and octets > room:
            return False
        self.members.setdefault(key, []).append(entry)
        self._octets += octets
        self.count += 1
        return True

    def _fitting(self, entry: Any, limit: int) -> Any:
        if _octets(entry) <= limit:
            return entry
        self._is_cut = True
        for characters, members in _CUTS:
            cut = _cut(entry, characters, members)
            if _octets(cut) <= limit:
                return cut
        return {"octets_left_out": _octets(entry)}

    def text(self, rest: Optional[str] = None, command: str = "") -> str:
        """The answer; `rest` says which entries are left out, and `command` prints them all."""
        sentences = [rest] if rest else []
        if self._is_cut:
            sentences.append(f"Long texts and lists are cut, and keys that end in _left_out count the rest. Complete: {command}")
        if sentences:
            self.members["left_out"] = " ".join(sentences)
        return as_json(self.members)
