#!/bin/sh
# Installs attlas, or takes it away again.
# usage: install.sh [PREFIX]             into PREFIX/bin and PREFIX/share; without it, /usr/local
#        install.sh --uninstall [PREFIX] what was installed there, and nothing else
set -eu

usage() {
	sed -n '2,4s/^# //p' "$0"
	exit "$1"
}
uninstall=
case ${1-} in
--uninstall) uninstall=yes && shift ;;
-h | --help) usage 0 ;;
-*) usage 64 >&2 ;;
esac
[ $# -le 1 ] || usage 64 >&2
prefix=${1:-/usr/local}
case $prefix in
/*) ;;
*) prefix=$(pwd)/$prefix ;;
esac
# The files of an installation, one on each line, as they stand below PREFIX.
list=$prefix/share/attlas/installed

remove() {
	while read -r file; do
		rm -f "$prefix/$file"
		# Folders that nothing else is in.
		folder=${file%/*}
		while [ "$folder" != "${folder%/*}" ] && rmdir "$prefix/$folder" 2>/dev/null; do
			folder=${folder%/*}
		done
	done < "$1"
}

if [ -n "$uninstall" ]; then
	if [ ! -e "$list" ]; then
		echo "install.sh: there is no attlas in $prefix: $list is missing" >&2
		exit 1
	fi
	copy=$(mktemp)
	trap 'rm -f "$copy"' EXIT
	cp "$list" "$copy"
	remove "$copy"
	exit
fi

cd "$(dirname "$0")"
if [ -e SHA256SUMS ]; then
	sha256sum --check --quiet SHA256SUMS
fi
# Files of an earlier version that this one no longer has.
if [ -e "$list" ]; then
	"$0" --uninstall "$prefix" || exit 1
fi
files=$(mktemp)
trap 'rm -f "$files"' EXIT
find bin share ! -type d | LC_ALL=C sort > "$files"
echo share/attlas/installed >> "$files"
mkdir -p "$prefix/share/attlas"
cp "$files" "$list"
chmod 644 "$list"
while read -r file; do
	[ "$file" != share/attlas/installed ] || continue
	mkdir -p "$prefix/${file%/*}"
	# Never into a file that runs, or through a link.
	rm -f "$prefix/$file"
	cp -P --preserve=mode,timestamps "$file" "$prefix/$file"
done < "$files"
