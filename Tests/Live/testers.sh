#!/bin/sh
# In the virtual machine: BlueZ's own testers drive the kernel through emulated controllers, faster than any radio, while attlas listens and btmon
# records beside it.
set -u

here=$(dirname "$0")
program=$here/../../.build/debug/attlas

echo Y >/sys/module/bluetooth/parameters/enable_ecred
"$program" live --json --write /tmp/attlas.btsnoop >/tmp/attlas.ndjson 2>/tmp/attlas.err &
attlas=$!
btmon -w /tmp/btmon.btsnoop >/dev/null 2>&1 &
btmon=$!
sleep 3
# Of these gap-tester talks to bluetoothd.
mkdir -p /run/dbus
dbus-daemon --system --nopidfile
for tester in l2cap-tester smp-tester gap-tester iso-tester; do
    if [ $tester = gap-tester ]; then
        /usr/libexec/bluetooth/bluetoothd &
        sleep 3
    fi
    # Some never end when the kernel lacks what they ask for
    timeout -s KILL 90 $tester >/tmp/tester 2>&1
    grep -a "^Total: " /tmp/tester | sed "s/^/$tester: /" >>/tmp/totals
    pkill bluetoothd
    echo "$tester: $(grep -ac "Passed\|Failed\|Timed out" /tmp/tester) lines of results"
done
sleep 5
kill -INT "$attlas"
wait "$attlas"
echo "$?" >/tmp/attlas.status
kill "$btmon"
sleep 1
cp /tmp/attlas.* /tmp/btmon.btsnoop /tmp/totals "$OUT"
touch "$OUT/done"
