#!/usr/bin/env bash
# The library as its clients meet it: packages that depend on it by path share one scratch folder, so that its modules are built once; one
# depends on a tag of a bare repository. Five minutes, most of them for the two builds.
set -euo pipefail
cd "$(dirname "$0")/.."
. Tests/expect.sh
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
scratch=$PWD/.build/consumers
capture=Captures/heart-rate.btsnoop

# build NAME ARGUMENTS…: as a client builds, without a warning of ours.
build() {
	local start=$SECONDS
	if ! swift build "${@:2}" > "$folder/log" 2>&1 || grep -E '(Sources|Plugins)/[^ ]*: warning:|^warning: ' "$folder/log"; then
		printf '✘ the package %s does not build, or has warnings\n' "$1"
		cat "$folder/log"
		failures=$((failures + 1))
	fi
	printf '%5d s  %s\n' $((SECONDS - start)) "$1"
}
# links PROGRAM: the libraries that are neither the C library's nor of Swift's runtime.
links() {
	ldd "$1" | awk '{print $1}' | grep -vE '^(linux-vdso|libc|libm|libgcc_s|libstdc\+\+|libswift[A-Za-z_]*|libdispatch|libBlocksRuntime|/lib.*/ld-linux.*)(\.so.*)?$' || true
}

build dissect --package-path Tests/Consumers/Dissect --scratch-path "$scratch"
expect "the fields of a definition" 0 "#FF8000 at 5/min" "$scratch/debug/Dissect"
expect "a value that ends early" 0 "Green: the value ends within the field, needs 4 octets, has 3" "$scratch/debug/Dissect"
expect "a misspelt field" 0 'did you mean "Green"?' "$scratch/debug/Dissect"
expect "a mistake in a definition" 0 "led.yaml:7:41:" "$scratch/debug/Dissect"
expect "literals of UUIDs" 0 "2A37 6E40FF02-B5A3-F393-E0A9-E50E24DCCA9E [180D, 2902]" "$scratch/debug/Dissect"
expect "no library of the system" 0 "none: ." echo "none: $(links "$scratch/debug/Dissect")."

build captures --package-path Tests/Consumers/Captures --scratch-path "$scratch"
expect "values" 0 "140 2026-11-21T09:55:22.922434Z 72.0 72 bpm" "$scratch/debug/Captures" $capture
expect "errors" 0 "162 1 Error Response Heart Rate Control Point: Control Point Not Supported" "$scratch/debug/Captures" $capture
expect "the tree" 0 "0x0010  Heart Rate Measurement  2A37  notify" "$scratch/debug/Captures" $capture
expect "incidents" 0 "Pair first, then repeat the request." "$scratch/debug/Captures" $capture
expect "a wrong name" 0 'did you mean "Heart Rate Measurement"?' "$scratch/debug/Captures" $capture

build live --package-path Tests/Consumers/Live --scratch-path "$scratch"
expect "standard input" 0 "140 Handle Value Notification Heart Rate Measurement: 72 bpm" sh -c "cat $capture | $scratch/debug/Live"
gzip -c $capture > "$folder/log.gz"
expect "an archive" 0 "log.gz 97" "$scratch/debug/Live" "$folder/log.gz"

start=$SECONDS
expect "Swift Testing and XCTest" 0 "11     0.360000" swift test --package-path Tests/Consumers/Testing --scratch-path "$scratch"
printf '%5d s  testing\n' $((SECONDS - start))

python3 Tests/Consumers/documents.py .build/consumers-documents > "$folder/programs"
build documents --package-path .build/consumers-documents --scratch-path "$scratch" --build-tests
while read -r program; do expect "the document's program $program" 0 "" timeout 60 "$scratch/debug/$program" < $capture; done < "$folder/programs"
expect "the tests in the documents" 0 "passed" swift test --skip-build --package-path .build/consumers-documents --scratch-path "$scratch"

# A tag of what is committed.
git clone --quiet --bare . "$folder/attlas.git"
git -C "$folder/attlas.git" tag 99.0.0 HEAD
cp -r Tests/Consumers/Dissect "$folder/dissect"
sed -i "s|\.package(name: \"attlas\", path: \"../../..\")|.package(url: \"file://$folder/attlas.git\", exact: \"99.0.0\")|" "$folder/dissect/Package.swift"
build "dissect, from a repository" --package-path "$folder/dissect" --scratch-path "$folder/scratch"
expect "a program with a tag" 0 "#FF8000 at 5/min" "$folder/scratch/debug/Dissect"

echo "$passed checks passed, $failures failed"
[ $failures = 0 ]
