#!/usr/bin/env bash
# What the shipped binary must not bring with it: a place beside itself where libraries are looked for, memory that is writable
# after it was linked, a stack that code can run on, or paths of the machine it was built on. And what the optimizer must not have made
# of it: reads of memory that was freed.
set -euo pipefail
binary=$1
status=0

demand() {
	if ! "${@:2}"; then
		echo "$binary: $1" >&2
		status=1
	fi
}
dynamic=$(readelf --dynamic --wide "$binary")
segments=$(readelf --segments --wide "$binary")
has() { grep -q "$2" <<< "$1"; }
hasNot() { ! grep -q "$2" <<< "$1"; }

demand "it is not position-independent" has "$dynamic" 'FLAGS_1.*PIE'
demand "what it links to is bound while it runs" has "$dynamic" 'FLAGS_1.*NOW'
demand "what was relocated stays writable" has "$segments" 'GNU_RELRO'
demand "its stack is executable" has "$segments" 'GNU_STACK.* RW '
demand "it looks for libraries in folders of its own" hasNot "$dynamic" 'R\(UN\)\?PATH'
demand "no function checks its stack" has "$(readelf --dyn-syms --wide "$binary")" '__stack_chk_fail'
demand "it holds paths of the machine it was built on" hasNot "$(strings --all "$binary")" "$(pwd)"
# The confinement forbids valgrind the memory that it runs code in: here, prctl(2) does nothing.
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
echo 'int prctl(int option, ...) { (void)option; return -1; }' | clang -shared -fPIC -x c -o "$folder/unconfined.so" -
for command in "show --findings" stats tree; do
	demand "$command uses memory that is not its own: valgrind --undef-value-errors=no shows where" \
		env LD_PRELOAD="$folder/unconfined.so" valgrind -q --undef-value-errors=no --error-exitcode=9 --log-file=/dev/null \
		"$binary" $command --threads 1 "$(dirname "$0")"/../Captures/*.btsnoop > /dev/null
done
exit $status
