import AttlasWire

/// Captures that would need more memory than the machine has: each begins something again and again, and never ends it.
package enum Attack: String, CaseIterable, Sendable {
    /// Connections that never end.
    case connections
    /// Another peer in every connection, with a name.
    case peers
    /// 65 535 attributes on each connection; a count is a connection.
    case attributes
    /// An SDU of 64 kB announced on 60 channels of each connection; a count is a connection.
    case sdus
    /// SDUs that come an octet at a time, so that the list of their frames is longer than they are.
    case fragments
    /// Prepared writes that are never executed.
    case preparedWrites = "prepared-writes"
    /// Long reads that never end.
    case longReads = "long-reads"
    /// Advertising, each from another address, with an unknown service.
    case advertisers
    /// Values of 512 octets from unknown handles.
    case values

    /// How often, to be as large as it gets.
    package var fullSize: Int {
        switch self {
        case .connections, .peers: 1_000_000
        case .attributes, .sdus: 1_000
        case .fragments, .preparedWrites, .longReads, .values: 5_000_000
        case .advertisers: 10_000_000
        }
    }

    /// Calls `body` with each record.
    package func generate(count: Int, _ body: (RecordList.Entry) -> Void) {
        switch self {
        case .connections:
            for number in 0..<count { body(Self.connect(UInt16(number % 0x0EFF), number)) }
        case .peers: Self.generatePeers(count, body)
        case .attributes: Self.generateAttributes(count, body)
        case .sdus: Self.generateSDUs(count, body)
        case .fragments: Self.generateFragments(count, body)
        case .preparedWrites: Self.generatePreparedWrites(count, body)
        case .longReads: Self.generateLongReads(count, body)
        case .advertisers: Self.generateAdvertisers(count, body)
        case .values: Self.generateValues(count, body)
        }
    }

    // MARK: Packets

    private static func octets(_ number: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }

    /// LE Connection Complete with a static address.
    private static func connect(_ handle: UInt16, _ number: Int) -> RecordList.Entry {
        RecordList.Entry(
            .event, .rx,
            [0x3E, 0x13, 0x01, 0x00] + octets(Int(handle), 2) + [0x00, 0x01] + octets(number, 5) + [0xC6]
                + [24, 0, 0, 0, 72, 0, 0])
    }

    private static func disconnect(_ handle: UInt16) -> RecordList.Entry {
        RecordList.Entry(.event, .rx, [0x05, 0x04, 0x00] + octets(Int(handle), 2) + [0x13])
    }

    private static func att(_ handle: UInt16, _ direction: Direction, _ pdu: [UInt8]) -> RecordList.Entry {
        PacketTemplates.acl(handle, channel: 0x0004, pdu, direction)
    }

    // MARK: Attacks

    private static func generatePeers(_ count: Int, _ body: (RecordList.Entry) -> Void) {
        for number in 0..<count {
            body(connect(0x40, number))
            body(att(0x40, .tx, [0x08, 1, 0, 0xFF, 0xFF, 0x00, 0x2A]))
            let name = Array("Peer \(number)".utf8)
            body(att(0x40, .rx, [0x09, UInt8(name.count + 2), 3, 0] + name))
            body(disconnect(0x40))
        }
    }

    private static func generateAttributes(_ count: Int, _ body: (RecordList.Entry) -> Void) {
        for number in 0..<count {
            let connection = UInt16(number % 0x0EFF)
            body(connect(connection, number))
            body(att(connection, .tx, [0x02, 0x05, 0x02]))
            body(att(connection, .rx, [0x03, 0x05, 0x02]))
            for start in stride(from: 1, to: 0xFFFF, by: 128) {
                body(att(connection, .tx, [0x04] + octets(start, 2) + [0xFF, 0xFF]))
                let handles = start..<min(start + 128, 0x1_0000)
                let pairs: [UInt8] = handles.flatMap { (handle: Int) -> [UInt8] in octets(handle, 2) + [0x02, 0x29] }
                body(att(connection, .rx, [0x05, 0x01] + pairs))
            }
        }
    }

    /// Opens channels 0x0040 to 0x007B towards both sides. LE Credit Based Connection on SPSM 0x0080.
    private static func openChannels(_ connection: UInt16, _ spsm: Int, _ body: (RecordList.Entry) -> Void) {
        for channel in 0x40..<0x7C {
            let identifier = UInt8(channel)
            let request = octets(spsm, 2) + octets(channel, 2) + [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F]
            let response = octets(channel, 2) + [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F, 0, 0]
            body(PacketTemplates.acl(connection, channel: 5, [0x14, identifier, 10, 0] + request, .tx))
            body(PacketTemplates.acl(connection, channel: 5, [0x15, identifier, 10, 0] + response, .rx))
        }
    }

    private static func generateSDUs(_ count: Int, _ body: (RecordList.Entry) -> Void) {
        let part = [UInt8](repeating: 0xA5, count: 8_000)
        for number in 0..<count {
            let connection = UInt16(number % 0x0EFF)
            body(connect(connection, number))
            openChannels(connection, 0x80, body)
            for direction in [Direction.tx, .rx] {
                for channel in UInt16(0x40)..<0x7C {
                    body(PacketTemplates.acl(connection, channel: channel, [0xFF, 0xFF] + part, direction))
                }
            }
        }
    }

    private static func generateFragments(_ count: Int, _ body: (RecordList.Entry) -> Void) {
        let connections = UInt16(16)
        for connection in 0..<connections {
            body(connect(connection, Int(connection)))
            openChannels(connection, 0x80, body)
        }
        for number in 0..<count {
            let connection = UInt16(number % Int(connections))
            let channel = UInt16(0x40 + number / Int(connections) % 60)
            let isFirst = number < Int(connections) * 60
            body(PacketTemplates.acl(connection, channel: channel, isFirst ? [0xFF, 0xFF] : [0xA5], .rx))
        }
    }

    private static func generatePreparedWrites(_ count: Int, _ body: (RecordList.Entry) -> Void) {
        let connections = UInt16(256)
        for connection in 0..<connections {
            body(connect(connection, Int(connection)))
            openChannels(connection, 0x27, body)
        }
        for number in 0..<count {
            let connection = UInt16(number % Int(connections))
            let channel = UInt16(0x40 + number / Int(connections) % 60)
            let part = octets(number % 0xFFFF, 2) + octets(number & 0x1FF, 2) + [UInt8](repeating: 0xA5, count: 18)
            for (opcode, direction) in [(UInt8(0x16), Direction.tx), (0x17, .rx)] {
                let pdu = [opcode] + part
                body(PacketTemplates.acl(connection, channel: channel, octets(pdu.count, 2) + pdu, direction))
            }
        }
    }

    private static func generateLongReads(_ count: Int, _ body: (RecordList.Entry) -> Void) {
        let connections = UInt16(256)
        for connection in 0..<connections { body(connect(connection, Int(connection))) }
        let part = [UInt8](repeating: 0xA5, count: 22)
        for number in 0..<count {
            let connection = UInt16(number % Int(connections))
            let offset = number / Int(connections) * 22 % 0xFFF0
            body(att(connection, .tx, [offset == 0 ? 0x0A : 0x0C, 8, 0] + (offset == 0 ? [] : octets(offset, 2))))
            body(att(connection, .rx, [offset == 0 ? 0x0B : 0x0D] + part))
        }
    }

    private static func generateAdvertisers(_ count: Int, _ body: (RecordList.Entry) -> Void) {
        for number in 0..<count {
            let service = octets(number, 8) + [UInt8](repeating: 0x5A, count: 8)
            let data = [2, 1, 6, 19, 0x21] + service + [1, 2] + [5, 9] + Array("Tag7".utf8)
            body(
                RecordList.Entry(
                    .event, .rx,
                    [0x3E, UInt8(data.count + 12), 0x02, 1, 0, 1] + octets(number, 5) + [0xC0, UInt8(data.count)] + data
                        + [0xC8]))
        }
    }

    private static func generateValues(_ count: Int, _ body: (RecordList.Entry) -> Void) {
        body(connect(0x40, 1))
        body(att(0x40, .tx, [0x02, 0x05, 0x02]))
        body(att(0x40, .rx, [0x03, 0x05, 0x02]))
        for number in 0..<count {
            if number % 0xFFFF == 0 { body(connect(0x40, number)) }
            body(att(0x40, .rx, [0x1B] + octets(number % 0xFFFF + 1, 2) + [UInt8](repeating: 0xA5, count: 512)))
        }
    }
}
