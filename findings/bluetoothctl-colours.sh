#!/usr/bin/env bash
# Question: what do commands written to bluetoothctl in a pipe print, if its output is a file?
# Guess: the answers alone.
# True: prompts, the commands themselves, and escape sequences: "\e[0;94m[Sensor]\e[0m# devices". A message of one command on the command line has
# \x01 and \x02 around its colours, which are meant for readline. Only `bluetoothctl devices < /dev/null` prints plain lines.
# Version: bluetoothctl 5.66. Seen: as above. No page of bluetoothctl promises plain text; other programs of BlueZ (btmon) write none into a file.
. "$(dirname "$0")/lib.sh"
needs bluetoothctl
python_with dbus-fast==5.2.0
private_bus
mock_bluez
(sleep 2; echo devices; sleep 1; echo quit) | timeout 20 bluetoothctl > seen 2>&1
is "a prompt with the command" 1 "$(grep -cE $'\e\[0;94m\[Sensor\]\e\[0m# (\e\[K)?devices$' seen)"
timeout 20 bluetoothctl nonsense < /dev/null > seen 2>&1
is "marks of readline" 1 "$(grep -c $'\x01\e\[1;39m\x02Invalid command in menu main: nonsense\x01\e\[0m\x02' seen)"
timeout 20 bluetoothctl devices < /dev/null > seen 2>&1
is "plain" "Device C6:05:04:03:02:01 Sensor" "$(cat seen)"
finish
