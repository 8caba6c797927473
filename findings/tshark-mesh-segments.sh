#!/usr/bin/env bash
# Question: does tshark decrypt a segmented mesh message, with the right keys?
# Guess: yes, in the frame of its last segment.
# True: with `tshark -2` only. In one pass it shows the segments and no message, and says nothing of it.
# Version: tshark 4.0.17. Seen: 0 and 1 "Decrypted Access" for Config AppKey Add of the sample data (Mesh Protocol 1.1, 8.3.6).
. "$(dirname "$0")/lib.sh"
needs tshark
mkdir configuration
export WIRESHARK_CONFIG_DIR=$PWD/configuration
echo '"0x7dd7364cd842ad18c17c2b820c84c3d6","0x63964771734fbd76e3b40519d1d94a48","0x12345678"' > configuration/btmesh_nw_keys
echo '"0x9d6dd0e96eb25dc19a40ed9914f8f03f","0x1201"' > configuration/btmesh_dev_keys
python - <<'PYTHON'
from captures import *

def advertised(segment):
    data = bytes([len(segment) + 1, 0x2A]) + segment
    return event(b"\x3e" + bytes([len(data) + 12]) + bytes.fromhex("020103010102030405 06") + bytes([len(data)]) + data + b"\xc4")

segments = "68cab5c5348a230afba8c63d4e686364979deaf4fd40961145939cda0e", "681615b5dd4a846cae0c032bf0746f44f1b8cc8ce5edc57e55beed49c0"
btsnoop("mesh.btsnoop", [advertised(bytes.fromhex(each)) for each in segments])
PYTHON
messages() { tshark "$@" -r mesh.btsnoop -V 2> /dev/null | grep -c 'Decrypted Access: 0056341263964771734fbd76e3b40519d1d94a48'; }
is "segments" 2 "$(tshark -r mesh.btsnoop -V 2> /dev/null | grep -c 'SEG: Segmented Access Message')"
is "messages in one pass" 0 "$(messages)"
is "messages in two" 1 "$(messages -2)"
finish
