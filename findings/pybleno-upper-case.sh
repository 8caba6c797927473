#!/usr/bin/env bash
# Question: does a server of pybleno find a characteristic whose UUID was given as "2A38" when a client reads by UUID?
# Guess: yes.
# True: Attribute Not Found, although the discovery shows it. With "2a38" it answers. Case makes no difference elsewhere in it.
# Version: pybleno 0.11. Seen: 01 08 01 00 0A. Vol 3, Part G, 4.8.2.
. "$(dirname "$0")/lib.sh"
python_with pybleno==0.11
python - > seen 2> errors <<'PYTHON'
import array
from pybleno import BlenoPrimaryService, Characteristic
from pybleno.hci_socket.Gatt import Gatt

class Stream:
    def write(self, channel, data):
        print(bytes(data).hex())

for uuid in ("2A38", "2a38"):
    server = Gatt()
    server._aclStream = Stream()
    server.setServices([BlenoPrimaryService({"uuid": "180d", "characteristics": [
        Characteristic({"uuid": uuid, "properties": ["read"], "value": array.array("B", [7])})]})])
    for request in ("080A00FFFF0328", "080100FFFF382A"):
        server.handleRequest(array.array("B", bytes.fromhex(request)))
PYTHON
is "declaration and read by UUID of 2A38, then of 2a38" "09070b00020c00382a 010801000a 09070b00020c00382a 09030c0007" "$(xargs < seen)"
finish
