#!/usr/bin/env bash
# Question: is `btmon -T -r FILE > log.txt` a lossless text of a log?
# Guess: yes, -T only adds the date.
# True: it keeps to 80 columns and shortens the line of each packet: the connection handle of ACL data is lost.
# Version: btmon 5.66. Seen: "> ACL Data RX: Handle.. flags 0x02 dlen 8  #2 [hci0] 2023-11-14 22:13:20.001000".
# COLUMNS does not help; `btmon -t` keeps the handle.
. "$(dirname "$0")/lib.sh"
needs btmon
python - <<'PYTHON'
from captures import *
btsnoop("log.btsnoop", [(3, connected()), (5, att("1B0300AA"))], MONITOR)
PYTHON
is "-T" "> ACL Data RX: Handle.. flags 0x02 dlen 8" "$(btmon -T -r log.btsnoop 2>&1 | grep -o '^> ACL.*dlen 8')"
is "-T, COLUMNS=200" "> ACL Data RX: Handle.. flags 0x02 dlen 8" "$(COLUMNS=200 btmon -T -r log.btsnoop 2>&1 | grep -o '^> ACL.*dlen 8')"
is "-t" "> ACL Data RX: Handle 64 flags 0x02 dlen 8" "$(btmon -t -r log.btsnoop 2>&1 | grep -o '^> ACL.*dlen 8')"
finish
