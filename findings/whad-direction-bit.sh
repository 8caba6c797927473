#!/usr/bin/env bash
# Question: does whad decrypt the sample packets of the specification, with the direction that they have?
# Guess: yes.
# True: the packet of the central only as SLAVE_TO_MASTER, and the other one only as MASTER_TO_SLAVE: the direction bit of the nonce is inverted.
# What it encrypts is what no other device decrypts.
# Version: whad 1.2.18. Seen: False True True False for central and peripheral in both directions; session key and IV are right.
# Vol 6, Part B, 2.1 (Part E, 2.1): the bit is 1 for data sent by the central. Packets: Vol 6, Part C, 1.
. "$(dirname "$0")/lib.sh"
python_with whad==1.2.18
python - > seen 2> /dev/null <<'PYTHON'
from whad.ble.crypto import LinkLayerCryptoManager
from whad.hub.ble import BleDirection
right = []
for direction in (BleDirection.MASTER_TO_SLAVE, BleDirection.SLAVE_TO_MASTER):
    for packet in ("0f059fcda7f448", "0705a34c13a415"):
        link = LinkLayerCryptoManager(bytes.fromhex("4C68384139F574D836BCF34E9DFB01BF"), 0xACBDCEDFE0F10213, 0xBADCAB24,
                                      0x0213243546576879, 0xDEAFBABE)
        right.append(link.decrypt(bytes.fromhex(packet), direction, error_tolerance=1)[1])
print(link.session_key.hex(), *right)
PYTHON
is "session key; which is decrypted" "99ad1b5226a37e3e058e3b8e27c2c666 False True True False" "$(cat seen)"
finish
