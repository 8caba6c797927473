"""Attribute tables that more than one story uses. Every device has Generic Access at 0x0001 and Generic Attribute at 0x0006, so the first
specific service is at 0x000E."""

import struct

from rig import *


def float32(mantissa, exponent):
    """An IEEE 11073 FLOAT."""
    return struct.pack("<i", mantissa)[:3] + struct.pack("<b", exponent)


def heart_rate(rate, *intervals):
    """A heart rate in 8 bits with contact detected and RR intervals in 1/1024 s."""
    return bytes([0x06 | bool(intervals) << 4, rate]) + struct.pack(f"<{len(intervals)}H", *intervals)


def control_point(connection, value):
    if value != b"\x01":
        raise ATT_Error(0x80)  # Control Point Not Supported


async def battery(connection):
    await pause(35)
    return b"\x57"


async def heart_rate_strap(rig):
    """HRM-7 and its measurement. Heart Rate: measurement 0x0010, its CCCD 0x0011, location 0x0013, control point 0x0015; Battery: level
    0x0018, its CCCD 0x0019; Device Information: 0x001C to 0x0026."""
    measurement = characteristic(0x2A37, NOTIFY)
    device = await rig.peripheral(
        "HRM-7",
        "F2:F2:F2:F2:F2:F2",
        [
            service(0x180D, measurement, characteristic(0x2A38, READ, b"\x01"), characteristic(0x2A39, WRITE, write=control_point)),
            service(0x180F, characteristic(0x2A19, READ | NOTIFY, read=battery)),
            service(
                0x180A,
                characteristic(0x2A29, READ, b"Pulsar Instruments"),
                characteristic(0x2A24, READ, b"HRM-7 Chest Strap"),
                characteristic(0x2A25, READ, b"P7-004211"),
                characteristic(0x2A26, READ, b"2.4.1"),
                characteristic(0x2A23, READ, bytes.fromhex("074211feff5d1f00"), secure="READ_REQUIRES_AUTHENTICATION"),
                characteristic(0x2A50, READ, bytes.fromhex("01ffff07004102")),
            ),
        ],
        appearance=0x0341,
        advertised=(0x180D, 0x180F, 0x180A),
    )
    device.gatt_server.max_mtu = 185
    return device, measurement
