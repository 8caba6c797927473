#!/usr/bin/env bash
# Question: which handle does bleak report of a characteristic on Linux?
# Guess: the one that reads and notifications have in a capture.
# True: one less. It takes the number from the path of the object, which in BlueZ is the handle of the declaration (char000b: the value is at 0x000C).
# Version: bleak 3.1.0. Seen: 11 for .../char000b. Vol 3, Part G, 3.3.1 and 3.3.2: the value follows its declaration. A callback has this handle, too.
. "$(dirname "$0")/lib.sh"
python_with bleak==3.1.0
private_bus
mock_bluez
python - > seen 2> errors <<'PYTHON'
import asyncio
from bleak import BleakClient
from bleak.backends.device import BLEDevice

async def main():
    path = "/org/bluez/hci0/dev_C6_05_04_03_02_01"
    async with BleakClient(BLEDevice("C6:05:04:03:02:01", "Sensor", {"path": path, "props": {"Adapter": "/org/bluez/hci0"}})) as client:
        print([each.handle for each in client.services.get_service("180d").characteristics])

asyncio.run(asyncio.wait_for(main(), 20))
PYTHON
is "handles" "[11]" "$(cat seen)"
finish
