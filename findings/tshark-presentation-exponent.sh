#!/usr/bin/env bash
# Question: which exponent does tshark show for a Characteristic Presentation Format of hundredths?
# Guess: -2.
# True: 254. The exponent is read without a sign.
# Version: tshark 4.0.17. Seen: "Exponent: 254". Vol 3, Part G, 3.3.3.5.3: the exponent is sint8.
. "$(dirname "$0")/lib.sh"
needs tshark
python - <<'PYTHON'
from captures import *
btsnoop("format.btsnoop", [
    event(connected()), sent(att("040400FFFF")), received(att("0501 0400 0429")), sent(att("0A0400")), received(att("0B 0E FE 2F27 01 0000"))])
PYTHON
is "exponent" "Exponent: 254" "$(tshark -r format.btsnoop -V 2> /dev/null | grep -o 'Exponent: .*')"
finish
