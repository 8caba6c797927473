#!/usr/bin/env bash
# Question: does tshark join a value that was read by Read Blob, or written in parts?
# Guess: yes: it has fields for fragments (btatt.fragments).
# True: no. Each part is a value, and so a filter for the text of a device finds nothing.
# Version: tshark 4.0.17. Seen: two values for each. Vol 3, Part G, 4.8.3 and 4.9.4.
. "$(dirname "$0")/lib.sh"
needs tshark
python - <<'PYTHON'
from captures import *
read = [sent(att("0A0300")), received(att("0B" + "41" * 22)), sent(att("0C03001600")), received(att("0D4242"))]
write = [sent(att("160500 0000 4142")), received(att("170500 0000 4142")), sent(att("160500 0200 4344")), received(att("170500 0200 4344")),
         sent(att("1801")), received(att("19"))]
btsnoop("long.btsnoop", [event(connected())] + read + write)
PYTHON
values=$(tshark -r long.btsnoop -T fields -e btatt.value 2> /dev/null | xargs)
is "values" "41414141414141414141414141414141414141414141 4242 4142 4142 4344 4344" "$values"
is "reassembled" 0 "$(tshark -r long.btsnoop -Y btatt.reassembled.in -T fields -e frame.number 2> /dev/null | wc -l)"
finish
