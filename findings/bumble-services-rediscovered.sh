#!/usr/bin/env bash
# Question: after the table of a server has changed, what does `peer.services` of a bumble client have once the services were discovered again?
# Guess: what the last discovery found.
# True: the service of before, if the new one begins at the same handle. The list that discover_services() returns is right.
# Version: bumble 0.0.236. Seen: returned "UUID-16:180F (Battery)", kept "UUID-16:180D (Heart Rate)".
# Vol 3, Part G, 7.1: after Service Changed the client discovers the changed range again, and what it cached of it is invalid.
. "$(dirname "$0")/lib.sh"
python_with bumble==0.0.236
timeout 60 "$python" - > seen 2> /dev/null <<'PYTHON'
import asyncio
from bumble_devices import pair_of_devices
from bumble.core import UUID
from bumble.device import Peer
from bumble.gatt import Characteristic, Service

def service(uuid, value):
    return Service(UUID.from_16_bits(uuid), [Characteristic(UUID.from_16_bits(value), Characteristic.Properties.READ, Characteristic.READABLE, b"\x01")])

async def main():
    central, peripheral = await pair_of_devices(gap_service_enabled=False, gatt_service_enabled=False)
    server = peripheral.gatt_server
    server.add_service(service(0x180D, 0x2A38))
    await peripheral.start_advertising(auto_restart=True)
    peer = Peer(await central.connect(peripheral.random_address))
    await peer.discover_services()
    # Another table: the device was updated.
    server.attributes.clear()
    server.services.clear()
    server.attributes_by_handle.clear()
    server.add_service(service(0x180F, 0x2A19))
    found = await peer.discover_services()
    print("returned", *(str(entry.uuid) for entry in found))
    print("kept", *(str(entry.uuid) for entry in peer.services))

asyncio.run(main())
PYTHON
is "the service that is returned" "returned UUID-16:180F (Battery)" "$(grep returned seen)"
is "the service that is kept" "kept UUID-16:180D (Heart Rate)" "$(grep kept seen)"
finish
