#!/usr/bin/env bash
# Question: does aioblescan expand all codes of an Eddystone-URL frame?
# Guess: yes, 00 to 0D.
# True: 00 to 09. The others remain as control characters in the text.
# Version: aioblescan 0.2.14. Seen: "http://www.a\n" for .net (0A). Eddystone-URL, "Eddystone-URL HTTP URL encoding".
. "$(dirname "$0")/lib.sh"
python_with aioblescan==0.2.14
python - > seen <<'PYTHON'
import aioblescan
from aioblescan.plugins import EddyStone
codes = [".com/", ".org/", ".edu/", ".net/", ".info/", ".biz/", ".gov/", ".com", ".org", ".edu", ".net", ".info", ".biz", ".gov"]
wrong = []
for code, text in enumerate(codes):
    frame = bytes.fromhex("0303AAFE0716AAFE100000") + b"a" + bytes([code])
    frame = frame[:4] + bytes([len(frame) - 5]) + frame[5:]
    body = bytes.fromhex("02010001FFEEDDCCBBAA") + bytes([len(frame)]) + frame + b"\xc4"
    event = aioblescan.HCI_Event()
    event.decode(b"\x04\x3e" + bytes([len(body)]) + body)
    url = EddyStone().decode(event)["url"]
    if url != "http://www.a" + text:
        wrong.append(f"{code:02x}")
print(*wrong)
PYTHON
is "codes that are not expanded" "0a 0b 0c 0d" "$(cat seen)"
finish
