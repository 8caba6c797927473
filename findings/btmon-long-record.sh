#!/usr/bin/env bash
# Question: up to which length does btmon read a packet of a log?
# Guess: 64 KiB, or an error message.
# True: up to 1,490 octets. At a longer record it ends without a word, with exit status 0, and the rest of the log is missing.
# Version: btmon 5.66. Seen: one ACL packet of 1,491 octets hides the notification after it. An ACL packet can have 65,535 (Vol 4, Part E, 5.4.2).
. "$(dirname "$0")/lib.sh"
needs btmon
python - <<'PYTHON'
from captures import *
for size in (1490, 1491):
    records = [(3, connected()), (5, acl(0x40, 0x41, bytes(size - 8))), (5, att("1B0300AA"))]
    btsnoop(f"{size}.btsnoop", records, MONITOR)
PYTHON
is "notifications after a record of 1,490 octets" 1 "$(btmon -r 1490.btsnoop 2>&1 | grep -c Notification)"
is "notifications after a record of 1,491 octets" 0 "$(btmon -r 1491.btsnoop 2>&1 | grep -c Notification)"
is "lines with a message" 0 "$(btmon -r 1491.btsnoop 2>&1 | grep -ciE 'error|too long|invalid|large')"
btmon -r 1491.btsnoop > /dev/null 2>&1
is "exit status" 0 $?
finish
