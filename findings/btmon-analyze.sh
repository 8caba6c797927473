#!/usr/bin/env bash
# Question: which latencies does `btmon -a` print for packets to a device?
# Guess: the time from each packet to the event that reports it as completed; the median is the middle value.
# True: it takes one packet for each event, whatever number of packets the event completes, so later packets are compared with earlier events.
# An LE connection is called BR-ACL. Its "median" is no middle value.
# Version: btmon 5.66. Seen: for 13, 12, 11, 10 (one event of four packets), 1, 2, 3, 4 and 10 ms: min 13, max 22, median 18; right: 1, 13 and 10.
# Vol 4, Part E, 7.7.19: Num_Completed_Packets.
. "$(dirname "$0")/lib.sh"
needs btmon
python - <<'PYTHON'
from captures import *
time = 1_700_000_000_000_000
records = [(0, struct.pack("<BB6s8s", 0, 0, b"\1\2\3\4\5\6", b"hci0"), None, time), (3, connected(), None, time)]

def add(opcode, octets, later):
    global time
    time += later
    records.append((opcode, octets, None, time))

completed = lambda count: bytes.fromhex("1305014000") + bytes([count, 0])
for _ in range(4):
    add(4, att("120300AA"), 1000)
add(3, completed(4), 10_000)
for milliseconds in (1, 2, 3, 4, 10):
    add(4, att("120300AA"), 1000)
    add(3, completed(1), milliseconds * 1000)
btsnoop("log.btsnoop", records, MONITOR)
PYTHON
is "latencies" "13 msec min 22 msec max 18 msec median" "$(btmon -a log.btsnoop 2>&1 | grep -o '[0-9]* msec [a-z]*' | xargs)"
is "connection" 1 "$(btmon -a log.btsnoop 2>&1 | grep -c 'Found BR-ACL connection with handle 64')"
finish
