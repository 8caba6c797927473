#!/bin/sh
# In the virtual machine: attlas listens, through the monitor socket and through libpcap, while the session of Captures/record/vm/bluez.sh is
# recorded by btmon and tcpdump.
set -u

here=$(dirname "$0")
attlas=$here/../../.build/debug/attlas

"$attlas" live --json --write /tmp/socket.btsnoop >/tmp/socket.ndjson 2>/tmp/socket.err &
socket=$!
(sleep 5; exec "$attlas" live --json --device bluetooth-monitor >/tmp/device.ndjson 2>/tmp/device.err) &
device=$!
sleep 1
SESSIONS=$here/../../Captures/record/vm
. "$SESSIONS/bluez.sh"
kill -INT "$socket"
pkill -INT -f bluetooth-monitor
sleep 3
cp /tmp/socket.* /tmp/device.* "$OUT"
touch "$OUT/done"
