#!/usr/bin/env bash
# Runs all findings and lists what changed. `make findings` calls it.
cd "$(dirname "$0")" || exit 2
changed=0 same=0 missing=0
for script in *.sh; do
    case $script in lib.sh | run.sh) continue ;; esac
    output=$(bash "$script" 2>&1)
    case $? in
        0) same=$((same + 1)) ;;
        2) missing=$((missing + 1)); printf '%s: %s\n' "${script%.sh}" "$output" ;;
        *) changed=$((changed + 1)); printf '%s: changed\n%s\n' "${script%.sh}" "$output" ;;
    esac
done
echo "findings: $same as recorded, $changed changed, $missing not run"
[ $changed = 0 ]
