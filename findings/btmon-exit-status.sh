#!/usr/bin/env bash
# Question: which exit status has `btmon -r` for a file that it cannot read?
# Guess: 1, and a message.
# True: 0 for a missing file, a pcap file and btsnoop of three-wire UART (data link 1004), and its only output is the line with its version.
# Version: btmon 5.66. Seen: as above. A script that checks the status takes an unread log for an empty one.
. "$(dirname "$0")/lib.sh"
needs btmon
python - <<'PYTHON'
from captures import *
pcap("h4.pcap", 201, [b"\0\0\0\1\4" + connected()])
btsnoop("h5.btsnoop", [received(connected(), 4)], 1004)
PYTHON
for file in missing.btsnoop h4.pcap h5.btsnoop; do
    output=$(btmon -r $file 2> /dev/null)
    is "exit status of $file" 0 $?
    is "lines of output of $file" 1 "$(echo "$output" | wc -l)"
done
finish
