#!/usr/bin/env bash
# Question: what do clients of the mock BlueZoo see of a peripheral that advertises manufacturer data?
# Guess: ManufacturerData, with the company's number.
# True: nothing at all. From then on GetManagedObjects fails with a TypeError, so that bleak and others find no adapter either. Without this data it works.
# Version: bluezoo 1.0.2, sdbus 0.14.3. Seen: org.python.Error.TypeError. BlueZ, advertising-api: ManufacturerData is dict{uint16, variant}.
. "$(dirname "$0")/lib.sh"
python_with bluezoo==1.0.2 sdbus==0.14.3 bluez-peripheral==0.1.7 dbus-fast==5.2.0
cat > advertise.py <<'PYTHON'
import asyncio
import sys
from bluez_peripheral.advert import Advertisement
from bluez_peripheral.util import Adapter, get_message_bus
from dbus_fast import BusType, Message
from dbus_fast.aio import MessageBus

async def main():
    bus = await get_message_bus()
    adapter = [each for each in await Adapter.get_all(bus) if await each.get_address() == "00:11:22:33:44:55"][0]
    await Advertisement("Sensor", ["180D"], 0x0340, 60, manufacturerData=eval(sys.argv[1])).register(bus, adapter)
    client = await MessageBus(bus_type=BusType.SYSTEM).connect()
    await client.call(Message("org.bluez", "/org/bluez/hci1", "org.bluez.Adapter1", "StartDiscovery"))
    await asyncio.sleep(3)
    reply = await client.call(Message("org.bluez", "/", "org.freedesktop.DBus.ObjectManager", "GetManagedObjects"))
    print(reply.error_name or "answered")

asyncio.run(asyncio.wait_for(main(), 20))
PYTHON
private_bus
for data in "{}" "{0x0499: b'1'}"; do
    "$(dirname "$python")/bluezoo" --auto-enable --scan-interval 1 -a 00:11:22:33:44:55 -a 00:11:22:33:44:66 -v > zoo.log 2>&1 &
    zoo=$!
    wait_for zoo.log
    sleep 1
    python advertise.py "$data" 2> errors
    kill $zoo
    wait $zoo 2> errors
    rm zoo.log
done > seen
is "without and with manufacturer data" "answered org.python.Error.TypeError" "$(xargs < seen)"
finish
