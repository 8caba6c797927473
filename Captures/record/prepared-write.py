"""Queued writes: one executed, one cancelled, one over two attributes, one with a gap that the server refuses."""

from bumble import att

from rig import *

SERVICE = "7C4A8D09-0C0B-4F4B-8E4B-6D2B4A61C001"
LABEL = "7C4A8D09-0C0B-4F4B-8E4B-6D2B4A61C002"
SHELF = "7C4A8D09-0C0B-4F4B-8E4B-6D2B4A61C003"


async def prepare(client, remote, offset, part):
    return await client.send_request(
        att.ATT_Prepare_Write_Request(attribute_handle=remote.handle, value_offset=offset, part_attribute_value=part)
    )


async def execute(client, flags):
    return await client.send_request(att.ATT_Execute_Write_Request(flags=flags))


async def story(rig):
    central = await rig.central("prepared-write")
    values = {LABEL: b"Oolong 2024", SHELF: b"A-01"}

    def stored(uuid):
        async def read(connection):
            return values[uuid]

        async def write(connection, value):
            await pause(40)
            values[uuid] = value

        return characteristic(uuid, READ | WRITE, read=read, write=write)

    await rig.peripheral("E-Label", "DA:7E:1A:BE:10:02", [service(SERVICE, stored(LABEL), stored(SHELF))])
    (address,) = await scan(central, "E-Label")
    connection, client = await connect(central, address)
    await discover(client)
    label, shelf = find(client, LABEL), find(client, SHELF)

    await label.read_value()
    await label.write_value("Darjeeling First Flush 2026 · Margaret’s Hope · 9.40 €/50 g".encode(), with_response=True)
    await label.read_value()
    await pause(200)

    await prepare(client, label, 0, b"Sold out, sorry: n")
    await prepare(client, label, 18, b"ext week again")
    await execute(client, 0)
    await label.read_value()
    await pause(200)

    await shelf.read_value()
    await prepare(client, label, 0, b"Assam Hal")
    await prepare(client, shelf, 0, b"C-17")
    await prepare(client, label, 9, b"mari 2025")
    await execute(client, 1)
    await label.read_value()
    await shelf.read_value()
    await pause(200)

    await prepare(client, shelf, 0, b"D-")
    await prepare(client, shelf, 8, b"22")
    await execute(client, 1)
    await shelf.read_value()
    await pause(100)
    await connection.disconnect()
    await pause(100)


run(story)
