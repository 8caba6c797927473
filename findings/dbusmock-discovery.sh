#!/usr/bin/env bash
# Question: does the adapter of python-dbusmock's template bluez5 take StartDiscovery from a program that has set no filter?
# Guess: yes. A filter is an option.
# True: it answers with a KeyError of Python, so libraries that set no filter fail in the tests alone.
# Version: python3-dbusmock 0.28.7. Seen: KeyError: 'DiscoveryFilter'. BlueZ, adapter-api: without SetDiscoveryFilter, all devices are found.
. "$(dirname "$0")/lib.sh"
[ -e /usr/lib/python3/dist-packages/dbusmock ] || { echo "not installed: python3-dbusmock"; exit 2; }
private_bus
PYTHONPATH='' /usr/bin/python3 -m dbusmock --system --template bluez5 -l mock.log > out.log 2>&1 &
PYTHONPATH='' /usr/bin/python3 - > seen 2> errors <<'PYTHON'
import time
import dbus
bus = dbus.SystemBus()
while not bus.name_has_owner("org.bluez"):
    time.sleep(0.1)
dbus.Interface(bus.get_object("org.bluez", "/org/bluez"), "org.bluez.Mock").AddAdapter("hci0", "mock")
adapter = dbus.Interface(bus.get_object("org.bluez", "/org/bluez/hci0"), "org.bluez.Adapter1")
try:
    adapter.StartDiscovery()
except dbus.DBusException as error:
    print([each for each in str(error).splitlines() if "Error" in each][-1])
adapter.SetDiscoveryFilter(dbus.Dictionary({}, signature="sv"))
print(adapter.StartDiscovery())
PYTHON
is "without a filter, and with an empty one" "KeyError: 'DiscoveryFilter' None" "$(xargs -d '\n' < seen)"
finish
