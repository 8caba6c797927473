# Sourced by every script: a temporary folder as the working directory, Python with captures.py, and comparisons.
# shellcheck shell=bash
set -u
export LC_ALL=C.UTF-8 TZ=UTC PYTHONPATH
PYTHONPATH=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=$(mktemp -d) && cd "$work" || exit 2
trap 'rm -rf "$work"' EXIT
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

# is WHAT EXPECTED ACTUAL: the behaviour that was seen.
is() {
    [ "$2" = "$3" ] || { changed=1; printf 'changed: %s\n  expected: %s\n  now:      %s\n' "$1" "$2" "$3"; }
}

# The last line of each script.
finish() { exit $changed; }
