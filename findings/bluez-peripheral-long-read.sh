#!/usr/bin/env bash
# Question: what does a service of bluez-peripheral answer to a read with an offset, if its function returns the whole value as in the library's examples?
# Guess: the rest of the value.
# True: the whole value again. bluetoothd asks with an offset for each Read Blob Request, so a client that reads a long value gets its start
# repeated. The function has to return value[options.offset:].
# Version: bluez-peripheral 0.1.7. Seen: 40 octets from 0 at the offsets 0 and 22. BlueZ, gatt-api: ReadValue has the option "offset". Vol 3, Part F, 3.4.4.6.
. "$(dirname "$0")/lib.sh"
python_with bluez-peripheral==0.1.7
python - > seen 2> /dev/null <<'PYTHON'
import asyncio
from dbus_next import Variant
from bluez_peripheral.gatt.service import Service
from bluez_peripheral.gatt.characteristic import CharacteristicFlags, characteristic

class Long(Service):
    def __init__(self):
        super().__init__("180D", True)

    @characteristic("2A37", CharacteristicFlags.READ)
    def value(self, options):
        return bytes(range(40))

async def main():
    service = Long()
    attribute = service._characteristics[0]
    attribute._set_service(service)
    for offset in (0, 22):
        read = type(attribute).ReadValue.__dict__["__DBUS_METHOD"].fn(attribute, {"offset": Variant("q", offset)})
        value = await read if asyncio.iscoroutine(read) else read
        print(len(value), value[0])

asyncio.run(main())
PYTHON
is "length and first octet at the offsets 0 and 22" "40 0 40 0" "$(xargs < seen)"
finish
