#!/usr/bin/env python3
"""api.py BUILD OUTPUT: a page of Markdown for each module in the nav of mkdocs.yml, of what DocC writes for each of its symbols.

The articles of the catalogue of Attlas become pages, too. DocC's own pages need a server. BUILD is the folder with Modules/, as `swift build` makes it.
"""

import concurrent.futures
import json
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).parents[2]
CATALOGUE = ROOT / "Sources/AttlasLibrary/Attlas.docc"


class Symbol:
    def __init__(self, path):
        head, text = path.read_text().removeprefix("<!--").split("-->", 1)
        self.members = path.with_suffix("")
        about = json.loads(head)
        self.title, self.kind = about["title"], about.get("symbol", {}).get("kind")
        text = re.sub(r"\[([^\]]*)\]\((?:/|doc:)[^)]*\)|<doc:[^>]*>", r"\1", text).split("\n## Topics")[0]
        parts = re.split(r"^```$", text, maxsplit=2, flags=re.M)
        self.abstract = parts[0].strip().removeprefix("# " + self.title).strip()
        self.declaration = " ".join(parts[1].split()) if len(parts) > 2 else ""
        self.rest = re.sub(r"^#+ ", "#### ", parts[2].replace("\n## Overview\n", "\n"), flags=re.M).strip() if len(parts) > 2 else ""


def symbols(folder):
    return [symbol for symbol in map(Symbol, sorted(folder.glob("*.md"))) if symbol.kind] if folder.is_dir() else []


def lines(symbol):
    """Of the members, nested types with theirs."""
    yield f"- `{symbol.declaration or symbol.title}`" + (f": {' '.join(symbol.abstract.split())}" if symbol.abstract else "")
    for member in symbols(symbol.members):
        yield from ("    " + line for line in lines(member))


def page(module, purpose, folder):
    text = f"# {module}\n{purpose}\n"
    for symbol in symbols(folder):
        text += f"\n## {symbol.title}\n{symbol.abstract}\n\n```swift\n{symbol.declaration}\n```\n\n{symbol.rest}\n\n"
        for member in symbols(symbol.members):
            text += "\n".join(lines(member)) + "\n"
    return text


def convert(module, modules, folder):
    includes = [*modules.parents[2].glob("checkouts/*/Sources/*/include"), *ROOT.glob("Sources/*/include")]
    maps = [*ROOT.glob("Sources/*/module.modulemap"), *modules.parent.glob("*.build/module.modulemap")]
    options = [word for path in includes for word in ("-I", path)]
    options += [word for path in maps for word in ("-Xcc", f"-fmodule-map-file={path}")]
    graphs = folder / "graphs"
    graphs.mkdir()
    subprocess.run(
        ["swift", "symbolgraph-extract", "-module-name", module, "-I", modules, *options, "-target", "x86_64-unknown-linux-gnu",
         "-minimum-access-level", "public", "-skip-synthesized-members", "-output-dir", graphs],
        check=True, stdout=subprocess.DEVNULL)
    catalogue = CATALOGUE if module == "Attlas" else None
    subprocess.run(
        ["docc", "convert", *([catalogue, "--warnings-as-errors"] if catalogue else []), "--additional-symbol-graph-dir", graphs,
         "--fallback-display-name", module, "--fallback-bundle-identifier", module, "--enable-experimental-markdown-output",
         "--output-path", folder / "archive"],
        # The catalogue's warnings are errors: docc prints them on standard output.
        check=True, stdout=sys.stderr if catalogue else subprocess.DEVNULL, stderr=None if catalogue else subprocess.DEVNULL)
    return folder / "archive/data/documentation" / module.lower()


def article(text):
    """With links to symbols as code, and those to articles as links."""
    text = re.sub(r"(?<!`)``([^`\n]+)``(?!`)", lambda match: f"`{match[1].split('/')[-1]}`", text)
    return re.sub(r"<doc:(\w+)>", r"[\1](\1.md)", text)


def main():
    modules, output = pathlib.Path(sys.argv[1]).resolve() / "Modules", pathlib.Path(sys.argv[2])
    output.mkdir(parents=True, exist_ok=True)
    purposes = dict(re.findall(r"^\| `(\w+)` \| (.+) \|$", (ROOT / "CONTRIBUTING.md").read_text(), re.M))
    names = re.findall(r"API/(Attlas\w*)\.md", (ROOT / "Documentation/site/mkdocs.yml").read_text())

    def make(module):
        with tempfile.TemporaryDirectory() as folder:
            text = page(module, purposes[module], convert(module, modules, pathlib.Path(folder)))
        (output / f"{module}.md").write_text(text)

    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        list(pool.map(make, names))
    for path in CATALOGUE.glob("*.md"):
        if path.stem != "Attlas":
            (output / path.name).write_text(article(path.read_text()))
    overview = "# Modules of the library\n\n| module | |\n|---|---|\n"
    overview += "".join(f"| [{module}]({module}.md) | {purposes[module]} |\n" for module in names)
    (output / "index.md").write_text(overview)


main()
