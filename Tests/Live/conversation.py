"""Holds what `attlas live` heard in the virtual machine against the recordings of the same session.

usage: compare.py ATTLAS OUTDIR
"""
import json
import subprocess
import sys
from pathlib import Path


def operations(lines):
    """What each ATT PDU was, whatever its record was numbered and timed as."""
    keys = ("controller", "direction", "opcode", "handle", "service", "characteristic", "descriptor", "value", "fields", "error")
    events = [json.loads(line) for line in lines]
    return [{key: event.get(key) for key in keys} for event in events if event["type"] == "att"]


def main():
    attlas, folder = sys.argv[1], Path(sys.argv[2])

    def shown(name):
        run = subprocess.run([attlas, "show", "--json", folder / name], capture_output=True, text=True, check=True)
        return operations(run.stdout.splitlines())

    def heard(name):
        return operations((folder / name).read_text().splitlines())

    def by_tshark(name):
        command = ["tshark", "-r", folder / name, "-Y", "btatt", "-T", "fields", "-e", "btatt.opcode"]
        return subprocess.run(command, capture_output=True, text=True).stdout.split()

    live = heard("socket.ndjson")
    others = {
        "attlas live --device bluetooth-monitor": heard("device.ndjson"),
        "what attlas live --write recorded": shown("socket.btsnoop"),
        "what btmon recorded": shown("two-controllers.btsnoop"),
        "what tcpdump recorded": shown("two-controllers.pcap"),
    }
    failures = [name for name, found in others.items() if found != live]
    opcodes = [event["opcode"] for event in live]
    failures += [f"tshark on {name}" for name in ("two-controllers.btsnoop", "two-controllers.pcap") if by_tshark(name) != opcodes]
    screen = (folder / "screen.txt").read_text()
    meters = [line.strip() for line in screen.splitlines() if "after the kernel" in line]
    if not meters or "HCI monitor" not in screen:
        failures.append(f"the full screen, which shows\n{screen}")
    # Discovery, read, write, write command and notification; two connections' worth of them.
    missing = [kind for kind in ("0x08", "0x0a", "0x12", "0x52", "0x1b") if kind not in opcodes]
    if missing and not failures:
        print(f"skipped: the virtual machine was too slow for its session, which has no {', '.join(missing)}")
        return
    for failure in failures:
        print(f"differs: {failure}")
    print("\n".join(meters))
    print(f"{len(live)} ATT PDUs heard live through the monitor socket; {len(others) + 2} other readings of the session, "
          f"{len(failures)} differ")
    sys.exit(1 if failures else 0)


main()
