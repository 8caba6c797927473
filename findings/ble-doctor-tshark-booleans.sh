#!/usr/bin/env bash
# Question: what does ble-doctor report of a pairing with Numeric Comparison and LE Secure Connections, with the tshark of Debian 12?
# Guess: Numeric Comparison.
# True: "Just Works … over LE legacy pairing", of every pairing, with a score 30 points lower. It waits for the word True in flags that tshark 4.0 prints
# as 1, so that both flags are taken as not set. It does not ask for a version of tshark.
# Version: ble-doctor 0.2.0, tshark 4.0.17. Seen: as above. Vol 3, Part H, 2.3.5.1: with DisplayYesNo on both sides, Numeric Comparison.
. "$(dirname "$0")/lib.sh"
needs tshark
python_with ble-doctor==0.2.0
python - <<'PYTHON'
from captures import *
def smp(text):
    return acl(0x40, 6, bytes.fromhex(text))
btsnoop("pairing.btsnoop", [event(connected()), sent(smp("01 01 00 0D 10 01 01")), received(smp("02 01 00 0D 10 01 01")), event(disconnected())])
PYTHON
is "flags in tshark" "1 1 1 1" "$(tshark -r pairing.btsnoop -Y btsmp.opcode -T fields -e btsmp.sc_flag -e btsmp.mitm_flag 2> /dev/null | xargs)"
"$(dirname "$python")/ble-doctor" analyze pairing.btsnoop > seen 2>&1
is "verdict" "Just Works pairing observed over LE legacy pairing" "$(grep -o 'Just Works pairing observed over LE legacy pairing' seen)"
finish
