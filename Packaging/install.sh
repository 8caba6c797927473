#!/bin/sh
# Installs attlas, or takes it away again.
# usage: install.sh [PREFIX]               into PREFIX/bin and PREFIX/share; without PREFIX, /usr/local
#        install.sh --uninstall [PREFIX]   removes what was installed there, and nothing else
set -eu
umask 022

usage() {
	sed -n '2,4s/^# //p' "$0"
	exit "$1"
}
uninstalls=
case ${1-} in
--uninstall) uninstalls=yes && shift ;;
-h | --help) usage 0 ;;
-*) usage 64 >&2 ;;
esac
[ $# -le 1 ] || usage 64 >&2
prefix=${1:-/usr/local}
case $prefix in
/*) ;;
*) prefix=$(pwd)/$prefix ;;
esac
# What was installed, one on each line, as it stands below PREFIX; folders that were made for it end in a slash.
list=share/attlas/installed

uninstall() {
	LC_ALL=C sort -r "$prefix/$list" | while read -r item; do
		case $item in
		# Others may have put something in.
		*/) rmdir "$prefix/$item" 2>/dev/null || true ;;
		*) rm -f "$prefix/$item" ;;
		esac
	done
}

if [ -n "$uninstalls" ]; then
	if [ ! -e "$prefix/$list" ]; then
		echo "install.sh: no attlas was installed in $prefix: $prefix/$list is missing" >&2
		exit 1
	fi
	uninstall
	exit
fi

cd "$(dirname "$0")"
[ ! -e SHA256SUMS ] || sha256sum --check --quiet SHA256SUMS
# An earlier version may have files that this one does not have.
[ ! -e "$prefix/$list" ] || uninstall

installed=$(mktemp)
trap 'rm -f "$installed"' EXIT
make_folder() {
	[ ! -d "$prefix/$1" ] || return 0
	case $1 in
	*/*) make_folder "${1%/*}" ;;
	*) mkdir -p "$prefix" ;;
	esac
	mkdir "$prefix/$1"
	echo "$1/" >> "$installed"
}
find bin share ! -type d | while read -r file; do
	make_folder "${file%/*}"
	# Never into a file that runs, or through a link.
	rm -f "$prefix/$file"
	cp -P --preserve=mode,timestamps "$file" "$prefix/$file"
	echo "$file" >> "$installed"
done
echo "$list" >> "$installed"
install -m 644 "$installed" "$prefix/$list"
