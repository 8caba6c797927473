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
LC_ALL=C.UTF-8 TERM=xterm tmux -S /tmp/screen.tmux new-session -d -x 200 -y 50 "$attlas live 2>/tmp/screen.err"
sleep 1
SESSIONS=$here/../../Captures/record/vm
. "$SESSIONS/bluez.sh"
tmux -S /tmp/screen.tmux capture-pane -p >/tmp/screen.txt
tmux -S /tmp/screen.tmux send-keys q
kill -INT "$socket"
pkill -INT -f bluetooth-monitor
sleep 3
cp /tmp/socket.* /tmp/device.* /tmp/screen.txt "$OUT"
touch "$OUT/done"
