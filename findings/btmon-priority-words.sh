#!/usr/bin/env bash
# Question: which lines of bluetoothd does `btmon -p err` show in a log that has an error, a warning and more?
# Guess: the error; `warn` and `info` add the next ones.
# True: none with the words err, warn and info. `debug` shows all, and numbers do what the words promise: -p 3 for errors.
# Version: btmon 5.66. Seen: 0, 0, 0 and 4 lines; 1, 2, 3 and 4 with 3, 4, 6 and 7. Its manual: "Show only priority or lower".
. "$(dirname "$0")/lib.sh"
needs btmon
python - <<'PYTHON'
from captures import *

def line(priority, text):
    return 13, bytes([priority, 11]) + b"bluetoothd\0" + text + b"\0"

btsnoop("log.btsnoop", [(0, struct.pack("<BB6s8s", 0, 0, b"\1\2\3\4\5\6", b"hci0")), line(3, b"error"), line(4, b"warning"), line(6, b"info"),
                        line(7, b"debug")], MONITOR)
PYTHON
shown() { for level; do btmon -p "$level" -r log.btsnoop | grep -c 'bluetoothd:'; done | xargs; }
is "lines with words" "0 0 0 4" "$(shown err warn info debug)"
is "lines with numbers" "1 2 3 4" "$(shown 3 4 6 7)"
finish
