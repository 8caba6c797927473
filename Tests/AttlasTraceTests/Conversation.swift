import AttlasCapture
import AttlasWire

@testable import AttlasTrace

/// Octets from hexadecimal digits; white space is for the reader.
func hex(_ text: String) -> [UInt8] {
    let digits = text.filter { !$0.isWhitespace }.map { $0.hexDigitValue! }
    precondition(digits.count.isMultiple(of: 2), "half an octet")
    return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
}

func little(_ value: Int) -> [UInt8] { [UInt8(value & 0xFF), UInt8(value >> 8 & 0xFF)] }

/// One record of a conversation. Its frame number is its place in the conversation, counted from 1.
struct Packet {
    var content: Record.Content
    var direction: Direction
    /// The packet behind its H4 indicator.
    var octets: [UInt8]
    var controller: UInt16 = 0
    /// Octets that the capture left out.
    var missing = 0
    var lost: UInt32 = 0
    /// Microseconds; a record without its own time comes 1 ms after the one before.
    var time: Int?
}

extension Packet {
    static func command(_ octets: String, controller: UInt16 = 0) -> Packet {
        Packet(content: .packet(.command), direction: .tx, octets: hex(octets), controller: controller)
    }

    static func event(_ octets: String, controller: UInt16 = 0) -> Packet {
        Packet(content: .packet(.event), direction: .rx, octets: hex(octets), controller: controller)
    }

    /// A whole ACL packet, header included.
    static func acl(_ direction: Direction, _ octets: String, missing: Int = 0, controller: UInt16 = 0) -> Packet {
        Packet(
            content: .packet(.acl), direction: direction, octets: hex(octets), controller: controller, missing: missing)
    }

    /// The beginning of an L2CAP frame: non-flushable from a host, flushable from a controller. Vol 4, Part E, 5.4.2.
    static func start(
        _ direction: Direction, _ octets: String, handle: Int = 0x40, missing: Int = 0, controller: UInt16 = 0
    ) -> Packet {
        fragment(
            direction, boundary: direction == .tx ? 0b00 : 0b10, hex(octets), handle: handle, missing: missing,
            controller: controller)
    }

    /// What follows of an L2CAP frame.
    static func more(
        _ direction: Direction, _ octets: String, handle: Int = 0x40, missing: Int = 0, controller: UInt16 = 0
    ) -> Packet {
        fragment(direction, boundary: 0b01, hex(octets), handle: handle, missing: missing, controller: controller)
    }

    /// An ACL packet of which the capture left out the last `missing` octets.
    static func fragment(
        _ direction: Direction, boundary: Int, _ octets: [UInt8], handle: Int = 0x40, missing: Int = 0,
        controller: UInt16 = 0
    ) -> Packet {
        Packet(
            content: .packet(.acl), direction: direction,
            octets: little(handle | boundary << 12) + little(octets.count + missing) + octets, controller: controller,
            missing: missing)
    }

    /// An L2CAP frame in one ACL packet.
    static func frame(
        _ direction: Direction, channel: Int, _ payload: [UInt8], handle: Int = 0x40, missing: Int = 0,
        controller: UInt16 = 0
    ) -> Packet {
        fragment(
            direction, boundary: direction == .tx ? 0b00 : 0b10,
            little(payload.count + missing) + little(channel) + payload, handle: handle, missing: missing,
            controller: controller)
    }

    /// An ATT PDU in one ACL packet.
    static func att(
        _ direction: Direction, _ pdu: String, handle: Int = 0x40, missing: Int = 0, controller: UInt16 = 0
    ) -> Packet {
        frame(direction, channel: 4, hex(pdu), handle: handle, missing: missing, controller: controller)
    }

    /// LE Connection Complete, status 0: 30 ms, latency 0, timeout 720 ms. Vol 4, Part E, 7.7.65.1.
    static func connected(
        _ address: String = Address.strap, handle: Int = 0x40, role: UInt8 = 0, random: Bool = true,
        controller: UInt16 = 0
    ) -> Packet {
        var packet = event("3E 13 01 00", controller: controller)
        packet.octets += little(handle) + [role, random ? 1 : 0] + hex(address) + hex("1800 0000 4800 00")
        return packet
    }

    /// Disconnection Complete, status 0. Vol 4, Part E, 7.7.5.
    static func disconnected(handle: Int = 0x40, reason: UInt8 = 0x13, controller: UInt16 = 0) -> Packet {
        var packet = event("05 04 00", controller: controller)
        packet.octets += little(handle) + [reason]
        return packet
    }

    func at(_ microseconds: Int) -> Packet {
        var packet = self
        packet.time = microseconds
        return packet
    }

    func losing(_ records: UInt32) -> Packet {
        var packet = self
        packet.lost = records
        return packet
    }
}

/// Device addresses as they stand in HCI: least significant octet first.
enum Address {
    /// F2:F2:F2:F2:F2:F2
    static let strap = "F2F2F2F2F2F2"
    /// E6:0A:33:7C:90:15
    static let probe = "15907C330AE6"
    /// 00:1A:7D:DA:71:13
    static let phone = "1371DA7D1A00"
}

/// Feeds the packets to a trace and keeps what it says.
///
/// - Parameter undirected: As a capture does that does not record who sent a packet.
func decode(_ packets: [Packet], undirected: Bool = false, finish: Bool = false) -> Recorder {
    var trace = Trace()
    return decode(packets, with: &trace, undirected: undirected, finish: finish)
}

func decode(_ packets: [Packet], with trace: inout Trace, undirected: Bool = false, finish: Bool = false) -> Recorder {
    var recorder = Recorder()
    var time = 1_000_000
    for (index, packet) in packets.enumerated() {
        time = packet.time ?? time + 1000
        // Rounded down, as times before 1970 count from the second before them.
        let microseconds = (time % 1_000_000 + 1_000_000) % 1_000_000
        let header = CollectionOfOne(
            RecordHeader(
                frame: index + 1,
                time: Timestamp(
                    seconds: Int64((time - microseconds) / 1_000_000), nanoseconds: UInt32(microseconds) * 1000,
                    precision: 6),
                content: packet.content, direction: undirected ? .unknown : packet.direction,
                controller: packet.controller, length: packet.octets.count, missing: packet.missing,
                lost: packet.lost))
        let record = Record(header, bytes: Bytes(packet.octets.span))
        trace.decode(record, into: &recorder)
    }
    if finish { trace.finish(into: &recorder) }
    return recorder
}
