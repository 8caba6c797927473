#!/usr/bin/env bash
# Question: which pairing method does ble-doctor derive from DisplayYesNo on both sides with LE Secure Connections, and from a keyboard and a display?
# Guess: Numeric Comparison, and Passkey Entry.
# True: Just Works for both, because of its table. A phone and a watch that compare numbers are reported as open to a man in the middle.
# Version: ble-doctor 0.2.0. Seen: just_works twice; passkey_entry from a display and a keyboard in this order. Vol 3, Part H, 2.3.5.1, Table 2.8.
. "$(dirname "$0")/lib.sh"
python_with ble-doctor==0.2.0
python - > seen 2> errors <<'PYTHON'
from ble_doctor.capture_collector import classify_pairing_method
for initiator, responder, secure in ((1, 1, True), (2, 0, False), (0, 2, False)):
    print(classify_pairing_method(initiator, False, True, secure, responder, False, True, secure))
PYTHON
is "comparison, keyboard and display, display and keyboard" "just_works just_works passkey_entry" "$(xargs < seen)"
finish
