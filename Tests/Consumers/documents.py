#!/usr/bin/env python3
"""documents.py OUTPUT: a package with a program, or a test, for each block of Swift in the documents of the library. Prints the names of the
programs."""

import re
import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = [ROOT / "README.md", ROOT / "Documentation/library.md", ROOT / "Documentation/expectations.md",
             *sorted((ROOT / "Sources/AttlasLibrary/Attlas.docc").glob("*.md"))]
# What each product lets a program import.
PRODUCTS = {"Attlas": "Attlas", "AttlasFiles": "AttlasFiles", "AttlasLive": "AttlasLive", "AttlasTesting": "AttlasTesting"}


def main():
    output = Path(sys.argv[1])
    shutil.rmtree(output, ignore_errors=True)
    targets = []
    for document in DOCUMENTS:
        blocks = re.findall(r"^```swift\n(.*?)^```$", document.read_text(), re.S | re.M)
        for number, block in enumerate(blocks, 1):
            name = f"{document.stem[0].upper()}{document.stem[1:].replace('-', '')}{number}"
            is_test = "import Testing" in block
            imports = set(re.findall(r"^import (Attlas\w*)$", block, re.M))
            products = sorted({PRODUCTS.get(module, "AttlasCore") for module in imports})
            listed = ", ".join(f'.product(name: "{product}", package: "attlas")' for product in products)
            kind = "testTarget" if is_test else "executableTarget"
            targets.append(f'        .{kind}(name: "{name}", dependencies: [{listed}]),')
            file = output / ("Tests" if is_test else "Sources") / name / ("Block.swift" if is_test else "main.swift")
            file.parent.mkdir(parents=True)
            file.write_text(f"// {document.relative_to(ROOT)}, block {number}\n{block}")
            if not is_test:
                print(name)
    # Tests run in the folder of their package.
    (output / "Captures").symlink_to(ROOT / "Captures")
    lines = "\n".join(targets)
    (output / "Package.swift").write_text(f"""// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "documents",
    platforms: [.macOS(.v26)],
    dependencies: [.package(name: "attlas", path: "{ROOT}")],
    targets: [
{lines}
    ]
)
""")


main()
