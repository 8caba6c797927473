import AttlasWire

/// Connections that all notify from all their characteristics in turn: for the cost of many against that of one.
struct CrowdedCapture: PacketSequence {
    private let connections: Int
    private let characteristics: Int
    private var opening: [TimedPacket] = []
    private var position = 0
    private var notifications = 0

    /// - Parameters:
    ///   - connections: up to 3 839, the number of handles.
    ///   - characteristics: of each, up to 1 000.
    init(connections: Int, characteristics: Int) {
        self.connections = connections
        self.characteristics = characteristics
        for connection in 1...connections { open(UInt16(connection)) }
    }

    mutating func next() -> TimedPacket? {
        if position < opening.count {
            position += 1
            return opening[position - 1]
        }
        let connection = UInt16(notifications % connections + 1)
        let characteristic = notifications / connections % characteristics
        notifications += 1
        let handle = Self.valueHandle(characteristic)
        // Heart Rate Measurement: flags, rate.
        let pdu: [UInt8] = [0x1B] + handle.octets + [0x00, UInt8(60 + notifications % 100)]
        return packet(connection, pdu, .rx, at: position + notifications)
    }

    private static func valueHandle(_ characteristic: Int) -> UInt16 { UInt16(2 * characteristic + 3) }

    private mutating func open(_ connection: UInt16) {
        // LE Connection Complete: as central, to a public address, interval 30 ms, timeout 1 s.
        let event: [UInt8] =
            [0x3E, 19, 0x01, 0x00] + connection.octets + [0x00, 0x00] + connection.octets
            + [0x00, 0x00, 0x00, 0x02, 24, 0, 0, 0, 100, 0, 0]
        add(TimedPacket(nanoseconds: time(opening.count), type: .event, direction: .rx, bytes: event))
        // Read By Group Type, from 0x0001 on: one service, Heart Rate.
        add(connection, [0x10, 0x01, 0x00, 0xFF, 0xFF, 0x00, 0x28], .tx)
        add(connection, [0x11, 6, 0x01, 0x00] + Self.valueHandle(characteristics - 1).octets + [0x0D, 0x18], .rx)
        for characteristic in 0..<characteristics {
            let value = Self.valueHandle(characteristic)
            let declaration = (value - 1).octets
            // Read By Type: one characteristic, Heart Rate Measurement, that notifies.
            add(connection, [0x08] + declaration + [0xFF, 0xFF, 0x03, 0x28], .tx)
            add(connection, [0x09, 7] + declaration + [0x10] + value.octets + [0x37, 0x2A], .rx)
        }
    }

    private mutating func add(_ connection: UInt16, _ pdu: [UInt8], _ direction: Direction) {
        add(packet(connection, pdu, direction, at: opening.count))
    }

    private mutating func add(_ packet: TimedPacket) {
        opening.append(packet)
    }

    private func time(_ index: Int) -> Int64 { Int64(index) * 250_000 }

    private func packet(_ connection: UInt16, _ pdu: [UInt8], _ direction: Direction, at index: Int) -> TimedPacket {
        // Packet boundary flag: first, flushable from the controller.
        let header = connection | (direction == .rx ? 0x2000 : 0)
        let length = UInt16(pdu.count)
        return TimedPacket(
            nanoseconds: time(index), type: .acl, direction: direction,
            bytes: header.octets + (length + 4).octets + length.octets + [0x04, 0x00] + pdu)
    }
}

extension UInt16 {
    /// Little-endian.
    var octets: [UInt8] { [UInt8(truncatingIfNeeded: self), UInt8(self >> 8)] }
}
