#!/usr/bin/env bash
# A Debian package as its user meets it: in a root of its own it is installed, shows a capture, has its pages and completions, records,
# lets a group capture, and is purged, after which no file is left or changed.
# usage: test-deb.sh PACKAGE
set -euo pipefail
package=$1
[ "$(id -u)" = 0 ] || exec sudo --preserve-env=http_proxy "$0" "$@"
. "$(dirname "$0")/debian-root.sh"

folder=$(mktemp -d /var/tmp/attlas-deb.XXXXXX)
root=$folder/root
session="attlas-deb-$$"
cleanup() {
	tmux kill-session -t "$session" 2>/dev/null || true
	umount "$root/proc" 2>/dev/null || true
	rm -rf --one-file-system "$folder"
}
trap cleanup EXIT
mkdir "$root"
chmod 755 "$folder" "$root"
failures=0
passed=0

# The words of the second argument are in the output of a command: expect NAME WORDS COMMAND…
expect() {
	local output
	if output=$("${@:3}" 2>&1) && grep -qF -- "$2" <<< "$output"; then
		passed=$((passed + 1))
	else
		printf '✘ %s: no "%s" in\n%s\n' "$1" "$2" "$output"
		failures=$((failures + 1))
	fi
}
# From /usr/share/doc/attlas, as a user.
within() { LC_ALL=C.UTF-8 chroot "$root" /usr/bin/env --chdir /usr/share/doc/attlas HOME=/tmp TERM=xterm "$@"; }
seconds() { echo "$1: $((SECONDS - start)) s"; start=$SECONDS; }
start=$SECONDS

make_debian "$root" man-db,bash-completion,zsh,fish,libcap2-bin
cp /etc/resolv.conf "$root/etc"
depends=$(dpkg-deb --field "$package" Depends)
chroot "$root" apt-get -qq update
chroot "$root" apt-get -qq satisfy --no-install-recommends "$depends" > "$folder/log" 2>&1 || { tail "$folder/log"; exit 1; }
seconds "a Debian and what attlas depends on"

# Every file with its kind, mode, owner and content; not what dpkg says of itself, and caches.
files() {
	(cd "$root" && find . -path ./proc -prune -o -path ./sys -prune -o -path ./dev -prune -o -path ./tmp -prune -o \
		-path './var/lib/dpkg/*' -prune -o -path './var/cache/*' -prune -o -path './var/log/dpkg.log' -prune -o \
		-path './run/*' -prune -o \( -type f -printf '%p %m %U %G ' -exec sha256sum {} \; \) -o -printf '%p %m %U %G %l\n' | LC_ALL=C sort)
}
# The group of README.Debian is the administrator's.
chroot "$root" groupadd --system attlas
files > "$folder/before"

cp "$package" "$root/tmp/attlas.deb"
began=$(date +%s%N)
expect "installation" "README.Debian" chroot "$root" dpkg --install /tmp/attlas.deb
expect "the first value" "87 %" within attlas show Captures/heart-rate.btsnoop
echo "from the package to the first decoded value: $((($(date +%s%N) - began) / 1000000)) ms"
expect "the schemas" '"title"' within cat Documentation/schemas/show.schema.json
expect "the dissectors" "all right" within attlas dissectors check Dissectors/heart-rate.yaml
expect "what Wireshark is offered" "interface {value=attlas-file}" within sh -c "/usr/lib/*/wireshark/extcap/attlas --extcap-interfaces"
expect "whether all files are as packaged" "" chroot "$root" dpkg --verify attlas

for page in "attlas" "attlas show" "attlas-dissectors-new"; do
	# shellcheck disable=SC2086
	expect "man $page" "SYNOPSIS" within man $page
done
expect "apropos" "attlas-why" within sh -c 'mandb --quiet && apropos "what broke"'

# What a shell completes, typed into it on a terminal.
for shell in bash zsh fish; do
	case $shell in
	bash) command="bash -i" setup=". /usr/share/bash-completion/bash_completion" ;;
	zsh) command="zsh -f -i" setup="autoload -Uz compinit; compinit -u -D" ;;
	fish) command="fish -i" setup="true" ;;
	esac
	LC_ALL=C.UTF-8 tmux new-session -d -s "$session" -x 120 -y 40 \
		"chroot $root /usr/bin/env --chdir /usr/share/doc/attlas LC_ALL=C.UTF-8 HOME=/tmp TERM=xterm $command"
	tmux send-keys -t "$session" "$setup; echo rea''dy" Enter
	shown() { for _ in $(seq 100); do tmux capture-pane -p -t "$session" | grep -F -- "$1" && return; sleep 0.1; done; tmux capture-pane -p -t "$session"; return 1; }
	expect "$shell starts" ready shown ready
	tmux send-keys -t "$session" "attlas show Captures/heart-r"
	tmux send-keys -t "$session" Tab
	# A capture and its page have this name; what differs is for the user to type.
	expect "a file name in $shell" "Captures/heart-rate." shown "attlas show Captures/heart-rate."
	tmux kill-session -t "$session"
done

# The service records what it reads with its own command.
record=$(sed -n 's/^ExecStart=//p' "$root/usr/lib/systemd/system/attlas-record.service")
mkdir "$root/var/log/attlas"
# shellcheck disable=SC2086
expect "the command of the service" "" within sh -c "$record - < Captures/heart-rate.btsnoop"
expect "its recording" "87 %" within sh -c 'attlas show /var/log/attlas/log.*.btsnoop'
if command -v systemd-analyze > /dev/null; then
	# Not that the rest of systemd is missing here.
	expect "the unit" "none" sh -c "systemd-analyze verify --man=no --root='$root' '$root/usr/lib/systemd/system/attlas-record.service' 2>&1 |
		grep -v 'sysinit.target not found' || echo none"
fi
expect "the service is not enabled" "0" sh -c "find '$root/etc/systemd' '$root/lib/systemd' -name 'attlas*' -type l | wc -l"

# The group of README.Debian, and a later version.
expect "no capabilities unasked" "none" sh -c "echo \$(getcap '$root/usr/bin/attlas')none"
chroot "$root" dpkg-statoverride --update --add root attlas 0750 /usr/bin/attlas
expect "reconfiguration" "" chroot "$root" dpkg-reconfigure attlas
expect "capabilities for a group" "cap_net_admin,cap_net_raw=ep" within getcap /usr/bin/attlas
chroot "$root" dpkg --install /tmp/attlas.deb > /dev/null
expect "capabilities of a later version" "cap_net_admin,cap_net_raw=ep" within getcap /usr/bin/attlas
expect "who may run it" "750 attlas" within stat --format '%a %G' /usr/bin/attlas

expect "purge" "Purging" chroot "$root" dpkg --purge attlas
files > "$folder/after"
expect "nothing is left" "" diff "$folder/before" "$folder/after"
seconds "installed, used and purged"

echo "$passed passed, $failures failed"
[ $failures = 0 ]
