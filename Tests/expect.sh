# For tests of commands: . Tests/expect.sh

failures=0
passed=0

# expect NAME STATUS WORDS COMMAND…: the words are in what the command prints.
expect() {
	local output status=0
	output=$("${@:4}" 2>&1) || status=$?
	if [ $status = "$2" ] && grep -qF -- "$3" <<< "$output"; then
		passed=$((passed + 1))
	else
		printf '✘ %s: status %s, or no "%s" in\n%s\n' "$1" $status "$3" "$output"
		failures=$((failures + 1))
	fi
}
