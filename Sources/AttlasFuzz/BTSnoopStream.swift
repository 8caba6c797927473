import AttlasWire

/// Records as a btsnoop file (datalink 1002, HCI H4), a piece at a time. Packets that have no H4 indicator are left out.
package struct BTSnoopStream {
    /// The octets that wait to be taken, the file header first.
    package var octets: [UInt8] = Array("btsnoop\0".utf8) + [0, 0, 0, 1, 0, 0, 0x03, 0xEA]
    /// Microseconds since the year 0.
    private var time: UInt64 = 0x00E2_AE3A_C8CC_8000

    package init() {}

    package mutating func append(_ entry: RecordList.Entry) {
        let type: UInt8
        switch entry.kind {
        case .command: type = 0x01
        case .acl: type = 0x02
        case .synchronous: type = 0x03
        case .event: type = 0x04
        case .isochronous: type = 0x05
        case .monitor, .packetLogger, .unknownPacket: return
        }
        let length = UInt32(entry.octets.count + 1)
        let isCommandOrEvent = entry.kind == .command || entry.kind == .event
        time += 1_250
        append(length + UInt32(entry.missing))
        append(length)
        append(UInt32((entry.direction == .rx ? 1 : 0) | (isCommandOrEvent ? 2 : 0)))
        append(0)
        append(UInt32(time >> 32))
        append(UInt32(time & 0xFFFF_FFFF))
        octets.append(type)
        octets += entry.octets
    }

    private mutating func append(_ value: UInt32) {
        for shift in [24, 16, 8, 0] as [UInt32] { octets.append(UInt8(value >> shift & 0xFF)) }
    }
}
