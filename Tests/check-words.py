#!/usr/bin/env python3
"""Finds habits of wording in comments, strings and documents, and `public` declarations without a doc comment. `make lint` runs it."""
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

# A habit, and what to write instead.
HABITS = {
    r"\bbehind\b": "after, later",
    r"\b(stands?|stood)\b(?! for)": "is, is shown",
    r"\bso many\b|\bas many as\b": "the number of …, N",
    r"\bof (its|their) own\b": "separate",
    r"\b(tells?|told) (apart|of|what|which|how)\b|\bcannot be told\b": "shows, reports, distinguishes",
    r"\bwhoever\b|\b(to|for) who\b": "readers, users, callers",
    r"\b(go|goes|going|gone|went) on\b": "continue",
    r"\b(is|was|are|were) there\b(?! (a|an|any|is|no)\b)": "exists, is present",
    r"\bsuch an?\b|\bof this kind\b": "like this, these",
    r"\bh[eo]ld\w* [\w ,]*\bagainst\b": "check against",
    r"\bbeside\b": "next to, compared with",
    r"\banew\b": "again, re-",
    r"\bbecomes? of\b": "happens to",
    r"\bmaking of (a|the|its) connection\b": "connection setup",
}
# Folders of Python files.
SCRIPTS = [".ci", "Captures", "Documentation", "Packaging", "Python", "Tests", "findings"]
# Where the words mean what they say.
ALLOWED = ["behind the live session"]
# A comment that does not begin with what the thing is. Not checked yet in these files, of which some print comments as output.
HEADLESS = re.compile(r"\s*///? ((?:Of|What) .*)")
UNCHECKED = (
    "Sources/AttlasCheck/Expectation.swift", "Sources/AttlasDefinitionFiles/DefinitionLoader.swift",
    "Sources/AttlasDissection/Definition/Scale.swift", "Sources/AttlasDocuments/Twin/CoreBluetoothMockRuntime.swift",
    "Sources/AttlasGenerate/", "Sources/AttlasIncidents/Incident.swift", "Sources/AttlasIncidents/SerialChannels.swift",
    "Sources/AttlasInference/", "Sources/AttlasLibrary/", "Sources/AttlasTesting/Expect", "Sources/AttlasValues/Serial",
    "Sources/attlas/Commands/Generate.swift")
PUBLIC = re.compile(r"(?:@\w+(?:\([^)]*\))? |static |final |mutating |borrowing |indirect )*public (?!import)")
ATTRIBUTE = re.compile(r"@\w+(?:\([^)]*\))?(?: @\w+(?:\([^)]*\))?)*$")
# The protocol has their comment.
WITNESS = re.compile(
    r"(?:let|var) (?:rawValue|description|startIndex|endIndex|allValueStrings|integrity|depth|wants\w+)\b|init\??\(rawValue"
    r"|func (?:hash|makeIterator|next|receive)\b|func (?:==|<) |func finish\(in ")
STRING = re.compile(r'"(?:[^"\\]|\\.)*"')


def texts(path):
    """Numbered parts of a file that people read."""
    is_code = is_docstring = False
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if path.suffix != ".md" and path.suffix != ".swift":
            was_docstring, is_docstring = is_docstring, is_docstring ^ (line.count('"""') % 2 == 1)
            comment = re.search(r"(?:^|\s)# (.*)", line)
            yield number, line if was_docstring or '"""' in line else comment[1] if comment else " ".join(STRING.findall(line))
            continue
        if path.suffix == ".md":
            if line.lstrip().startswith("```"):
                is_code = not is_code
            elif not is_code:
                yield number, re.sub(r"`[^`]*`", "", line)
            continue
        comment = re.search(r"(?:^|\s)///? (.*)", line)
        yield number, comment[1] if comment else " ".join(STRING.findall(line))


def undocumented(path):
    """Numbered public declarations without a comment."""
    lines = [line.strip() for line in path.read_text().splitlines()]
    for number, line in enumerate(lines):
        if PUBLIC.match(line) and not WITNESS.search(line):
            above = number - 1
            while ATTRIBUTE.match(lines[above]):
                above -= 1
            if not lines[above].startswith("///"):
                yield number + 1, line


def main():
    files = sorted([*(ROOT / "Sources").rglob("*.swift"), *(ROOT / "Tests").rglob("*.swift")])
    files += sorted((ROOT / "Documentation").glob("*.md")) + [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md")]
    # This file has the habits themselves.
    files += [ROOT / "Package.swift", ROOT / "Makefile", *(path for path in sorted((ROOT / ".ci").iterdir()) if path.is_file())]
    files += [path for top in SCRIPTS for path in sorted((ROOT / top).rglob("*.py")) if path != Path(__file__).resolve()]
    found = 0
    for path in sorted((ROOT / "Sources").rglob("*.swift")):
        for number, line in undocumented(path):
            print(f"{path.relative_to(ROOT)}:{number}: no doc comment, or no need to be public: {line}")
            found += 1
        if str(path.relative_to(ROOT)).startswith(UNCHECKED):
            continue
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if match := HEADLESS.match(line):
                print(f"{path.relative_to(ROOT)}:{number}: begin with what it is: {match[1]}")
                found += 1
    for path in files:
        for number, text in texts(path):
            for habit, instead in HABITS.items():
                match = re.search(habit, text, re.IGNORECASE)
                if match and not any(phrase in text for phrase in ALLOWED):
                    print(f"{path.relative_to(ROOT)}:{number}: \"{match[0]}\": write {instead}")
                    found += 1
    sys.exit(1 if found else 0)


main()
