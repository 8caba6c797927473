#!/usr/bin/env bash
# Question: which date does tshark show for btsnoop records before 1970 (a clock that starts at 0, or one second before 1970)?
# Guess: 0000-01-01 and 1969-12-31.
# True: the years 2041 and 2106: seconds without a sign, in 32 bits. A fraction is "-500000".
# Version: tshark 4.0.17. Seen: "2041-07-01 01:04:00.000000" for time 0, "2106-02-07 06:28:15.-500000" for 1.5 s before 1970.
. "$(dirname "$0")/lib.sh"
needs tshark
python - <<'PYTHON'
from captures import *
btsnoop("early.btsnoop", [(3, b"\4" + disconnected(), None, -BTSNOOP_EPOCH), (3, b"\4" + disconnected(), None, -1_500_000)])
PYTHON
is "dates" "2041-07-01 01:04:00.000000 2106-02-07 06:28:15.-500000" "$(tshark -t ud -r early.btsnoop 2> /dev/null | awk '{ print $2, $3 }' | xargs)"
finish
