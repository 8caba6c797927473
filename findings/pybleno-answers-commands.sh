#!/usr/bin/env bash
# Question: what does a server of pybleno do with a Signed Write Command, which it does not support?
# Guess: nothing: commands have no responses.
# True: it sends an Error Response, which the client takes for the answer to its next request.
# Version: pybleno 0.11. Seen: 01 D2 00 00 06. Vol 3, Part F, 3.3: a command with an unknown opcode is ignored. An unknown request is answered so, rightly.
. "$(dirname "$0")/lib.sh"
python_with pybleno==0.11
python - > seen 2> errors <<'PYTHON'
import array
from pybleno.hci_socket.Gatt import Gatt

class Stream:
    def write(self, channel, data):
        print(bytes(data).hex())

server = Gatt()
server._aclStream = Stream()
for request in ("D2030001" + "00" * 12, "2003000500"):
    server.handleRequest(array.array("B", bytes.fromhex(request)))
PYTHON
is "Signed Write Command, Read Multiple Variable Request" "01d2000006 0120000006" "$(xargs < seen)"
finish
