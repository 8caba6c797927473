#!/usr/bin/env bash
# Question: does the mock BlueZoo refuse what bluetoothd refuses: to subscribe without the property, to read after the disconnection?
# Guess: yes: it is made to test such programs.
# True: it accepts both, so a test passes that fails on a device.
# Version: bluezoo 1.0.2. Seen: no error, and the value. BlueZ, gatt-api: StartNotify fails with NotSupported; bluetoothd: "Not connected".
. "$(dirname "$0")/lib.sh"
python_with bluezoo==1.0.2 bluez-peripheral==0.1.7 dbus-fast==5.2.0
private_bus
"$(dirname "$python")/bluezoo" --auto-enable --scan-interval 1 -a 00:11:22:33:44:55 -a 00:11:22:33:44:66 -v > zoo.log 2>&1 &
wait_for zoo.log
cat > server.py <<'PYTHON'
import asyncio
from bluez_peripheral.advert import Advertisement
from bluez_peripheral.gatt.characteristic import CharacteristicFlags, characteristic
from bluez_peripheral.gatt.service import Service
from bluez_peripheral.util import Adapter, get_message_bus

class Rate(Service):
    def __init__(self):
        super().__init__("180D", True)

    @characteristic("2A38", CharacteristicFlags.READ)
    def place(self, options):
        return b"\x01"

async def main():
    bus = await get_message_bus()
    adapter = [each for each in await Adapter.get_all(bus) if await each.get_address() == "00:11:22:33:44:55"][0]
    await Rate().register(bus, adapter=adapter)
    await Advertisement("Sensor", ["180D"], 0x0340, 60).register(bus, adapter)
    print("ready", flush=True)
    await asyncio.sleep(30)

asyncio.run(main())
PYTHON
sleep 1
"$python" server.py > server.log 2>&1 &
wait_for server.log
python - > seen 2> errors <<'PYTHON'
import asyncio
from dbus_fast import BusType, Message
from dbus_fast.aio import MessageBus

async def main():
    bus = await MessageBus(bus_type=BusType.SYSTEM).connect()
    async def call(path, interface, member, signature="", body=()):
        reply = await bus.call(Message("org.bluez", path, interface, member, signature=signature, body=list(body)))
        return reply.error_name or reply.body
    objects = (await call("/", "org.freedesktop.DBus.ObjectManager", "GetManagedObjects"))[0]
    adapter = [path for path, each in objects.items() if each.get("org.bluez.Adapter1", {}).get("Address") and
               each["org.bluez.Adapter1"]["Address"].value.endswith("66")][0]
    await call(adapter, "org.bluez.Adapter1", "StartDiscovery")
    await asyncio.sleep(3)
    device = adapter + "/dev_00_11_22_33_44_55"
    await call(device, "org.bluez.Device1", "Connect")
    await asyncio.sleep(1)
    objects = (await call("/", "org.freedesktop.DBus.ObjectManager", "GetManagedObjects"))[0]
    path = [each for each in objects if each.startswith(device) and "org.bluez.GattCharacteristic1" in objects[each]][0]
    print(objects[path]["org.bluez.GattCharacteristic1"]["Flags"].value)
    print(await call(path, "org.bluez.GattCharacteristic1", "StartNotify"))
    await call(device, "org.bluez.Device1", "Disconnect")
    print(await call(path, "org.bluez.GattCharacteristic1", "ReadValue", "a{sv}", [{}]))

asyncio.run(asyncio.wait_for(main(), 20))
PYTHON
is "flags, subscription, read after the disconnection" "['read'] [] [b'\\x01']" "$(xargs -d '\n' < seen)"
finish
