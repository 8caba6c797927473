"""The common part of the recordings: bumble hosts, virtual controllers, and an air between them that takes time.

bumble's own LocalLink delivers at once and its virtual controller hands a whole L2CAP PDU up in one ACL packet. Here data waits for the next
connection event and arrives in ACL fragments of 27 octets, so that round trips and reassembly look as they do on hardware. All that
the log shows was said by bumble's host stack.
"""

import asyncio
import contextlib
import logging
import random
import sys
from pathlib import Path

from bumble import core, data_types, gatt, hci
from bumble.att import ATT_Error
from bumble.controller import Controller
from bumble.device import Device, DeviceConfiguration, Peer
from bumble.gatt import Characteristic, CharacteristicValue, Descriptor, Service
from bumble.host import Host
from bumble.link import LocalLink
from bumble.profiles.gap import GenericAccessService
from bumble.profiles.gatt_service import GenericAttributeProfileService
from bumble.snoop import BtSnooper

CENTRAL_NAME = "Workbench"
CENTRAL_ADDRESS = "00:1A:7D:DA:71:13"  # public
INTERVAL = 0.030  # seconds between connection events
PDU_TIME = 0.0008  # seconds
LE_DATA = 27  # octets of an LE data PDU without data length extension

READ = Characteristic.READ
WRITE = Characteristic.WRITE
COMMAND = Characteristic.WRITE_WITHOUT_RESPONSE
NOTIFY = Characteristic.NOTIFY
INDICATE = Characteristic.INDICATE


class Air(LocalLink):
    """A link that delivers in order at connection events, a few data PDUs in each; a long PDU may take several events."""

    event_length = 0.0025  # seconds

    def __init__(self):
        super().__init__()
        self.anchors = {}
        self.latest = {}

    def next_slot(self, one, other):
        link = frozenset((str(one), str(other)))
        now = asyncio.get_running_loop().time()
        anchor = self.anchors.setdefault(link, now + random.uniform(0, INTERVAL))
        latest = self.latest.get(link, 0)
        slot = latest + PDU_TIME
        if latest < now or slot - (latest - anchor) // INTERVAL * INTERVAL - anchor > self.event_length:
            slot = ((max(now, latest) - anchor) // INTERVAL + 1) * INTERVAL + anchor + random.uniform(0, 0.0004)
        self.latest[link] = slot
        return slot

    def at_next_slot(self, one, other, deliver, *arguments):
        asyncio.get_running_loop().call_at(self.next_slot(one, other), deliver, *arguments)

    def send_acl_data(self, sender_controller, destination_address, transport, data):
        connection = sender_controller.le_connections.get(destination_address)
        receiver = self.find_le_controller(destination_address)
        if connection and receiver:
            source = connection.self_address
            for offset in range(0, len(data), LE_DATA):
                boundary = 1 if offset else 2
                self.at_next_slot(source, destination_address, receiver.received, source, boundary, data[offset : offset + LE_DATA])

    def send_ll_control_pdu(self, sender_address, receiver_address, packet):
        if receiver := self.find_le_controller(receiver_address):
            self.at_next_slot(sender_address, receiver_address, receiver.on_ll_control_pdu, sender_address, packet)


class Radio(Controller):
    """A virtual controller with handles from 0x0040 that says what one of silicon would: see the methods."""

    terminating = False

    def __init__(self, name, air, public_address=None, extended=True):
        super().__init__(name, link=air, public_address=public_address)
        if not extended:
            self.le_features = self.le_features & ~hci.LeFeatureMask.LE_EXTENDED_ADVERTISING

    def allocate_connection_handle(self):
        used = {connection.handle for connection in self.le_connections.values()}
        return next(handle for handle in range(0x0040, 0x0F00) if handle not in used)

    def received(self, source, boundary, part):
        """Each data PDU goes up as a separate ACL packet."""
        if connection := self.le_connections.get(source):
            self.send_hci_packet(hci.HCI_AclDataPacket(connection.handle, boundary, 0, len(part), part))

    def send_hci_packet(self, packet):
        """Packets count as completed once they were on air."""
        if isinstance(packet, hci.HCI_Number_Of_Completed_Packets_Event):
            connection = self.find_connection_by_handle(packet.connection_handles[0])
            self.link.at_next_slot(connection.self_address, connection.peer_address, self.completed, connection, packet)
        else:
            super().send_hci_packet(packet)

    def completed(self, connection, packet):
        if self.le_connections.get(connection.peer_address) is connection:
            super().send_hci_packet(packet)

    def on_hci_disconnect_command(self, command):
        self.terminating = True
        super().on_hci_disconnect_command(command)
        self.terminating = False

    def on_le_disconnected(self, connection, reason):
        """The side that hung up sees Connection Terminated By Local Host, whatever reason it gave."""
        local = hci.HCI_CONNECTION_TERMINATED_BY_LOCAL_HOST_ERROR
        super().on_le_disconnected(connection, local if self.terminating else reason)


class Rig:
    """One air, the devices on it, and the logs they write."""

    def __init__(self, directory):
        self.directory = Path(directory)
        self.air = Air()
        self.logs = contextlib.ExitStack()

    def snoop(self, device, story):
        """From here on what this host and its controller tell each other goes to STORY.btsnoop."""
        log = self.logs.enter_context((self.directory / f"{story}.btsnoop").open("wb"))
        device.host.snooper = BtSnooper(log)

    def close(self):
        self.logs.close()

    async def device(
        self,
        name,
        *,
        random_address=None,
        public_address=None,
        story=None,
        services=(),
        appearance=0,
        extended=True,
        features=None,
        **config,
    ):
        host = Host()
        radio = Radio(name, self.air, public_address, extended)
        radio.host, host.controller = host, radio
        settings = DeviceConfiguration(
            name=name,
            address=hci.Address(random_address or "F0:0D:00:00:00:01"),
            gap_service_enabled=False,
            gatt_service_enabled=False,
            advertising_interval_min=100,
            advertising_interval_max=100,
            **config,
        )
        device = Device(config=settings, host=host)
        device.add_service(GenericAccessService(name, appearance))
        device.gatt_service = GenericAttributeProfileService(features)
        device.add_service(device.gatt_service)
        device.add_services(list(services))
        if story:
            self.snoop(device, story)
        await device.power_on()
        return device

    async def central(self, story=None, **options):
        return await self.device(CENTRAL_NAME, public_address=CENTRAL_ADDRESS, story=story, **options)

    async def peripheral(self, name, address, services, appearance=0, advertised=(), **options):
        """A device with a random static address that advertises its name, appearance and 16-bit services."""
        device = await self.device(name, random_address=address, services=services, appearance=appearance, **options)
        structures = [data_types.Flags(0x06), data_types.CompleteLocalName(name)]
        if appearance:
            structures.append(data_types.Appearance.from_int(appearance))
        if advertised:
            structures.append(data_types.CompleteListOf16BitServiceUUIDs([core.UUID.from_16_bits(uuid) for uuid in advertised]))
        device.advertising_data = bytes(core.AdvertisingData(structures))
        await device.start_advertising()
        return device


async def scan(central, *names):
    """Scan until every name was seen; the addresses, in the order of the names."""
    found = {}
    done = asyncio.Event()

    def seen(advertisement):
        name = advertisement.data.get(core.AdvertisingData.Type.COMPLETE_LOCAL_NAME)
        if name in names:
            found[name] = advertisement.address
        if len(found) == len(names):
            done.set()

    central.on("advertisement", seen)
    await central.start_scanning(filter_duplicates=True, own_address_type=hci.OwnAddressType.PUBLIC)
    await done.wait()
    await pause(150)
    await central.stop_scanning()
    central.remove_listener("advertisement", seen)
    return [found[name] for name in names]


async def connect(central, address):
    connection = await central.connect(address, own_address_type=hci.OwnAddressType.PUBLIC)
    await pause(60)
    return connection, connection.gatt_client


async def discover(client, services=None):
    """Primary services, then of each: includes, characteristics, descriptors."""
    if services is None:
        services = await client.discover_services()
    for service in services:
        await client.discover_included_services(service)
        for characteristic in await client.discover_characteristics((), service):
            await client.discover_descriptors(characteristic)
            characteristic.descriptors_discovered = True


def find(client, uuid, nth=0):
    """The client's nth characteristic of this UUID (an int or a string)."""
    return client.get_characteristics_by_uuid(as_uuid(uuid))[nth]


async def attempt(request):
    """Await a request that the peer may answer with an ATT error."""
    try:
        return await request
    except ATT_Error as error:
        return error


async def hang_up(device, reason=hci.HCI_REMOTE_USER_TERMINATED_CONNECTION_ERROR):
    """The device ends its one connection."""
    for connection in list(device.connections.values()):
        await connection.disconnect(reason)


async def pause(milliseconds):
    await asyncio.sleep(milliseconds / 1000 * random.uniform(0.9, 1.1))


def as_uuid(uuid):
    return core.UUID.from_16_bits(uuid) if isinstance(uuid, int) else core.UUID(uuid)


def service(uuid, *characteristics, includes=()):
    return Service(as_uuid(uuid), list(characteristics), included_services=list(includes))


def characteristic(uuid, properties, value=b"", *, read=None, write=None, secure="", descriptors=()):
    """A characteristic with a fixed value, or with functions of (connection) and (connection, value)."""
    permissions = Characteristic.READABLE | Characteristic.WRITEABLE
    if secure:
        permissions |= Characteristic.Permissions.from_string(secure)
    dynamic = CharacteristicValue(read=read or (lambda connection: value), write=write) if read or write else value
    return Characteristic(as_uuid(uuid), properties, permissions, dynamic, list(descriptors))


def description(text):
    return Descriptor(gatt.GATT_CHARACTERISTIC_USER_DESCRIPTION_DESCRIPTOR, Descriptor.READABLE, text.encode())


def run(story):
    """Record one story into the directory named on the command line."""
    if len(sys.argv) != 2:
        sys.exit(f"usage: {sys.argv[0]} OUTDIR")

    logging.basicConfig(level=logging.ERROR)

    async def record():
        rig = Rig(sys.argv[1])
        try:
            await asyncio.wait_for(story(rig), 120)
        finally:
            rig.close()

    asyncio.run(record())


__all__ = [name for name in dir() if not name.startswith("_")] + ["Peer"]
