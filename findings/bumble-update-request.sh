#!/usr/bin/env bash
# Question: can a bumble peripheral ask for connection parameters again after a request that got no answer?
# Guess: yes, at the latest on its next connection: the request belongs to the connection.
# True: never again: the manager of the device keeps one request for all connections, and nothing ends it.
# Version: bumble 0.0.236. Seen: "no answer" on the first connection, InvalidStateError on the second. Vol 3, Part A, 4.20 and 6.2.1: RTX ends a request.
. "$(dirname "$0")/lib.sh"
python_with bumble==0.0.236
timeout 60 "$python" - > seen 2> /dev/null <<'PYTHON'
import asyncio
from bumble_devices import pair_of_devices

async def main():
    central, peripheral = await pair_of_devices()
    central.l2cap_channel_manager.on_l2cap_connection_parameter_update_request = lambda connection, cid, request: None
    for _ in range(2):
        await peripheral.start_advertising()
        connection = await central.connect(peripheral.random_address)
        await asyncio.sleep(0.2)
        asked = next(iter(peripheral.connections.values()))
        request = asyncio.ensure_future(peripheral.l2cap_channel_manager.update_connection_parameters(asked, 24, 40, 0, 400))
        done, _ = await asyncio.wait([request], timeout=2)
        print(type(request.exception()).__name__ if done else "no answer")
        await connection.disconnect()
        await asyncio.sleep(0.2)

asyncio.run(main())
PYTHON
is "first connection, second" "no answer InvalidStateError" "$(xargs < seen)"
finish
