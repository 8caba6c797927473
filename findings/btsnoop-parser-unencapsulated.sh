#!/usr/bin/env bash
# Question: how does btsnoop-parser read data link 1001, HCI without an octet for the type of packet?
# Guess: it takes the type from the flags, as the format says.
# True: it reads it as H4: the code of an event becomes the type of the packet, and the packet loses its first octet.
# Version: btsnoop-parser 0.10.0. Seen: "Unknown (0x3E)" for LE Connection Complete. tshark reads the same file correctly.
. "$(dirname "$0")/lib.sh"
python_with btsnoop-parser==0.10.0
python - > seen 2> /dev/null <<'PYTHON'
import btsnoop_parser
from captures import *
btsnoop("log.btsnoop", [(3, connected()), (2, bytes.fromhex("060403400013"))], 1001)
print(*[record["packet_type_name"] for record in btsnoop_parser.parse_btsnoop_file("log.btsnoop")], sep=", ")
PYTHON
is "types" "Unknown (0x3E), Unknown (0x06)" "$(cat seen)"
finish
