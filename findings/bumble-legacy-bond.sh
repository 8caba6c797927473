#!/usr/bin/env bash
# Question: is a bond of LE legacy pairing between two bumble devices used when they connect again?
# Guess: yes, as one of LE Secure Connections is.
# True: the central asks with one key and the peripheral answers with the other: the connection ends.
# Version: bumble 0.0.236. Seen: "same" keys and encryption with Secure Connections; "different" keys and a disconnection without.
# Vol 3, Part H, 2.4.4.1: the link is encrypted with the LTK that the peripheral distributed.
. "$(dirname "$0")/lib.sh"
python_with bumble==0.0.236
timeout 60 "$python" - > seen 2> /dev/null <<'PYTHON'
import asyncio
from bumble_devices import pair_of_devices
from bumble.keys import MemoryKeyStore
from bumble.pairing import PairingConfig

async def run(secure):
    central, peripheral = await pair_of_devices()
    for device in (central, peripheral):
        device.pairing_config_factory = lambda connection: PairingConfig(
            sc=secure, mitm=False, bonding=True, identity_address_type=PairingConfig.AddressType.RANDOM)
        device.keystore = MemoryKeyStore()
    await peripheral.start_advertising()
    connection = await central.connect(peripheral.random_address)
    await connection.pair()
    await asyncio.sleep(0.2)
    await connection.disconnect()
    await peripheral.start_advertising()
    connection = await central.connect(peripheral.random_address)
    await asyncio.sleep(0.1)
    keys = await central.keystore.get(str(connection.peer_address))
    asked = (keys.ltk or keys.ltk_central).value
    answered = await peripheral.get_long_term_key(next(iter(peripheral.connections)), bytes(8), 0)
    try:
        await asyncio.wait_for(connection.encrypt(), 5)
        end = "encrypted"
    except (Exception, asyncio.CancelledError):
        end = "not encrypted"
    print("same" if asked == answered else "different", "keys,", end)

for secure in (True, False):
    asyncio.run(run(secure))
PYTHON
is "Secure Connections, legacy" "same keys, encrypted different keys, not encrypted" "$(xargs < seen)"
finish
