#!/usr/bin/env bash
# Question: which date do btmon and hcidump print for a log of a device whose clock was never set (1999-12-31)?
# Guess: 1999-12-31, or a negative time.
# True: 18 January of the year 586554: they subtract 2000-01-01 from the time without a sign.
# Version: btmon and hcidump 5.66. Seen: "586554-01-18 08:01:48.551616". btsnoop's times are signed microseconds since the year 0.
. "$(dirname "$0")/lib.sh"
needs btmon hcidump
python - <<'PYTHON'
from captures import *
btsnoop("1999.btsnoop", [(*event(connected()), None, 946684799_000000)])
PYTHON
is "hcidump" 586554-01-18 "$(hcidump -t -r 1999.btsnoop | grep -o '58[0-9]*-[0-9]*-[0-9]*')"
is "btmon" 586554-01-18 "$(btmon -T -r 1999.btsnoop 2>&1 | grep -o '58[0-9]*-[0-9]*-[0-9]*')"
finish
