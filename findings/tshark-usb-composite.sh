#!/usr/bin/env bash
# Question: does tshark read HCI of a USB adapter that is Bluetooth by its interface, in a composite device?
# Guess: yes: the configuration descriptor is in the capture.
# True: it shows URBs only. tshark looks at the class of the device descriptor only (E0/01/01), and reads HCI with that one alone, without any
# configuration. `-d usb.device==0x00010005,bluetooth` (bus 1, device 5) helps, also if no descriptor was captured.
# Version: tshark 4.0.17. Seen: 0 HCI packets; 4 with -d. USB Assigned Numbers: class E0h can be used in device or interface descriptors.
. "$(dirname "$0")/lib.sh"
needs tshark
python - <<'PYTHON'
from captures import *
hid = bytes.fromhex("090400000103010100 0705840308000A")
bluetooth = bytes.fromhex("0904010003E0010100 07058103100001 07058202400000 07050202400000")
settings = struct.pack("<BBHBBBBB", 9, 2, 9 + len(hid) + len(bluetooth), 2, 1, 0, 0x80, 0xFA) + hid + bluetooth
composite = bytes.fromhex("12010002EF02014005AC00000100000000 01")
adapter = bytes.fromhex("12010002E001014005AC00000100000000 01")
traffic = [urb("S", 2, 0, bytes.fromhex("030C00"), setup=bytes.fromhex("2000000000000300")), urb("C", 1, 0x81, bytes.fromhex("0E0401030C00")),
           urb("C", 1, 0x81, connected()), urb("C", 3, 0x82, att("1B0300AABB"))]

def plugged(device, settings):
    out = [urb("S", 2, 0x80, setup=bytes.fromhex("8006000100001200"), length=18), urb("C", 2, 0x80, device)]
    return out + ([urb("S", 2, 0x80, setup=bytes.fromhex("8006000200000002"), length=512), urb("C", 2, 0x80, settings)] if settings else [])

pcap("composite.pcap", 220, plugged(composite, settings) + traffic)
pcap("adapter.pcap", 220, plugged(adapter, b"") + traffic)
pcap("bare.pcap", 220, traffic)
PYTHON
count() { tshark "$@" -Y "bthci_cmd or bthci_evt or bthci_acl" 2> /dev/null | wc -l; }
is "composite, adapter, nothing captured; with -d: composite, nothing captured" "0 4 0 4 4" \
    "$(count -r composite.pcap) $(count -r adapter.pcap) $(count -r bare.pcap) $(count -r composite.pcap -d usb.device==0x00010005,bluetooth) $(
        count -r bare.pcap -d usb.device==0x00010005,bluetooth)"
finish
