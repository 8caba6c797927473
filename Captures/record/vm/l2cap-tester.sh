#!/bin/sh
# In the virtual machine: BlueZ's l2cap-tester drives the kernel through emulated controllers while btmon records.
set -u

echo Y >/sys/module/bluetooth/parameters/enable_ecred
btmon -w /tmp/l2cap-tester.btsnoop >/dev/null 2>&1 &
btmon=$!
sleep 1
l2cap-tester | grep -a "Passed\|Failed\|Not Run"
sleep 1
kill "$btmon"
sleep 1
cp /tmp/l2cap-tester.btsnoop "$OUT"
