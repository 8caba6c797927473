#!/usr/bin/env bash
# Question: which signal strength has a packet in btlejack's files of link type 256 (-x ll_phdr)?
# Guess: the one that the sniffer measured, or a mark that it is not known.
# True: -40 dBm in each, marked as valid. The CRC is 000000, marked as valid but not as checked.
# Version: btlejack 2.1.1. Seen: "-40 dBm" twice, for the octets 30 and 90 of the sniffer. LINKTYPE_BLUETOOTH_LE_LL_WITH_PHDR: flags 0x0002 and 0x0800.
. "$(dirname "$0")/lib.sh"
needs tshark
python_with btlejack==2.1.1
python - 2> errors <<'PYTHON'
from btlejack.pcap import PcapBlePHDRWriter
writer = PcapBlePHDRWriter("log.pcap")
for strength in (30, 90):
    writer.write_packet(1, 0, 0x12345678, bytes([0, 0, 12, strength, 0, 0, 0, 0, 0, 0]) + bytes.fromhex("0E07 0300 0400 0A0300"))
writer.close()
PYTHON
is "strength and CRC" "-40 1 0x000000 -40 1 0x000000" \
    "$(tshark -r log.pcap -T fields -e btle_rf.signal_dbm -e btle_rf.flags.signal_dbm_valid -e btle.crc 2> /dev/null | xargs)"
finish
