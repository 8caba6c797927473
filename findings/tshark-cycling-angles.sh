#!/usr/bin/env bash
# Question: which angles does tshark show for the Extreme Angles 23 41 56 of Cycling Power Measurement?
# Guess: maximum 291° (0x123), minimum 1380° (0x564).
# True: maximum 342, minimum 564: the three octets are read with the most significant first.
# Version: tshark 4.0.17. Seen: as above. Cycling Power Service, 3.2.1.13: two uint12, the maximum in the less significant bits, little-endian.
. "$(dirname "$0")/lib.sh"
needs tshark
python - <<'PYTHON'
from captures import *
btsnoop("bicycle.btsnoop", [
    event(connected()), sent(att("080100FFFF0328")), received(att("0907 0200 10 0300 632A")), received(att("1B0300 0001 6400 234156"))])
PYTHON
is "angles" "Minimum: 564 Maximum: 342" "$(tshark -r bicycle.btsnoop -V 2> /dev/null | grep -oE '(Minimum|Maximum): .*' | xargs)"
finish
