#!/usr/bin/env bash
# Question: does `btmon -r A -w B` copy a log, to shorten or to merge it?
# Guess: it writes the records of A to B.
# True: it prints A, writes no file, says nothing of B, and ends with 0.
# Version: btmon 5.66. Seen: no file.
. "$(dirname "$0")/lib.sh"
needs btmon
python - <<'PYTHON'
from captures import *
btsnoop("a.btsnoop", [(3, connected()), (5, att("1B0300AA"))], MONITOR)
PYTHON
output=$(btmon -r a.btsnoop -w b.btsnoop 2>&1)
is "exit status" 0 $?
is "notifications printed" 1 "$(echo "$output" | grep -c Notification)"
is "the copy" no "$([ -e b.btsnoop ] && echo yes || echo no)"
is "words about it" 0 "$(echo "$output" | grep -c b.btsnoop)"
finish
