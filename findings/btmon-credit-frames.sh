#!/usr/bin/env bash
# Question: are "len" and "sdu" in btmon's lines of a credit-based channel the lengths of the frame and of the SDU, and the octets those of the SDU?
# Guess: yes.
# True: the octets of the first frame begin with the SDU's length, and "sdu" of the other frames is their own length.
# Version: btmon 5.66. Seen: for an SDU of 30 octets in two frames: "len 23 sdu 30" with 23 octets from "1e 00", then "len 9 sdu 9".
# Vol 3, Part A, 3.4.3: only the first K-frame has the SDU Length field, which is not a part of the SDU.
. "$(dirname "$0")/lib.sh"
needs btmon
python - <<'PYTHON'
from captures import *
btsnoop("log.btsnoop", [
    (3, connected()), (4, acl(0x40, 5, bytes.fromhex("1401 0A00 8000 4000 6400 1700 0A00"))), (5, acl(0x40, 5, bytes.fromhex("1501 0A00 4100 6400 1700 0A00 0000"))),
    (4, acl(0x40, 0x41, bytes.fromhex("1E00") + bytes(range(65, 86)))), (4, acl(0x40, 0x41, bytes(9)))], MONITOR)
PYTHON
is "lengths" "len 23 sdu 30 len 9 sdu 9" "$(btmon -r log.btsnoop | grep -o 'len [0-9]* sdu [0-9]*' | xargs)"
is "first octets" "1e 00 41" "$(btmon -r log.btsnoop | grep -o ' 1e 00 41' | xargs)"
finish
