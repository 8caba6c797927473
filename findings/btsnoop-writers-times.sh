#!/usr/bin/env bash
# Question: which date has a log of hciemu ("standard BTSnoop format") or pybluehost in Wireshark?
# Guess: today.
# True: hciemu: a day of the year 2098, in the file of the year 56; it counts from 1970. pybluehost: of the year 86; it adds 30 years more.
# btsnoop counts microseconds from the year 0.
# Version: HCIEMU 1.2.0, pybluehost 0.9.9, read by tshark 4.0.17. Seen: the first 32 bits of the times are below 0x00DC (1970 is 0x00DCDDB3).
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
python_with pybluehost==0.9.9
python - >> log 2>&1 <<'PYTHON'
import asyncio
from datetime import datetime, timezone
from pybluehost.core.trace import BtsnoopSink, Direction, TraceEvent

async def main():
    sink = BtsnoopSink("second.btsnoop")
    await sink.on_trace(TraceEvent(timestamp=0.0, wall_clock=datetime.now(timezone.utc), source_layer="hci", direction=Direction.UP,
                                   raw_bytes=bytes.fromhex("04050400400013"), decoded=None, connection_handle=None, metadata={}))
    await sink.close()

asyncio.run(main())
PYTHON
for file in "$(find "$work" -name log.btsnoop)" second.btsnoop; do
    is "octets of the file" 47 "$(stat -c %s "$file")"
    is "time is after 1970" no "$([ $((16#$(od -An -tx1 -j32 -N4 "$file" | tr -d ' '))) -ge $((0x00DCDDB3)) ] && echo yes || echo no)"
    is "tshark's year is this year" no "$([ "$(tshark -t ud -r "$file" 2> /dev/null | awk '{ print substr($2, 1, 4) }')" = "$(date +%Y)" ] && echo yes || echo no)"
done
finish
