#!/usr/bin/env bash
# Question: do btmon and tshark of Debian 12 (2023) name what was assigned from 2019 to 2023?
# Guess: btmon at least: BlueZ supports these features.
# True: a pairing that fails with Key Rejected (0x0F) is "Reserved" or "Unknown", an earbud (appearance 0x0941) "Undefined" or "Unknown", Encrypted
# Advertising Data (0x31) "Unknown". Path Loss Threshold, Transmit Power Reporting and Subrate Change are numbers in btmon, and named in tshark.
# Version: btmon 5.66, tshark 4.0.17. Seen: as above. Vol 3, Part H, 3.5.5; Assigned Numbers, 2.3 and 2.6; Vol 4, Part E, 7.7.65.
. "$(dirname "$0")/lib.sh"
needs btmon tshark
python - <<'PYTHON'
from captures import *

def advertised(data):
    data = bytes.fromhex(data)
    return bytes([0x3E, len(data) + 12]) + bytes.fromhex("020100010102030405C6") + bytes([len(data)]) + data + b"\xc4"

events = [bytes.fromhex(each) for each in ("3E0520 4000 40 00", "3E0921 00 4000 00 01 F6 00 03", "3E0C23 00 4000 0100 0000 0000 F401")]
events += [advertised("03194109"), advertised("0C310102030405060708090A0B")]
failed = acl(0x40, 6, bytes.fromhex("050F"))
btsnoop("monitor.btsnoop", [(3, connected())] + [(3, each) for each in events] + [(5, failed)], MONITOR)
btsnoop("h4.btsnoop", [event(connected())] + [event(each) for each in events] + [received(failed)])
PYTHON
is "btmon" "Unknown (0x20) Unknown (0x21) Unknown (0x23) Appearance: Undefined (0x0941) Unknown EIR field 0x31 Reason: Reserved (0x0f)" \
    "$(btmon -r monitor.btsnoop 2>&1 | grep -oE 'Unknown \(.*|Appearance: .*|Unknown EIR field 0x..|Reason: .*' | xargs)"
is "tshark" "LE Path Loss Threshold (0x20) LE Transmit Power Reporting (0x21) LE Subrate Change (0x23) Appearance: Unknown (0x0941) Type: Unknown (0x31) Reason: Unknown (0x0f)" \
    "$(tshark -r h4.btsnoop -V 2> /dev/null | grep -oE 'LE (Path|Trans|Subrate).*|Appearance: Unknown \(.*|Type: Unknown \(.*|Reason: Unknown.*' | xargs)"
finish
