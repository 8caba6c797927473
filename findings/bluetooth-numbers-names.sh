#!/usr/bin/env bash
# Question: are the names of companies in bluetooth-numbers those of the assigned numbers?
# Guess: yes, of the day of its release.
# True: letters outside ASCII are decoded twice, and names of services have a word more. It has no appearances.
# Version: bluetooth-numbers 1.1.2. Seen: "Schneider SchreibgerÃ¤te GmbH" for 0x024F; "Battery Service" for 0x180F, which is "Battery".
# Assigned Numbers, 7.1 and 3.4.
. "$(dirname "$0")/lib.sh"
python_with bluetooth-numbers==1.1.2
python - > seen <<'PYTHON'
import bluetooth_numbers
print(bluetooth_numbers.company[0x024F], bluetooth_numbers.service[0x180F], hasattr(bluetooth_numbers, "appearance"), sep=", ")
PYTHON
is "names" "Schneider SchreibgerÃ¤te GmbH, Battery Service, False" "$(cat seen)"
finish
