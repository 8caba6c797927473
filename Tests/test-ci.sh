#!/usr/bin/env bash
# The action for GitHub and the jobs for GitLab, run in a Debian that has nothing else: with a capture in which something broke they fail, and name it.
# usage: test-ci.sh WHEEL, with its checksum next to it
set -euo pipefail
wheel=$(realpath "$1")
[ "$(id -u)" = 0 ] || exec sudo --preserve-env=http_proxy env PATH="$PATH" "$0" "$wheel"
cd "$(dirname "$0")/.."
. Tests/debian-root.sh
. Tests/expect.sh

folder=$(mktemp -d /var/tmp/attlas-ci.XXXXXX)
root=$folder/root
server=
cleanup() {
	[ -z "$server" ] || kill "$server"
	umount "$root/proc" 2>/dev/null || true
	rm -rf --one-file-system "$folder"
}
trap cleanup EXIT
mkdir "$root"
chmod 755 "$folder" "$root"
make_debian "$root" bash
cp /etc/resolv.conf "$root/etc"
# What is downloaded, where a release of GitHub would have it.
mkdir -p "$folder/site/OWNER/attlas/releases/download"
cp -r "$(dirname "$wheel")" "$folder/site/OWNER/attlas/releases/download/v1.0.0"
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
python3 -m http.server --bind 127.0.0.1 --directory "$folder/site" "$port" > "$folder/server.log" 2>&1 &
server=$!
site=http://127.0.0.1:$port
package=$site/OWNER/attlas/releases/download/v1.0.0/$(basename "$wheel")
# The wheel under a name for a C library that nobody has.
newer=$(sed 's/manylinux_2_[0-9]*/manylinux_2_99/' <<< "$(basename "$wheel")")
cp "$wheel" "$folder/site/$newer"
(cd "$folder/site" && sha256sum "$newer" > "$newer.sha256")
newer=$site/$newer

github() { python3 Tests/run-ci.py "$root" /work github "$site" "$@"; }
gitlab() { python3 Tests/run-ci.py "$root" /work gitlab "$1" ATTLAS_PACKAGE="$package" "${@:2}"; }
check_out() { rm -rf "$root/work" "$root"/tmp/tmp.* && mkdir -p "$root/work/captures" && for name; do cp "Captures/$name" "$root/work/captures"; done; }

# The action asks for the wheel by this name, or finds none.
name=$(basename "$wheel" | sed "s/$(uname -m)/x86_64/")
expect "the wheel's name in the jobs for GitLab" 0 "/$name" grep "ATTLAS_PACKAGE: " Packaging/ci/gitlab.yml
expect "the wheel's name in their example" 0 "/$name" grep "ATTLAS_PACKAGE: " Documentation/ci/gitlab.yml

# Nothing broke.
check_out indications.btsnoop
expect "GitLab's check of a good capture" 0 "Expectations met: 1 of 1." gitlab attlas-check
expect "its annotations" 0 "[]" cat "$root/work/attlas-check.json"
expect "GitLab's lint of a good capture" 0 "4 info" gitlab attlas-lint
expect "its report" 0 "<!DOCTYPE html>" head -c 200 "$root/work/attlas-report.html"
expect "GitHub's action on a good capture" 0 "::endgroup::Lint: status 0" github captures=captures
expect "its report" 0 "<!DOCTYPE html>" head -c 200 "$root/work/attlas-reports/report.html"
expect "its findings" 0 '"version":"2.1.0"' cat "$root/work/attlas-reports/lint.sarif"
expect "its summary" 0 "Nothing broke" cat "$root/tmp/GITHUB_STEP_SUMMARY"
expect "the command alone on the path" 0 "has attlas." sh -c "echo has \$(ls '$root'/\$(cat '$root/tmp/GITHUB_PATH'))."

# A request was refused. Lint has no error in it.
check_out heart-rate.btsnoop indications.btsnoop
what="Read Request of System ID by the host, not encrypted: refused with Insufficient Authentication (0x05)."
expect "GitLab's check of a fault" 1 "$what" gitlab attlas-check
expect "its annotation" 0 "$what" cat "$root/work/attlas-check.json"
expect "the place of its annotation" 0 '"path":"captures/heart-rate.btsnoop","lines":{"begin":136}' cat "$root/work/attlas-check.json"
expect "its test" 0 'tests="2" failures="1"' cat "$root/work/attlas-check.xml"
expect "GitLab's lint of it" 0 "" gitlab attlas-lint
annotation="::error file=captures/heart-rate.btsnoop,line=136,title=expect/nothing-broke%3A incidents none::$what"
expect "GitHub's annotation of a fault" 1 "$annotation" github captures=captures
expect "lint after a check that fails" 1 "::endgroup::Lint: status 0" github captures=captures
expect "its summary" 0 "System ID cannot be read" cat "$root/tmp/GITHUB_STEP_SUMMARY"
expect "two captures, one a line" 1 "$annotation" github $'captures=captures/indications.btsnoop\n\ncaptures/heart-rate.btsnoop\n'

# The project's expectations, and errors of lint.
echo 'expectations: [{ id: battery, service: Battery, exists: true }]' > "$root/work/expectations.yaml"
expect "GitHub's action with expectations that are met" 0 "status 0" github captures=captures/heart-rate.btsnoop expectations=expectations.yaml
expect "GitLab's check with them" 0 "Expectations met" \
	gitlab attlas-check ATTLAS_CAPTURES=captures/heart-rate.btsnoop ATTLAS_EXPECTATIONS=expectations.yaml
mv "$root/work/expectations.yaml" "$root/work/captures"
expect "the workflow of the documentation" 0 "::endgroup::Lint: status 0" github
expect "the jobs of the documentation" 0 "Expectations met" gitlab attlas-check example=yes
check_out careless-scale.btsnoop
expect "GitLab's lint of errors" 1 "att/mtu-too-small" gitlab attlas-lint
expect "GitHub's lint of errors" 1 "::error file=captures/careless-scale.btsnoop,line=44" github captures=captures
expect "a severity" 1 "::endgroup::Lint: status 64" github captures=captures fail-on='error; true'

# Names that a shell would run, or that look like options.
check_out
hostile='$(touch pwned) `touch pwned`;touch pwned&"'\'
cp Captures/indications.btsnoop "$root/work/captures/$hostile.btsnoop"
cp Captures/indications.btsnoop "$root/work/--version"
expect "GitHub's action on hostile names" 0 "::endgroup::Lint: status 0" \
	github captures=$'--version\n'"captures/$hostile.btsnoop" reports="captures/reports $hostile"
expect "its report" 0 "<!DOCTYPE html>" head -c 200 "$root/work/captures/reports $hostile/report.html"
expect "GitLab's lint of hostile names" 0 "4 info" gitlab attlas-lint ATTLAS_CAPTURES=$'--version\n'"captures/$hostile.btsnoop"
expect "GitLab's check of hostile names" 0 "Expectations met" gitlab attlas-check ATTLAS_CAPTURES=$'--version\n'"captures/$hostile.btsnoop"
expect "a glob is no pattern" 1 "*" gitlab attlas-check ATTLAS_CAPTURES='captures/*'
expect "GitHub's action on a hostile URL" 1 "status 3" github captures=captures package="$site/\`touch pwned\`.whl"
expect "GitLab's lint with a hostile URL" 1 "curl: (3)" gitlab attlas-lint ATTLAS_PACKAGE="$site/\`touch pwned\`.whl"
expect "a URL with a query" 0 "::endgroup::Lint: status 0" github captures=--version package="$package?token=a/b" sha256="$(cut -d ' ' -f 1 "$wheel.sha256")"
expect "that nothing ran" 0 "0" sh -c "find '$root/work' '$root/tmp' '$root/root' -name pwned | wc -l"

# What cannot be done.
zeros=$(printf '%064d' 0)
expect "another wheel on GitHub" 1 "FAILED" github captures=captures sha256="$zeros"
expect "no step after it" 1 "::endgroup::Install attlas: status 1" github captures=captures sha256="$zeros"
expect "another wheel on GitLab" 1 "FAILED" gitlab attlas-lint ATTLAS_SHA256="$zeros"
expect "no wheel" 1 "404" github captures=captures package="$site/none.whl"
expect "a wheel for a newer C library on GitHub" 1 "is not a supported wheel on this platform" github captures=captures package="$newer"
expect "a wheel for a newer C library on GitLab" 1 "is not a supported wheel on this platform" gitlab attlas-lint ATTLAS_PACKAGE="$newer"
expect "no capture" 1 "nowhere: cannot be opened" github captures=nowhere
expect "no captures at all" 1 "Missing expected argument" github captures=

echo "$passed passed, $failures failed, $SECONDS s"
[ $failures = 0 ]
