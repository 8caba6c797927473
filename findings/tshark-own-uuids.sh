#!/usr/bin/env bash
# Question: does the filter btcommon.eir_ad.entry.uuid_128 find the advertisement of a device with a 128-bit service of its maker?
# Guess: yes, in the order in which UUIDs are read.
# True: no advertisement has this field if tshark does not know the UUID, which is then in custom_uuid_128. (uuid_32 and custom_uuid_32 are alike.)
# Version: tshark 4.0.17. Seen: 0 and 1 packets.
. "$(dirname "$0")/lib.sh"
needs tshark
python - <<'PYTHON'
from captures import *
data = bytes.fromhex("1107 9FCADC240EE5A9E093F3A3B50100FF6E")
btsnoop("h4.btsnoop", [event(bytes([0x3E, len(data) + 12]) + bytes.fromhex("020100010102030405C6") + bytes([len(data)]) + data + b"\xc4")])
PYTHON
found() { tshark -r h4.btsnoop -Y "btcommon.eir_ad.entry.$1 == 6e:ff:00:01:b5:a3:f3:93:e0:a9:e5:0e:24:dc:ca:9f" 2> /dev/null | wc -l; }
is "uuid_128" 0 "$(found uuid_128)"
is "custom_uuid_128" 1 "$(found custom_uuid_128)"
finish
