#!/usr/bin/env bash
# Question: which Identity Resolving Keys do two bumble devices distribute that were not given any?
# Guess: two random ones, since a key is to identify a device.
# True: both distribute zeros; with a configuration from JSON the key is the address, three times, cut to 16 octets.
# Version: bumble 0.0.236. Seen: "zeros zeros, address address".
# Vol 3, Part H, 2.4.2.1: the key is generated at random or assigned; 3.6.4. A host that tells bonded devices apart by their keys takes the two for one.
. "$(dirname "$0")/lib.sh"
python_with bumble==0.0.236
timeout 60 "$python" - > seen 2> /dev/null <<'PYTHON'
import asyncio
from bumble_devices import pair_of_devices
from bumble.device import DeviceConfiguration
from bumble.hci import Address
from bumble.keys import MemoryKeyStore
from bumble.pairing import PairingConfig

async def distributed():
    central, peripheral = await pair_of_devices()
    for device in (central, peripheral):
        device.pairing_config_factory = lambda connection: PairingConfig(
            mitm=False, bonding=True, identity_address_type=PairingConfig.AddressType.RANDOM)
        device.keystore = MemoryKeyStore()
    await peripheral.start_advertising()
    connection = await central.connect(peripheral.random_address)
    await connection.pair()
    await asyncio.sleep(0.2)
    for device in (central, peripheral):
        (_, keys), *_ = await device.keystore.get_all()
        print("zeros" if keys.irk.value == bytes(16) else keys.irk.value.hex())

def configured(address):
    key = DeviceConfiguration.from_dict({"address": address}).irk
    print("address" if key == (bytes(Address(address)) * 3)[:16] else key.hex())

asyncio.run(distributed())
for address in ("F0:00:00:00:00:01", "F0:00:00:00:00:02"):
    configured(address)
PYTHON
is "distributed, configured" "zeros zeros address address" "$(xargs < seen)"
finish
