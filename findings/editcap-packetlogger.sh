#!/usr/bin/env bash
# Question: can Wireshark's tools save an iPhone's log (PacketLogger) as pcapng, to merge it with a sniffer's capture?
# Guess: yes, pcapng holds everything.
# True: as nothing at all: there is no link type for PacketLogger, and it is not converted to HCI.
# mergecap refuses it, too.
# Version: editcap and mergecap 4.0.17. Seen: 'The capture file being read can't be written as a "pcapng" file.'
. "$(dirname "$0")/lib.sh"
needs editcap mergecap
python - <<'PYTHON'
from captures import *
octets = att("0A0300")
open("phone.pklg", "wb").write(struct.pack(">IIIB", len(octets) + 9, 1_700_000_000, 0, 2) + octets)
PYTHON
for format in pcap pcapng btsnoop; do
    is "$format" "editcap: The capture file being read can't be written as a \"$format\" file." "$(editcap -F $format phone.pklg out 2>&1)"
done
is "mergecap" "mergecap: The capture file being read can't be written as a \"pcapng\" file." "$(mergecap -w merged phone.pklg phone.pklg 2>&1 | grep mergecap:)"
finish
