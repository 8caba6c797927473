import AttlasCapture
import AttlasTrace
import AttlasWire
import Testing

@testable import AttlasMetrics

/// A conversation whose records stand at known times.
struct Talk {
    private struct Packet {
        let type: HCIPacketType
        let direction: Direction
        let octets: [UInt8]
        let microseconds: Int
        let lost: UInt32
    }

    private var packets: [Packet] = []

    /// The frame that the next record will be.
    var nextFrame: Int { packets.count + 1 }

    mutating func add(
        _ type: HCIPacketType, _ direction: Direction, _ octets: [UInt8], at milliseconds: Double, lost: UInt32 = 0
    ) {
        packets.append(
            Packet(
                type: type, direction: direction, octets: octets, microseconds: Int((milliseconds * 1_000).rounded()),
                lost: lost))
    }

    mutating func event(_ octets: String, at milliseconds: Double) {
        add(.event, .rx, hex(octets), at: milliseconds)
    }

    /// LE Connection Complete as central. Vol 4, Part E, 7.7.65.1.
    mutating func connect(
        at milliseconds: Double, interval: Int = 24, address: String = "F2F2F2F2F2F2", handle: Int = 0x40,
        role: UInt8 = 0
    ) {
        let octets =
            hex("3E 13 01 00") + little(handle) + [role, 1] + hex(address) + little(interval) + hex("0000 4800 00")
        add(.event, .rx, octets, at: milliseconds)
    }

    /// Disconnection Complete. Vol 4, Part E, 7.7.5.
    mutating func disconnect(at milliseconds: Double, reason: UInt8 = 0x13, handle: Int = 0x40) {
        add(.event, .rx, hex("05 04 00") + little(handle) + [reason], at: milliseconds)
    }

    /// One ATT PDU in one ACL packet, on the fixed channel.
    mutating func att(
        _ direction: Direction, _ pdu: String, at milliseconds: Double, handle: Int = 0x40, lost: UInt32 = 0
    ) {
        frame(direction, channel: 4, hex(pdu), at: milliseconds, handle: handle, lost: lost)
    }

    mutating func frame(
        _ direction: Direction, channel: Int, _ payload: [UInt8], at milliseconds: Double, handle: Int = 0x40,
        lost: UInt32 = 0
    ) {
        let data = little(payload.count) + little(channel) + payload
        acl(direction, boundary: direction == .tx ? 0b00 : 0b10, data, at: milliseconds, handle: handle, lost: lost)
    }

    mutating func acl(
        _ direction: Direction, boundary: Int, _ data: [UInt8], at milliseconds: Double, handle: Int = 0x40,
        lost: UInt32 = 0
    ) {
        add(
            .acl, direction, little(handle | boundary << 12) + little(data.count) + data, at: milliseconds, lost: lost)
    }

    /// A Read Request of 0x0003 and its response with one octet.
    mutating func read(at milliseconds: Double, answeredAfter roundTrip: Double) {
        att(.tx, "0A 0300", at: milliseconds)
        att(.rx, "0B 57", at: milliseconds + roundTrip)
    }

    /// - Parameter prepare: called before each record, with its frame.
    func measure(_ prepare: (inout StatisticsCollector, Int) -> Void = { _, _ in }) -> StatisticsCollector {
        var trace = Trace()
        var collector = StatisticsCollector()
        for (index, packet) in packets.enumerated() {
            prepare(&collector, index + 1)
            let header = CollectionOfOne(
                RecordHeader(
                    frame: index + 1,
                    time: Timestamp(
                        seconds: Int64(packet.microseconds / 1_000_000),
                        nanoseconds: UInt32(packet.microseconds % 1_000_000) * 1_000, precision: 6),
                    content: .packet(packet.type), direction: packet.direction, controller: 0,
                    length: packet.octets.count, missing: 0, lost: packet.lost))
            let record = Record(header, bytes: Bytes(packet.octets.span))
            trace.decode(record, into: &collector)
        }
        trace.finish(into: &collector)
        collector.finish(in: trace)
        return collector
    }

    /// The only row of round trips, and of values.
    func exchange() throws -> ExchangeRow { try #require(measure().groups(by: .connection).first?.exchanges.first) }
    func values() throws -> ValueRow { try #require(measure().groups(by: .connection).first?.values.first) }
}

/// Octets from hexadecimal digits; white space is for the reader.
func hex(_ text: String) -> [UInt8] {
    let digits = text.filter { !$0.isWhitespace }.map { $0.hexDigitValue! }
    precondition(digits.count.isMultiple(of: 2), "half an octet")
    return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
}

func little(_ value: Int) -> [UInt8] { [UInt8(value & 0xFF), UInt8(value >> 8 & 0xFF)] }
