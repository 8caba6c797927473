"""A mock of bluetoothd whose objects do not change, for scripts that call mock_bluez."""
import asyncio
from dbus_fast import BusType, Message, MessageType, Variant
from dbus_fast.aio import MessageBus

ADAPTER, DEVICE = "/org/bluez/hci0", "/org/bluez/hci0/dev_C6_05_04_03_02_01"
SERVICE = DEVICE + "/service000a"
CHARACTERISTIC = SERVICE + "/char000b"
RATE, MEASUREMENT, CONFIGURATION = (f"0000{each}-0000-1000-8000-00805f9b34fb" for each in ("180d", "2a37", "2902"))

OBJECTS = {path: {interface: {name: Variant(*value) for name, value in properties.items()}} for path, interface, properties in (
    (ADAPTER, "org.bluez.Adapter1", {
        "Address": ("s", "C0:00:00:00:00:01"), "AddressType": ("s", "public"), "Name": ("s", "mock"), "Alias": ("s", "mock"), "Powered": ("b", True),
        "Discovering": ("b", False), "UUIDs": ("as", []), "Roles": ("as", ["central", "peripheral"])}),
    (DEVICE, "org.bluez.Device1", {
        "Address": ("s", "C6:05:04:03:02:01"), "AddressType": ("s", "random"), "Name": ("s", "Sensor"), "Alias": ("s", "Sensor"), "Paired": ("b", False),
        "Trusted": ("b", False), "Blocked": ("b", False), "LegacyPairing": ("b", False), "Connected": ("b", True), "ServicesResolved": ("b", True),
        "UUIDs": ("as", [RATE]), "Adapter": ("o", ADAPTER)}),
    (SERVICE, "org.bluez.GattService1", {"UUID": ("s", RATE), "Primary": ("b", True), "Device": ("o", DEVICE), "Includes": ("ao", [])}),
    (CHARACTERISTIC, "org.bluez.GattCharacteristic1", {
        "UUID": ("s", MEASUREMENT), "Service": ("o", SERVICE), "Value": ("ay", b""), "Flags": ("as", ["notify"]), "Notifying": ("b", False),
        "MTU": ("q", 23)}),
    (CHARACTERISTIC + "/desc000d", "org.bluez.GattDescriptor1", {
        "UUID": ("s", CONFIGURATION), "Characteristic": ("o", CHARACTERISTIC), "Value": ("ay", b"")}))}


def answer(message):
    if message.message_type != MessageType.METHOD_CALL:
        return None
    if message.member == "GetManagedObjects":
        return Message.new_method_return(message, "a{oa{sa{sv}}}", [OBJECTS])
    if message.member == "GetAll":
        return Message.new_method_return(message, "a{sv}", [OBJECTS[message.path].get(message.body[0], {})])
    return Message.new_method_return(message) if (message.interface or "").startswith("org.bluez") else None


async def main():
    bus = await MessageBus(bus_type=BusType.SYSTEM).connect()
    bus.add_message_handler(answer)
    await bus.request_name("org.bluez")
    print("ready", flush=True)
    await bus.wait_for_disconnect()

asyncio.run(main())
