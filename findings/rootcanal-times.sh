#!/usr/bin/env bash
# Question: are the times in the captures of rootcanal, the emulated controller, to be compared with a clock?
# Guess: yes, in microseconds.
# True: the seconds are right, and the milliseconds after them are in the place of the microseconds: 0.7 s are 0.0007 s, so most times between packets
# are nearly 0, and some nearly 1 s.
# Version: rootcanal 1.10.0. Seen: eight commands 0.3 s apart, each with less than 1,000 in the second half of the time. pcap, 0xA1B2C3D4: microseconds.
. "$(dirname "$0")/lib.sh"
python_with rootcanal==1.10.0
timeout 60 "$python" - > seen 2> /dev/null <<'PYTHON'
import glob
import socket
import struct
import subprocess
import time
import rootcanal.binaries

def free():
    with socket.socket() as port:
        port.bind(("127.0.0.1", 0))
        return port.getsockname()[1]

hci = free()
ports = [part for name, port in (("hci", hci), ("test", free()), ("link", free()), ("link_ble", free())) for part in (f"-{name}_port", str(port))]
program = str(rootcanal.binaries.get_package_binary_resource_path("rootcanal"))
server = subprocess.Popen([program, *ports, "-enable_hci_sniffer"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
try:
    for _ in range(100):
        try:
            host = socket.create_connection(("127.0.0.1", hci))
            break
        except OSError:
            time.sleep(0.1)
    for _ in range(8):
        host.sendall(bytes.fromhex("01030C00"))
        time.sleep(0.3)
finally:
    server.terminate()
    server.wait()
octets = max((open(name, "rb").read() for name in glob.glob("*.pcap")), key=len)
parts, at = [], 24
while at < len(octets):
    _, part, size, _ = struct.unpack("<IIII", octets[at:at + 16])
    parts.append(part)
    at += 16 + size
print(len(parts), max(parts) < 1000, max(parts) > 100)
PYTHON
is "packets; all below 1,000; not all near 0" "16 True True" "$(cat seen)"
finish
