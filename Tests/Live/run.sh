#!/bin/sh
# attlas live against a real Bluetooth kernel: BlueZ and bumble in a virtual machine, heard by attlas through the monitor socket and through
# libpcap, and recorded by btmon and tcpdump. Says that it was skipped, and why, where that cannot be.
set -eu

here=$(dirname "$(realpath "$0")")
root=$here/../..
build=$root/.build/live

skip() {
    echo "skipped: $1"
    exit 0
}

[ "$(id -u)" = 0 ] || skip "the virtual machine sees this file system as it is, which takes root"
/usr/bin/python3 -c 'import socket; socket.AF_BLUETOOTH' 2>/dev/null || skip "/usr/bin/python3 knows no AF_BLUETOOTH"
mkdir -p "$build/out"
# Not below /tmp, which the virtual machine has its own of
[ -x "$build/venv/bin/python" ] || /usr/bin/python3 -m venv "$build/venv"
"$build/venv/bin/python" -c 'import bumble' 2>/dev/null || "$build/venv/bin/pip" -q install bumble==0.0.236 || skip "bumble cannot be installed"

rm -f "$build"/out/*
LIMIT=280 PYTHON=$build/venv/bin/python "$root/Captures/record/vm/run.sh" "$here/session.sh" "$build/out" >"$build/log" 2>&1 || {
    tail -20 "$build/log"
    echo "the virtual machine did not end its session; its log is $build/log"
    exit 1
}
python3 "$here/compare.py" "$root/.build/debug/attlas" "$build/out"
