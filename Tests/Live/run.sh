#!/bin/sh
# attlas live against a real Bluetooth kernel, in a virtual machine. Says that it was skipped, and why, where that cannot be.
#   run.sh conversation   BlueZ talks to bumble: attlas on the monitor socket and on libpcap beside btmon and tcpdump
#   run.sh testers        BlueZ's testers drive the kernel: attlas on the monitor socket beside btmon
set -eu

session=$1
here=$(dirname "$(realpath "$0")")
root=$here/../..
build=$root/.build/live
out=$build/$session
limit=${LIMIT:-400}

skip() {
    echo "skipped: $1"
    exit 0
}

[ "$(id -u)" = 0 ] || skip "the virtual machine sees this file system as it is, which takes root"
/usr/bin/python3 -c 'import socket; socket.AF_BLUETOOTH' 2>/dev/null || skip "/usr/bin/python3 knows no AF_BLUETOOTH"
case $here in /tmp/*) skip "the virtual machine has a /tmp of its own, and this checkout is below it" ;; esac
mkdir -p "$out"
[ -x "$build/venv/bin/python" ] || /usr/bin/python3 -m venv "$build/venv"
"$build/venv/bin/python" -c 'import bumble' 2>/dev/null || "$build/venv/bin/pip" -q install bumble==0.0.236 || skip "bumble cannot be installed"

try() {
    rm -f "$out"/*
    LIMIT=$limit PYTHON=$build/venv/bin/python "$root/Captures/record/vm/run.sh" "$here/$session.sh" "$out" >"$out.log" 2>&1 || true
    # The session writes it when all else is written.
    [ -e "$out/done" ] || {
        tail -5 "$out.log"
        skip "the virtual machine did not come to the end of its session in $limit s; its log is $out.log"
    }
    python3 "$here/$session.py" "$root/.build/debug/attlas" "$out"
}

# On a busy machine one of the listeners may begin too late.
try || { echo "once more:"; try; }
