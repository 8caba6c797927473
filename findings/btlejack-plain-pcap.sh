#!/usr/bin/env bash
# Question: which octets of a sniffed packet are in the pcap file that btlejack writes by default (-x pcap) while it waits for a connection (-c)?
# Guess: the access address, the PDU and the CRC.
# True: the PDU lacks its first 10 octets, because the header of the sniffer is cut off twice. Of a packet up to 10 octets, only the access
# address is left. Use -x ll_phdr or -x nordic.
# Version: btlejack 2.1.1. Seen: 7 octets for a Read Request, which has 16 in ll_phdr without its header. LINKTYPE_BLUETOOTH_LE_LL.
. "$(dirname "$0")/lib.sh"
python_with btlejack==2.1.1
python - > seen 2> errors <<'PYTHON'
from types import SimpleNamespace
from btlejack.pcap import PcapBlePHDRWriter, PcapBleWriter
from btlejack.ui import CLIConnectionSniffer
request = bytes.fromhex("0E07 0300 0400 0A0300")
for name, writer, header in (("plain", PcapBleWriter, 0), ("ll_phdr", PcapBlePHDRWriter, 10)):
    sniffer = CLIConnectionSniffer.__new__(CLIConnectionSniffer)
    sniffer.output, sniffer.access_address = writer(name + ".pcap"), 0x12345678
    sniffer.on_ll_packet(SimpleNamespace(data=bytes(10) + request))
    sniffer.output.close()
    packet = open(name + ".pcap", "rb").read()[40 + header:]
    print(len(packet), request in packet)
PYTHON
is "octets, and whether the PDU is there" "7 False 16 True" "$(grep -v '^LL' seen | xargs)"
finish
