#!/usr/bin/env bash
# swift test with the arguments given. Prints failures, a line for each suite and the closing line; the whole output is in .build/test.log.
set -uo pipefail
log=.build/test.log
mkdir -p .build

# What tests write anew with ATTLAS_UPDATE_EXPECTED=1 is shown, and kept only if that is wanted.
expected=(Captures/expected Documentation)
if [ "${ATTLAS_UPDATE_EXPECTED:-}" ]; then
	before=$(mktemp -d)
	trap 'rm -rf "$before"' EXIT
	cp -r --parents "${expected[@]}" "$before"
fi

swift test --disable-xctest "$@" 2>&1 | tee "$log" |
	grep --line-buffered -aE '^(✘|↳|✔ (Suite|Test run))|error:|Fatal error|^Build|WARNING: ThreadSanitizer|ERROR: AddressSanitizer|^SUMMARY'
status=${PIPESTATUS[0]}
[ "$status" = 0 ] || echo "The whole output is in $log."

if [ "${ATTLAS_UPDATE_EXPECTED:-}" ]; then
	for place in "${expected[@]}"; do diff -ru "$before/$place" "$place"; done
	if [ -t 0 ]; then
		read -r -p "Keep these changes? [y/N] " answer
		[ "$answer" = y ] || for place in "${expected[@]}"; do cp -r "$before/$place/." "$place"; done
	fi
fi
exit "$status"
