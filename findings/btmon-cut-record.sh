#!/usr/bin/env bash
# Question: how does btmon read a log with packets cut to a snap length?
# Guess: it shows the cut packet, marks it and continues, because each btsnoop record says how many octets are included.
# True: it reads "original length" octets instead of "included length", so that a cut record swallows the start of the next ones.
# Version: btmon 5.66. Seen: two of three notifications missing, and controllers appear that nobody plugged in. Exit status 0.
# btsnoop, as RFC 1761 (snoop): the record has "included length" octets.
. "$(dirname "$0")/lib.sh"
needs btmon
python - <<'PYTHON'
from captures import *
cut, value = att("1B0300" + "11" * 20), 5
start = [(0, struct.pack("<BB6s8s", 0, 0, b"\1\2\3\4\5\6", b"hci0")), (8, b""), (3, connected())]
rest = [(value, att("1B0300AA")), (value, att("1B0300BB"))]
btsnoop("whole.btsnoop", start + [(value, cut)] + rest, MONITOR)
btsnoop("cut.btsnoop", start + [(value, cut[:-4], len(cut))] + rest, MONITOR)
PYTHON
count() { btmon -r "$1" 2>&1 | grep -c "$2"; }
is "notifications of the whole log" 3 "$(count whole.btsnoop 'Handle Value Notification')"
is "notifications of the cut log" 1 "$(count cut.btsnoop 'Handle Value Notification')"
is "controllers of the cut log" 3 "$(count cut.btsnoop 'New Index')"
btmon -r cut.btsnoop > /dev/null 2>&1
is "exit status" 0 $?
finish
