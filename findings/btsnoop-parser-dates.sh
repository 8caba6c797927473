#!/usr/bin/env bash
# Question: which date has a record of 2023-11-14 in btsnoop-parser?
# Guess: 2023-11-14.
# True: it depends on the age of the file: 2023-11-14 if the file was last written on that day, 2024-11-26 if it was copied two years later.
# The parser counts from the year 1, not 0, and takes off 378 days only if the result is later than the file's time of modification.
# Version: btsnoop-parser 0.10.0. Seen: both dates for the same octets. Its pcap and the two dates of one log differ by 378 days.
. "$(dirname "$0")/lib.sh"
python_with btsnoop-parser==0.10.0
python - > seen <<'PYTHON'
import os, btsnoop_parser
from captures import *
btsnoop("log.btsnoop", [event(connected())], start=1_700_000_000_000_000)
for modified in (1_700_000_100, 1_765_000_000):
    os.utime("log.btsnoop", (modified, modified))
    print(btsnoop_parser.parse_btsnoop_file("log.btsnoop")[0]["timestamp"].date())
PYTHON
is "dates" "2023-11-14 2024-11-26" "$(xargs < seen)"
finish
