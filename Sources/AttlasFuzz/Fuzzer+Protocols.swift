import AttlasTrace
import AttlasWire

/// Octets inside packets whose own headers are right, so that a fuzzer need not find those.
extension Fuzzer {
    func advertising(_ input: [UInt8]) {
        var list = RecordList()
        var rest = input[...]
        var address: UInt8 = 0
        // Every part is advertised in both ways, and in two pieces.
        while !rest.isEmpty, list.entries.count < 64 {
            let data = Array(rest.prefix(229))
            rest = rest.dropFirst(229)
            address &+= 1
            let device: [UInt8] = [address, 2, 3, 4, 5, 0xC0]
            let short = Array(data.prefix(31))
            let legacy: [UInt8] = [0x02, 1, address % 5, 1] + device + [UInt8(short.count)] + short + [0xC8]
            list.entries.append(leEvent(legacy))
            let cut = data.count / 2
            list.entries.append(leEvent(extended(device, Array(data[..<cut]), status: 0x20)))
            list.entries.append(leEvent(extended(device, Array(data[cut...]), status: 0)))
            // Extended Inquiry Result.
            let inquiry = Array(data.prefix(240))
            list.entries.append(
                RecordList.Entry(
                    .event, .rx,
                    [0x2F, 255, 1] + device + [1, 0, 4, 1, 0x5A, 0, 0, 0xC8] + inquiry
                        + [UInt8](repeating: 0, count: 240 - inquiry.count)))
        }
        pipeline(list, 4 | 0x08)
        pipeline(list, 0 | 0x08)
    }

    private func leEvent(_ parameters: [UInt8]) -> RecordList.Entry {
        RecordList.Entry(.event, .rx, [0x3E, UInt8(clamping: parameters.count)] + parameters)
    }

    private func extended(_ device: [UInt8], _ data: [UInt8], status: UInt16) -> [UInt8] {
        [0x0D, 1] + PacketTemplates.little(0x0001 | status) + [1] + device + [1, 0, 1, 0x7F, 0xC8, 0, 0, 0]
            + [UInt8](repeating: 0, count: 6) + [UInt8(data.count)] + data
    }

    func pairing(_ input: [UInt8]) {
        var list = RecordList([SampleConversation.connectionComplete])
        var rest = input[...]
        while let head = rest.popFirst(), list.entries.count < 256 {
            let pdu = Array(rest.prefix(Int(head & 0x7F)))
            rest = rest.dropFirst(pdu.count)
            list.entries.append(PacketTemplates.acl(0x0040, channel: 0x0006, pdu, head & 0x80 == 0 ? .tx : .rx))
        }
        pipeline(list, 0 | 0x08)
        pipeline(list, 6)
    }
}

/// A connection and a little traffic, written by hand.
enum SampleConversation {
    /// LE Connection Complete of 0x0040, as central, with a random static address.
    static let connectionComplete = RecordList.Entry(
        .event, .rx, [0x3E, 0x13, 0x01, 0x00, 0x40, 0x00, 0x00, 0x01, 1, 2, 3, 4, 5, 0xC6, 24, 0, 0, 0, 72, 0, 0])

    static var records: RecordList {
        func att(_ direction: Direction, _ pdu: [UInt8]) -> RecordList.Entry {
            PacketTemplates.acl(0x0040, channel: 0x0004, pdu, direction)
        }
        return RecordList([
            connectionComplete,
            att(.tx, [0x02, 0x05, 0x02]), att(.rx, [0x03, 0xF7, 0x00]),
            att(.tx, [0x10, 1, 0, 0xFF, 0xFF, 0x00, 0x28]),
            att(.rx, [0x11, 6, 1, 0, 5, 0, 0x00, 0x18, 6, 0, 12, 0, 0x0D, 0x18, 13, 0, 15, 0, 0x0F, 0x18]),
            att(.tx, [0x08, 1, 0, 0xFF, 0xFF, 0x03, 0x28]),
            att(
                .rx,
                [0x09, 7, 2, 0, 0x02, 3, 0, 0x00, 0x2A, 7, 0, 0x10, 8, 0, 0x37, 0x2A, 14, 0, 0x12, 15, 0, 0x19, 0x2A]),
            att(.tx, [0x0A, 3, 0]), att(.rx, [0x0B] + Array("HRM-7".utf8)),
            att(.tx, [0x12, 9, 0, 1, 0]), att(.rx, [0x13]),
            att(.rx, [0x1B, 8, 0, 0x16, 0x48, 0x40, 0x03]),
            att(.tx, [0x0A, 15, 0]), att(.rx, [0x0B, 87]),
            att(.tx, [0x0A, 99, 0]), att(.rx, [0x01, 0x0A, 99, 0, 0x01]),
            RecordList.Entry(.event, .rx, [0x05, 0x04, 0x00, 0x40, 0x00, 0x13]),
        ])
    }
}
