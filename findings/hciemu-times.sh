#!/usr/bin/env bash
# Question: which date has a log of hciemu ("standard BTSnoop format") in Wireshark?
# Guess: today.
# True: a day of the year 2098; in the file it is the year 56. It counts microseconds from 1970, and btsnoop from the year 0.
# Version: HCIEMU 1.2.0 read by tshark 4.0.17. Seen: the first 32 bits of the time are below 0x00DC (1970 is 0x00DCDDB3).
. "$(dirname "$0")/lib.sh"
needs tshark
python_with HCIEMU==1.2.0
HOME=$work "$python" - > log 2>&1 <<'PYTHON'
import asyncio
from hciemu.hci_snooper import HCISnooper
snooper = HCISnooper(btsnoop_file="log.btsnoop", enable_ellisys=False)

async def main():
    await snooper.start()
    snooper.capture_packet(4, bytes.fromhex("0504004000 13"), "controller_to_host")

asyncio.run(main())
PYTHON
file=$(find "$work" -name log.btsnoop)
is "octets of the file" 47 "$(stat -c %s "$file")"
is "time is after 1970" no "$([ $((16#$(od -An -tx1 -j32 -N4 "$file" | tr -d ' '))) -ge $((0x00DCDDB3)) ] && echo yes || echo no)"
is "tshark's year is this year" no "$([ "$(tshark -t ud -r "$file" 2> /dev/null | awk '{ print substr($2, 1, 4) }')" = "$(date +%Y)" ] && echo yes || echo no)"
finish
