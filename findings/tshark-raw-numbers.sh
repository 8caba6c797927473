#!/usr/bin/env bash
# Question: are the numbers of tshark's fields in the unit that it prints?
# Guess: yes: "Weight [kg]" is in kilograms.
# True: Weight, Temperature, Humidity, RR intervals and coordinates are the numbers of the octets: 50 kg is "Weight [kg]: 10000".
# Version: tshark 4.0.17. Seen: as above, "Temperature: -320" for -3.2 °C, "RR Interval: 1024" for 1 s.
# GATT Specification Supplement: weight in steps of 0.005 kg, temperature of 0.01 °C, RR intervals of 1/1024 s.
. "$(dirname "$0")/lib.sh"
needs tshark
python - <<'PYTHON'
from captures import *
for name, uuid, value in (("weight", "9D2A", "001027"), ("temperature", "6E2A", "C0FE"), ("heart", "372A", "10480004")):
    btsnoop(name + ".btsnoop", [event(connected()), sent(att("080100FFFF0328")), received(att("0907 0200 10 0300" + uuid)),
                                received(att("1B0300" + value))])
PYTHON
shown() { tshark -r "$1.btsnoop" -V 2> /dev/null | grep -oE "$2.*" | tail -1; }
is "weight" "Weight [kg]: 10000" "$(shown weight 'Weight \[kg')"
is "temperature" "Temperature: -320" "$(shown temperature 'Temperature: ')"
is "interval" "RR Interval: 1024" "$(shown heart 'RR Interval: ')"
finish
