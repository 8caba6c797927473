#!/usr/bin/env bash
# swift test with the arguments given; what failed stands again at the end, where it is found among thousands of lines.
set -uo pipefail
log=$(mktemp)
trap 'rm -f "$log"' EXIT
swift test --disable-xctest "$@" 2>&1 | tee "$log"
status=$?
if [ $status != 0 ]; then
	echo "What failed:"
	grep -aE -A 4 '^✘|WARNING: ThreadSanitizer|ERROR: AddressSanitizer|^SUMMARY|error:|Fatal error' "$log" | head -n 200
fi
exit $status
