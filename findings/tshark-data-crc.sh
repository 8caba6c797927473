#!/usr/bin/env bash
# Question: does tshark check the CRC of data packets of link type 251, when the capture has the CONNECT_IND with the CRC init?
# Guess: yes, as it does on advertising channels.
# True: no. Each data packet is "CRC unchecked, not all data available", the right one and the wrong one, and so no filter finds the wrong one.
# Version: tshark 4.0.17. Seen: btle.crc.incorrect for an advertising PDU with a wrong CRC, never for data. Vol 6, Part B, 3.1.1.
. "$(dirname "$0")/lib.sh"
needs tshark
python - <<'PYTHON'
from captures import *

def crc(octets, start):
    state = int(f"{start:024b}"[::-1], 2)
    for bit in (octet >> number & 1 for octet in octets for number in range(8)):
        state = state >> 1 ^ (0xDA6000 if bit ^ state & 1 else 0)
    return state.to_bytes(3, "little")

address = b"\x5D\x1D\x65\x50"
connect = bytes.fromhex("C522 1102030405C6 0605040302C1") + address + bytes.fromhex("112233 02 0000 1800 0000 F401 FFFFFFFF1F 05")
data = bytes.fromhex("0207 03000400 0A0300")
advertising = b"\xD6\xBE\x89\x8E" + connect
pcap("air.pcap", 251, [advertising + crc(connect, 0x555555), address + data + crc(data, 0x332211), address + data + b"\0\0\0", advertising + b"\0\0\0"])
PYTHON
is "frames with a wrong CRC" 4 "$(tshark -r air.pcap -Y btle.crc.incorrect -T fields -e frame.number 2> /dev/null | xargs)"
is "frames without a check" "2 3" "$(tshark -r air.pcap -Y '_ws.expert.message contains "CRC unchecked"' -T fields -e frame.number 2> /dev/null | xargs)"
finish
