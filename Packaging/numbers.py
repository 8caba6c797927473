"""Names the numbers of others that attlas lacks: of bumble (HCI, LL, AD types) and of the Bluetooth SIG, as the package bluetooth-sig has them. A report: its
status is 0 whatever it finds, and 1 if it cannot compare.

usage: numbers.py
"""
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
PACKAGES = ["bumble==0.0.236", "bluetooth-sig==0.6.0", "PyYAML>=6"]
# In the packages' environment: prints KIND NUMBER NAME for each number.
LIST = r"""
import pathlib, yaml
import bluetooth_sig, bumble.core, bumble.hci, bumble.ll
for name, number in vars(bumble.hci).items():
    if not name.startswith("HCI_") or not isinstance(number, int):
        continue
    if name.endswith("_COMMAND"):
        print("command", number, name)
    elif name.endswith("_EVENT"):
        print("LE event" if name.startswith("HCI_LE_") and name != "HCI_LE_META_EVENT" else "event", number, name)
for opcode in bumble.ll.ControlPdu.Opcode:
    print("LL control PDU", int(opcode), opcode.name)
for type in bumble.core.AdvertisingData.Type:
    print("AD type", int(type), type.name)
[folder] = pathlib.Path(bluetooth_sig.__file__).parent.rglob("assigned_numbers")
for kind, file in {
    "characteristics": "uuids/characteristic_uuids", "declarations": "uuids/declarations", "descriptors": "uuids/descriptors",
    "members": "uuids/member_uuids", "object-types": "uuids/object_types", "organizations": "uuids/sdo_uuids",
    "services": "uuids/service_uuids", "units": "uuids/units", "companies": "company_identifiers/company_identifiers",
}.items():
    [entries] = yaml.safe_load((folder / f"{file}.yaml").read_text()).values()
    for entry in entries:
        print(kind, int(str(entry.get("uuid", entry.get("value"))), 0), entry["name"])
for category in yaml.safe_load((folder / "core/appearance_values.yaml").read_text())["appearance_values"]:
    print("appearances", category["category"] << 6, category["name"])
    for value in category.get("subcategory", []):
        print("appearances", category["category"] << 6 | value["value"], value["name"])
for type in yaml.safe_load((folder / "core/ad_types.yaml").read_text())["ad_types"]:
    print("AD type", type["value"], type["name"])
"""


def known():
    """The numbers that attlas has, by kind."""
    numbers = {}
    for file in (ROOT / "Dissectors/assigned-numbers").glob("*.tsv"):
        numbers[file.stem] = {int(line.split("\t")[0], 16) for line in file.read_text().splitlines()}
    definitions = "".join(file.read_text() for file in (ROOT / "Dissectors/hci").glob("*.yaml"))
    for kind, key in {"command": "opcode", "event": "code", "LE event": "subevent"}.items():
        numbers[kind] = {int(number, 16) for number in re.findall(rf"- (?:{{ )?{key}: (0x\w+)", definitions)}
    names = (ROOT / "Sources/AttlasWire/Advertising/ADType+Names.swift").read_text()
    numbers["AD type"] = {int(number, 16) for number in re.findall(r"case (0x\w+):", names)}
    opcodes = (ROOT / "Sources/AttlasWire/LinkLayer/LLControlOpcode.swift").read_text()
    numbers["LL control PDU"] = set(range(len(re.findall(r'^ +Definition\("', opcodes, re.M))))
    return numbers


with tempfile.TemporaryDirectory() as folder:
    python = f"{folder}/bin/python"
    try:
        subprocess.run([sys.executable, "-m", "venv", folder], check=True, stdout=subprocess.DEVNULL)
        subprocess.run([python, "-m", "pip", "--disable-pip-version-check", "install", "--quiet", *PACKAGES], check=True, stdout=subprocess.DEVNULL, timeout=600)
        listed = subprocess.run([python, "-c", LIST], check=True, stdout=subprocess.PIPE, text=True).stdout
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired) as error:
        sys.exit(f"the numbers of {' and '.join(PACKAGES[:2])} cannot be listed: {error}")

numbers, counts, lacking = known(), {}, []
for line in listed.splitlines():
    kind, number, name = re.fullmatch(r"(\D+) (\d+) (.*)", line).groups()
    counts[kind] = counts.get(kind, 0) + 1
    if int(number) not in numbers[kind]:
        lacking.append(f"{kind} 0x{int(number):04X}: {name}")
print("compared with " + " and ".join(PACKAGES[:2]) + ": " + ", ".join(f"{count} {kind}" for kind, count in counts.items()))
print("\n".join(sorted(set(lacking))) or "attlas lacks none of them")
