"""An app in a hurry: a thermostat that does everything right, and a client that does not."""

from rig import *

SERVICE = "7EA70000-51C8-4B7A-A1E6-0A5E33D10000"
SETPOINT = "7EA70001-51C8-4B7A-A1E6-0A5E33D10000"
BEEP = "7EA70002-51C8-4B7A-A1E6-0A5E33D10000"
SECRET = "7EA70003-51C8-4B7A-A1E6-0A5E33D10000"


def word(number):
    return number.to_bytes(2, "little").hex()


async def story(rig):
    central = await rig.central("hasty-app")

    async def slow(connection):
        await pause(150)
        return b"\xd0\x07"

    async def never(connection):
        await pause(60_000)
        return b""

    temperature = characteristic(0x2A6E, READ | NOTIFY, read=slow)
    thermostat = await rig.peripheral(
        "Thermostat",
        "D4:E2:05:7A:70:01",
        [
            service(0x181A, temperature),
            service(
                SERVICE,
                characteristic(SETPOINT, READ | WRITE, b"\xd0\x07", descriptors=[description("Setpoint")]),
                characteristic(BEEP, COMMAND, b"", descriptors=[description("Beep")]),
                characteristic(SECRET, WRITE, b"", descriptors=[description("Code")]),
                characteristic("7EA70004-51C8-4B7A-A1E6-0A5E33D10000", READ, read=never, descriptors=[description("Log")]),
            ),
        ],
        appearance=0x0300,
        advertised=(0x181A,),
    )
    (address,) = await scan(central, "Thermostat")
    connection, client = await connect(central, address)
    await client.request_mtu(100)
    await discover(client)

    def say(octets):
        client.send_gatt_pdu(bytes.fromhex(octets))

    air, setpoint, beep, secret = (word(find(client, uuid).handle) for uuid in (0x2A6E, SETPOINT, BEEP, SECRET))
    configuration = word(find(client, 0x2A6E).handle + 1)
    say("02 f700")  # a second exchange
    await pause(200)
    say(f"0a {air}")
    await pause(20)
    say(f"0a {setpoint}")  # the first is not answered yet
    await pause(500)
    say(f"12 {configuration} 0200")  # it notifies, and has no indications
    await pause(200)
    say(f"12 {configuration} 0100")
    await pause(200)
    (there,) = thermostat.connections.values()
    thermostat.gatt_server.send_gatt_pdu(there, bytes.fromhex(f"1b {air} d007"))
    await pause(100)
    say("1e")  # confirms a notification
    await pause(100)
    say(f"12 {beep} 01")  # only without response
    await pause(200)
    say(f"52 {setpoint} 3408")  # only with response
    await pause(200)
    say(f"0a {secret}")  # cannot be read
    await pause(200)
    say("08 0000 ffff 0328")  # there is no handle 0
    await pause(200)
    say(f"16 {setpoint} 0000 34")
    await pause(200)
    say(f"0a {word(find(client, '7EA70004-51C8-4B7A-A1E6-0A5E33D10000').handle)}")
    await pause(300)
    await connection.disconnect()  # with a write prepared and a read not answered
    await pause(100)


run(story)
