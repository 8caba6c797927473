# Sourced by every script: a temporary folder as the working directory, Python with captures.py, and comparisons.
# shellcheck shell=bash
set -u
export LC_ALL=C.UTF-8 TZ=UTC PYTHONPATH
PYTHONPATH=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=$(mktemp -d) && cd "$work" || exit 2
trap 'jobs -p | xargs -r kill 2> /dev/null; rm -rf "$work"' EXIT
changed=0

# needs PROGRAM...: exit status 2 if a program is not installed.
needs() { local p; for p; do command -v "$p" >/dev/null || { echo "not installed: $p"; exit 2; }; done; }

# python_with PACKAGE==VERSION...: then `python` has these packages. FINDINGS_CACHE keeps them for the next run.
python_with() {
    local folder=${FINDINGS_CACHE:-$work}/${*// /_}
    folder=${folder// /+}
    [ -e "$folder/ready" ] || { python3 -m venv "$folder" && "$folder/bin/pip" install --quiet --disable-pip-version-check "$@" &&
        touch "$folder/ready"; } || { echo "not installed: $*"; exit 2; }
    python=$folder/bin/python
}
python=python3
python() { PYTHONWARNINGS=ignore "$python" "$@"; }

# go_with IMPORT...: exit status 2 if Debian has not installed a library of Go (golang-…-dev). go_run FILE builds and runs.
go_with() { local path; needs go; for path; do [ -d "/usr/share/gocode/src/$path" ] || { echo "not installed: $path"; exit 2; }; done; }
go_run() { GO111MODULE=off GOPATH=/usr/share/gocode GOCACHE=${FINDINGS_CACHE:-$work}/go-build go run "$1"; }

# private_bus: a system bus of D-Bus for this script alone.
private_bus() {
    needs dbus-daemon
    export DBUS_SYSTEM_BUS_ADDRESS=unix:path=$work/bus
    cat > bus.conf <<XML
<busconfig><type>system</type><listen>$DBUS_SYSTEM_BUS_ADDRESS</listen><policy context="default">
<allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy></busconfig>
XML
    dbus-daemon --config-file=bus.conf --nofork --nopidfile > bus.log 2>&1 &
    wait_for bus
}

# mock_bluez: bluetoothd as a mock, after private_bus and python_with a version of dbus-fast.
mock_bluez() { "$python" "$PYTHONPATH/bluez_mock.py" > mock.log 2>&1 & wait_for mock.log; }

# wait_for FILE: until it has something, or is a socket; 10 s at most.
wait_for() { local tenth; for tenth in {1..100}; do [ -s "$1" ] || [ -S "$1" ] && return; sleep 0.1; done; echo "did not start: $1"; exit 2; }

# is WHAT EXPECTED ACTUAL: the behaviour that was seen.
is() {
    [ "$2" = "$3" ] || { changed=1; printf 'changed: %s\n  expected: %s\n  now:      %s\n' "$1" "$2" "$3"; }
}

# The last line of each script.
finish() { exit $changed; }
