#!/usr/bin/env bash
# Question: does bluetooth-clocks read the Current Time that it writes itself?
# Guess: yes.
# True: it refuses all 10 octets of a valid Current Time as invalid, and takes only 9, without Adjust Reason.
# Version: bluetooth-clocks 0.2.0. Seen: InvalidTimeBytesError, then 1700000000.5. Current Time Service, 3.1: Exact Time 256 (9 octets) and Adjust Reason (1).
. "$(dirname "$0")/lib.sh"
python_with bluetooth-clocks==0.2.0
python - > seen 2> errors <<'PYTHON'
from bluetooth_clocks.devices.current_time_service import CurrentTimeService
clock = CurrentTimeService.__new__(CurrentTimeService)
written = clock.get_bytes_from_time(1_700_000_000.5)
print(len(written))
for value in (written, written[:9]):
    try:
        print(clock.get_time_from_bytes(value))
    except Exception as error:
        print(type(error).__name__)
PYTHON
is "octets written, read of 10 and of 9" "10 InvalidTimeBytesError 1700000000.5" "$(xargs < seen)"
finish
