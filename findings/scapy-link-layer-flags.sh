#!/usr/bin/env bash
# Question: does scapy mark the packets that it writes with link type 256 as readable?
# Guess: yes: it writes plain PDUs with a right CRC, so the flag "dewhitened" is set.
# True: BTLE_RF() has no flag set, which says that the octets are still whitened, and that the CRC was not checked.
# Version: scapy 2.8.0. Seen: flags 00 00 and a CRC that is right for the plain octets. Set dewhitened=1 in BTLE_RF.
# LINKTYPE_BLUETOOTH_LE_LL_WITH_PHDR, flags: 0x0001 is "the packet is de-whitened".
. "$(dirname "$0")/lib.sh"
python_with scapy==2.8.0
python - > seen 2> /dev/null <<'PYTHON'
from scapy.layers.bluetooth4LE import BTLE, BTLE_ADV, BTLE_ADV_NONCONN_IND, BTLE_RF
from scapy.utils import wrpcap
wrpcap("air.pcap", BTLE_RF(rf_channel=37) / BTLE() / BTLE_ADV() / BTLE_ADV_NONCONN_IND(AdvA="aa:bb:cc:dd:ee:ff"))
octets = open("air.pcap", "rb").read()[40:]

def crc(pdu):
    state = int(f"{0x555555:024b}"[::-1], 2)
    for bit in (octet >> number & 1 for octet in pdu for number in range(8)):
        state = state >> 1 ^ (0xDA6000 if bit ^ state & 1 else 0)
    return state.to_bytes(3, "little")

print(octets[8:10].hex(), octets[14:-3].hex(), crc(octets[14:-3]) == octets[-3:])
PYTHON
is "flags, plain PDU, right CRC" "0000 0206ffeeddccbbaa True" "$(cat seen)"
finish
