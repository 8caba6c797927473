#!/usr/bin/env bash
# The tarball as its user meets it: its sums, installation, what is installed, a second installation, and removal.
# usage: test-tarball.sh TARBALL; pyspdxtools and gpg are on the path
set -euo pipefail
tarball=$(realpath "$1")
folder=$(mktemp -d)
trap 'GNUPGHOME=$folder/keys gpgconf --kill all 2>/dev/null || true; rm -rf "$folder"' EXIT
failures=0
passed=0

# expect NAME WORDS COMMAND…: the words are in the output of the command, whose status is 0, or 1 with "fails" before the command.
expect() {
	local output wanted=0 status=0 command=("${@:3}")
	[ "$3" != fails ] || { wanted=1 && command=("${@:4}"); }
	output=$("${command[@]}" 2>&1) || status=$?
	if [ $status = $wanted ] && grep -qF -- "$2" <<< "$output"; then
		passed=$((passed + 1))
	else
		printf '✘ %s: status %s, or no "%s" in\n%s\n' "$1" $status "$2" "$output"
		failures=$((failures + 1))
	fi
}

expect "the sum of the tarball" OK sh -c "cd $(dirname "$tarball") && sha256sum --check $(basename "$tarball").sha256"
tar --extract --file "$tarball" --directory "$folder"
root=$(echo "$folder"/attlas-*)
prefix=$folder/prefix
mkdir -p "$prefix/share/man"
touch "$prefix/share/man/other"
(cd "$prefix" && find . | LC_ALL=C sort) > "$folder/before"

expect "installation" "" "$root/install.sh" "$prefix"
expect "the first value" "87 %" "$prefix/bin/attlas" show "$prefix/share/doc/attlas/Captures/heart-rate.btsnoop"
expect "a compressed capture" "87 %" sh -c "zstd < '$prefix/share/doc/attlas/Captures/heart-rate.btsnoop' | '$prefix/bin/attlas' show -"
expect "a database" "" "$prefix/bin/attlas" export --sqlite "$folder/rows.db" "$prefix/share/doc/attlas/Captures/heart-rate.btsnoop"
expect "devices of libpcap" "" "$prefix/bin/attlas" live --list-devices
expect "what Wireshark is offered" "interface {value=attlas-file}" "$prefix/share/attlas/extcap/attlas" --extcap-interfaces
expect "the page of a command" "SYNOPSIS" man --manpath "$prefix/share/man" attlas show
expect "the commit" "commit " "$prefix/bin/attlas" --version --verbose
for library in libarchive swift hdrhistogram-swift libyaml; do
	expect "$library in the versions" "$library" "$prefix/bin/attlas" --version --verbose
done
expect "libraries that are looked for" "libc.so.6 libm.so.6" sh -c "readelf -d '$prefix/bin/attlas' |
	sed -n 's/.*NEEDED.*\[\(lib.*\)\]/\1/p' | sort | tr '\n' ' '"
expect "no others" "2" sh -c "readelf -d '$prefix/bin/attlas' | grep NEEDED | grep -vc ld-linux"
expect "how it is linked" "" "$(dirname "$0")/check-binary.sh" "$prefix/bin/attlas"
document=$prefix/share/doc/attlas/sbom.spdx.json
expect "the SBOM" "" pyspdxtools --infile "$document"
expect "the binary of the SBOM" "$(sha256sum < "$prefix/bin/attlas" | cut -d ' ' -f 1)" cat "$document"
expect "what is linked in" '"name": "libarchive-dev"' cat "$document"
expect "a licence for all of it" "$(grep -c STATIC_LINK "$document")" sh -c "ls '$prefix/share/doc/attlas/licences' | wc -l"

# An earlier version had a file that this one does not have; another program's stays.
echo share/attlas/earlier >> "$prefix/share/attlas/installed"
touch "$prefix/share/attlas/earlier"
expect "a second installation" "" "$root/install.sh" "$prefix"
expect "no file of the earlier version" "" test ! -e "$prefix/share/attlas/earlier"
expect "removal" "" "$root/install.sh" --uninstall "$prefix"
expect "nothing is left" "" sh -c "cd '$prefix' && find . | LC_ALL=C sort | diff '$folder/before' -"
expect "a second removal" "no attlas was installed" fails "$root/install.sh" --uninstall "$prefix"
echo changed >> "$root/share/doc/attlas/README.md"
expect "a file that was changed" "README.md" fails "$root/install.sh" "$prefix"

# A signature, with a key made for this.
export GNUPGHOME=$folder/keys
mkdir -m 700 "$GNUPGHOME"
gpg --batch --quiet --passphrase '' --quick-generate-key releaser@attlas.invalid 2> /dev/null
cd "$(dirname "$0")/.."
expect "a signed tarball" ".asc" env GPG_KEY=releaser@attlas.invalid Packaging/tarball .build/stage-static "$folder/signed"
expect "the signature" "Good signature" sh -c "gpg --verify '$folder'/signed/*.asc '$folder'/signed/*.tar.xz"
expect "the same octets again" "" cmp "$tarball" "$folder/signed/$(basename "$tarball")"

echo "$passed passed, $failures failed"
[ $failures = 0 ]
