import AttlasCapture
import AttlasWire

/// Records as a fuzzer sees them: without the framing of a capture format, which would only be in its way.
///
/// ```
/// record  | head 8 | [missing 8, step 8] | length 8 or 16 | octets … |
/// ```
/// The head's bits 0–2 are the kind, 3–4 the direction, 5 the controller, 6 means that `missing` and `step` follow, 7 that the length has
/// 16 bits. Every string of octets is a list of records; the last may be cut short.
package struct RecordList: Sendable {
    /// The header of a monitor or another record is in the first octets.
    package enum Kind: UInt8, Sendable {
        case command, acl, event, synchronous, isochronous, monitor, packetLogger, unknownPacket
    }

    package struct Entry: Sendable, Equatable {
        var kind: Kind
        var direction: Direction
        var controller: UInt16 = 0
        /// Octets that the capture left out.
        package var missing: UInt8 = 0
        /// The step of the clock: see `RecordList.nanoseconds`.
        var step: UInt8 = 0
        var octets: [UInt8]

        package init(_ kind: Kind, _ direction: Direction, _ octets: [UInt8]) {
            self.kind = kind
            self.direction = direction
            self.octets = octets
        }
    }

    package var entries: [Entry] = []

    package init(_ entries: [Entry] = []) {
        self.entries = entries
    }

    package init(encoded: some Collection<UInt8>) {
        var rest = encoded[...]
        while let head = rest.popFirst() {
            var entry = Entry(Kind(rawValue: head & 7) ?? .acl, Direction(rawValue: head >> 3 & 3) ?? .rx, [])
            entry.controller = UInt16(head >> 5 & 1)
            if head & 0x40 != 0 {
                entry.missing = rest.popFirst() ?? 0
                entry.step = rest.popFirst() ?? 0
            }
            var length = Int(rest.popFirst() ?? 0)
            if head & 0x80 != 0 { length |= Int(rest.popFirst() ?? 0) << 8 }
            entry.octets = Array(rest.prefix(length))
            rest = rest.dropFirst(length)
            entries.append(entry)
        }
    }

    package var encoded: [UInt8] {
        var result: [UInt8] = []
        for entry in entries {
            let octets = entry.octets.prefix(0xFFFF)
            var head = entry.kind.rawValue | entry.direction.rawValue << 3 | UInt8(entry.controller & 1) << 5
            let hasMore = entry.missing != 0 || entry.step != 0
            if hasMore { head |= 0x40 }
            if octets.count > 0xFF { head |= 0x80 }
            result.append(head)
            if hasMore { result += [entry.missing, entry.step] }
            result.append(UInt8(octets.count & 0xFF))
            if octets.count > 0xFF { result.append(UInt8(octets.count >> 8)) }
            result += octets
        }
        return result
    }

    /// The records of a capture, as far as they hold packets.
    init(_ reader: consuming CaptureReader) throws(CaptureError) {
        while let record = try reader.next() {
            let octets = record.bytes.copy()
            var entry: Entry
            switch record.content {
            case .packet(.command): entry = Entry(.command, record.direction, octets)
            case .packet(.acl): entry = Entry(.acl, record.direction, octets)
            case .packet(.event): entry = Entry(.event, record.direction, octets)
            case .packet(.synchronous): entry = Entry(.synchronous, record.direction, octets)
            case .packet(.isochronous): entry = Entry(.isochronous, record.direction, octets)
            case .monitor(let opcode):
                entry = Entry(.monitor, record.direction, [UInt8(opcode & 0xFF), UInt8(opcode >> 8)] + octets)
            case .packetLogger(let type): entry = Entry(.packetLogger, record.direction, [type.rawValue] + octets)
            case .unknownPacket(let type): entry = Entry(.unknownPacket, record.direction, [type] + octets)
            // The air is tried by whole captures.
            case .air, .broken: continue
            }
            entry.controller = record.controller & 1
            entry.missing = UInt8(clamping: record.missing)
            entries.append(entry)
        }
    }

    /// Nanoseconds from one record to the next: mostly a few milliseconds, now and then a jump as of a clock that is set.
    static func nanoseconds(_ step: UInt8) -> Int64 {
        switch step {
        case 0: 1_250_000
        case 1...127: Int64(step) * 10_000_000
        case 128...191: Int64(1) << Int64(step - 128)
        case 192...223: -(Int64(1) << Int64(step - 192))
        case 224...254: Int64(step - 223) * 31_536_000_000_000_000
        default: .min
        }
    }

    /// Calls `body` with each record in turn.
    package func forEachRecord(_ body: (borrowing Record) -> Void) {
        var seconds: Int64 = 1_700_000_000
        var nanoseconds: Int64 = 0
        for (index, entry) in entries.enumerated() {
            let step = Self.nanoseconds(entry.step)
            nanoseconds += step % 1_000_000_000
            seconds &+= step / 1_000_000_000 + nanoseconds / 1_000_000_000
            nanoseconds %= 1_000_000_000
            if nanoseconds < 0 {
                nanoseconds += 1_000_000_000
                seconds &-= 1
            }
            let time = Timestamp(seconds: seconds, nanoseconds: UInt32(nanoseconds), precision: 9)
            let (content, start) = entry.content
            let bytes = Bytes(entry.octets.span).dropFirst(start)
            let header = CollectionOfOne(
                RecordHeader(
                    frame: index + 1, time: time, content: content, direction: entry.direction,
                    controller: entry.controller, length: bytes.count, missing: Int(entry.missing),
                    lost: entry.missing == 0xFF ? 1 : 0))
            body(Record(header, bytes: bytes))
        }
    }
}

extension RecordList.Entry {
    /// The record's content, and the offset of its octets.
    fileprivate var content: (Record.Content, Int) {
        switch kind {
        case .command: (.packet(.command), 0)
        case .acl: (.packet(.acl), 0)
        case .event: (.packet(.event), 0)
        case .synchronous: (.packet(.synchronous), 0)
        case .isochronous: (.packet(.isochronous), 0)
        case .monitor:
            (.monitor(opcode: UInt16(octets.first ?? 0) | UInt16(octets.dropFirst().first ?? 0) << 8), 2)
        case .packetLogger: (.packetLogger(PacketLoggerType(rawValue: octets.first ?? 0)), 1)
        case .unknownPacket: (.unknownPacket(type: octets.first ?? 0), 1)
        }
    }
}
