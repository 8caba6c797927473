"""One central, two peripherals at once: the same handles mean heart rate on one and battery and temperature on the other."""

from tables import *

LOGGER = "Oven Probe"


async def chat(strap, rate, probe, level, temperature):
    for step in range(16):
        await pause(110)
        await strap.notify_subscribers(rate, heart_rate(88 + step, *(697 - 7 * step - beat % 3 for beat in range(12))))
        if step % 2:
            await probe.notify_subscribers(temperature, b"\x00" + float32(1804 + 23 * step, -1))
        if step % 4 == 3:
            await probe.notify_subscribers(level, bytes([64 - step // 4]))


async def read(client, *uuids):
    for uuid in uuids:
        await find(client, uuid).read_value()
        await pause(90)


async def story(rig):
    rig.air.event_length = 0.001  # one or two data PDUs an event, so that the fragments of both links alternate
    central = await rig.central("two-peripherals")
    level = characteristic(0x2A19, READ | NOTIFY, b"\x40")
    temperature = characteristic(0x2A1E, NOTIFY)
    maker = characteristic(0x2A29, READ, b"Hearth & Sons Measuring Instruments, Kiln Lane 7")
    strap, rate = await heart_rate_strap(rig)
    probe = await rig.peripheral(
        LOGGER,
        "E6:0A:33:7C:90:15",
        [service(0x180F, level), service(0x1809, temperature, characteristic(0x2A1D, READ, b"\x05")), service(0x180A, maker)],
        appearance=0x0300,
        advertised=(0x1809, 0x180F),
    )
    one, two = await scan(central, "HRM-7", LOGGER)
    _, first = await connect(central, one)
    _, second = await connect(central, two)
    await first.request_mtu(185)
    await second.request_mtu(64)
    await asyncio.gather(discover(first), discover(second))
    await asyncio.gather(find(first, 0x2A37).subscribe(), find(second, 0x2A19).subscribe())
    await find(second, 0x2A1E).subscribe()
    await asyncio.gather(
        chat(strap, rate, probe, level, temperature),
        read(first, 0x2A38, 0x2A00, 0x2A29, 0x2A19, 0x2A24),
        read(second, 0x2A19, 0x2A29, 0x2A00, 0x2A1D, 0x2A29, 0x2A29),
    )
    await hang_up(probe)
    await pause(200)
    await strap.notify_subscribers(rate, heart_rate(104, 576))
    await pause(200)
    await hang_up(central)
    await pause(100)


run(story)
