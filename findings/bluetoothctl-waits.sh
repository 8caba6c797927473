#!/usr/bin/env bash
# Question: how long does `bluetoothctl --timeout 2 show` take while bluetoothd does not run?
# Guess: 2 seconds at most, with an error.
# True: it waits without a message and without an end. The time of --timeout starts once bluetoothd is running.
# Version: bluetoothctl 5.66. Seen: ended by timeout(1) after 6 s, no output. bluetoothctl --help: "Timeout in seconds for non-interactive mode".
. "$(dirname "$0")/lib.sh"
needs bluetoothctl
private_bus
timeout 6 bluetoothctl --timeout 2 show < /dev/null > seen 2>&1
is "status, 124 is of timeout(1)" 124 $?
is "output" "" "$(cat seen)"
finish
