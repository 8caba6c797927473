"""What a binary of attlas is made of: as lines for `attlas --version --verbose`, or as an SPDX document.

usage: components.py facts ARCHIVES
       components.py sbom ARCHIVES BINARY
       components.py licences FOLDER SBOM     the files with the licences of what an SBOM names as linked in

ARCHIVES is the linker's list of static libraries (--print-archive-stats): the binary contains parts only of those with a count.
"""
import datetime
import hashlib
import json
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).parent.parent
SWIFT = "Apache-2.0 WITH Swift-exception"
PINNED = {"swift-argument-parser": SWIFT, "swift-numerics": SWIFT, "hdrhistogram-swift": "Apache-2.0"}
# The toolchain's libraries by the project that they are of.
TOOLCHAIN = [
    (r"lib_?Foundation", "swift-foundation"),
    (r"lib(dispatch|BlocksRuntime|swiftDispatch)\.a", "swift-corelibs-libdispatch"),
    (r"libswift", "swift"),
]


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def source(fact):
    return output(ROOT / "Packaging/source-info", fact)


def component(name, version, licence="NOASSERTION", location="NOASSERTION", reference=None):
    return {"name": name, "version": version, "licence": licence, "location": location, "reference": reference}


def debian(path):
    """The package that a file of the system is of."""
    # A link may be the file's way around the merged /usr.
    for name in (path, path.resolve(), pathlib.Path("/" + str(path).removeprefix("/usr/"))):
        found = subprocess.run(["dpkg", "-S", name], capture_output=True, text=True)
        if found.returncode == 0:
            package = found.stdout.split(": ")[0]
            break
    else:
        raise SystemExit(f"no package has {path}")
    fields = output("dpkg-query", "-W", "-f", "${Package} ${Version} ${Architecture}", package).split()
    return component(*fields[:2], reference=f"pkg:deb/debian/{fields[0]}@{fields[1].replace('+', '%2B')}?arch={fields[2]}")


def pinned():
    """The packages of Package.swift, which has the exact version of each, also of those that others depend on."""
    text = (ROOT / "Package.swift").read_text()
    pins = {url.split("/")[-1]: (url, version) for url, version in re.findall(r'\.package\(url: "([^"]*)", exact: "([^"]*)"\)', text)}
    resolved = json.loads((ROOT / "Package.resolved").read_text())["pins"]
    versions = {pin["identity"]: pin["state"]["version"] for pin in resolved}
    if versions != {name: version for name, (_, version) in pins.items()}:
        raise SystemExit(f"the build has {versions}, of which Package.swift does not have each with \"exact\"")
    for name, (url, version) in pins.items():
        yield component(name, version, PINNED[name], f"git+{url}@{version}")


def archives(path):
    rows = [line.split("\t") for line in pathlib.Path(path).read_text().splitlines()[1:]]
    return [pathlib.Path(row[2]) for row in rows if row[1] != "0"]


def static(path):
    """What is in the binary, each once."""
    swift = re.search(r"Swift version (\S+)", output("swift", "--version"))[1]
    found = list(pinned())
    for archive in archives(path):
        if "swift_static" in archive.parts:
            name = next(name for pattern, name in TOOLCHAIN if re.match(pattern, archive.name))
            found.append(component(name, swift, SWIFT))
        else:
            found.append(debian(archive))
    unique = {item["name"]: item for item in found}
    return [unique[name] for name in sorted(unique)]


def shared(binary):
    """The libraries that are loaded, and those that they load are theirs to name."""
    names = re.findall(r"NEEDED.*\[(.*)\]", output("readelf", "--dynamic", "--wide", binary))
    paths = dict(re.findall(r"^\s*(\S+) => (\S+)", output("ldd", binary), re.M))
    # The loader itself is of glibc as well.
    unique = {item["name"]: item for item in (debian(pathlib.Path(paths[name])) for name in names if name in paths)}
    return [unique[name] for name in sorted(unique)]


def facts(path):
    print(f"commit {source('commit')}")
    for item in static(path):
        print(f"{item['name']} {item['version']}")


def sbom(path, binary):
    version, commit = source("version"), source("commit")
    created = datetime.datetime.fromtimestamp(int(source("epoch")), datetime.timezone.utc)
    digest = hashlib.sha256(pathlib.Path(binary).read_bytes()).hexdigest()

    def package(item, **more):
        value = {
            "SPDXID": "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", item["name"]),
            "name": item["name"],
            "versionInfo": item["version"],
            "downloadLocation": item["location"],
            "filesAnalyzed": False,
            "licenseConcluded": item["licence"],
            "licenseDeclared": item["licence"],
            "copyrightText": "NOASSERTION",
        }
        if item["reference"]:
            value["externalRefs"] = [{
                "referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": item["reference"]}]
        return value | more

    parts = [("STATIC_LINK", package(item)) for item in static(path)]
    parts += [("DYNAMIC_LINK", package(item)) for item in shared(binary)]
    attlas = package(
        component("attlas", version, "MIT"), sourceInfo=f"commit {commit}", primaryPackagePurpose="APPLICATION",
        checksums=[{"algorithm": "SHA256", "checksumValue": digest}])
    relationships = [("SPDXRef-DOCUMENT", "DESCRIBES", "SPDXRef-attlas")]
    relationships += [("SPDXRef-attlas", how, part["SPDXID"]) for how, part in parts]
    json.dump({
        "spdxVersion": "SPDX-2.3",
        "dataLicense": "CC0-1.0",
        "SPDXID": "SPDXRef-DOCUMENT",
        "name": f"attlas-{version}",
        # Of this binary and no other.
        "documentNamespace": f"urn:attlas:{version}:{digest}",
        "creationInfo": {
            "created": created.strftime("%Y-%m-%dT%H:%M:%SZ"), "creators": ["Tool: attlas-Packaging-components.py"]},
        "packages": [attlas] + [part for _, part in parts],
        "relationships": [
            {"spdxElementId": one, "relationshipType": how, "relatedSpdxElement": other} for one, how, other in relationships],
    }, sys.stdout, indent=2)
    print()


def licences(folder, document):
    document = json.loads(pathlib.Path(document).read_text())
    names = {package["SPDXID"]: package["name"] for package in document["packages"]}
    toolchain = pathlib.Path(shutil.which("swiftc")).resolve().parent.parent
    for relationship in document["relationships"]:
        name = names.get(relationship["relatedSpdxElement"])
        if relationship["relationshipType"] != "STATIC_LINK":
            continue
        if name in PINNED:
            [path] = (ROOT / ".build/checkouts" / name).glob("LICENSE*")
        elif name in {item for _, item in TOOLCHAIN}:
            path = toolchain / "share/swift/LICENSE.txt"
        else:
            path = pathlib.Path("/usr/share/doc", name, "copyright")
        shutil.copyfile(path, pathlib.Path(folder, f"{name}.txt"))


{"facts": facts, "sbom": sbom, "licences": licences}[sys.argv[1]](*sys.argv[2:])
