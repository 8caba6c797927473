#!/usr/bin/env bash
# Question: how many characteristics does `json.loads` find in `tshark -T json` of a response with three?
# Guess: three, as a list.
# True: one, the last: tshark writes the same key again for each, and a JSON reader keeps the last one. The text has the key
# "btatt.uuid16" seven times, because it also repeats the request's. --no-duplicate-keys makes lists.
# Version: tshark 4.0.17. Seen: 0x2a39 only, of 0x2a37, 0x2a38 and 0x2a39. RFC 8259, 4: names should be unique.
. "$(dirname "$0")/lib.sh"
needs tshark
python - <<'PYTHON'
from captures import *
btsnoop("three.btsnoop", [event(connected()), sent(att("080100FFFF0328")),
                          received(att("0907 0200100300372A 0500020600382A 0700080800392A"))])
PYTHON
read_json() {
    tshark -r three.btsnoop -Y 'btatt.opcode == 9' -T json "$@" 2> /dev/null | python -c '
import json, sys
data = json.load(sys.stdin)[0]["_source"]["layers"]["btatt"]["btatt.attribute_data"]
print(*[each["btatt.uuid16"] for each in (data if isinstance(data, list) else [data])])'
}
is "-T json" 0x2a39 "$(read_json)"
is "with --no-duplicate-keys" "0x2a37 0x2a38 0x2a39" "$(read_json --no-duplicate-keys)"
finish
