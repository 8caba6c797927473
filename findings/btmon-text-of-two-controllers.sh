#!/usr/bin/env bash
# Question: does the number after "#" in btmon's text count the packets of a log with two controllers?
# Guess: yes, one number for each line, or one count for each controller.
# True: only the packets of the first controller have one. The others have none, and so a gap is no sign of a lost packet.
# Version: btmon 5.66. Seen: "#1 [hci0]", then "[hci1]" without a number, then "#2 [hci0]". `-t` has no date: midnight goes from 23:59:59 to 00:00:00.
. "$(dirname "$0")/lib.sh"
needs btmon
python - <<'PYTHON'
from captures import *
midnight = 19_676 * 86_400_000_000
times = (midnight - 1000, midnight + 1000, midnight + 2000)
btsnoop("two.btsnoop", [(3, connected(), None, times[0]), (1 << 16 | 3, connected(), None, times[1]), (3, disconnected(), None, times[2])], MONITOR)
PYTHON
is "numbers, controllers and times" "#1 [hci0] 23:59:59.999000 [hci1] 00:00:00.001000 #2 [hci0] 00:00:00.002000" \
    "$(btmon -t -r two.btsnoop 2>&1 | grep -oE '(#[0-9]+ )?\[hci[01]\] .*' | xargs)"
finish
