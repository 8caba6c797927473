import AttlasWire

/// btsnooz: the short log that Android keeps in memory and writes into bug reports, when no btsnoop log is on. Little-endian.
///
/// ```
/// file     | version 8 | last time 64 | zlib { records } |
/// record 1 | length 16 | delta 32 | type 8 | packet … |
/// record 2 | length 16 | original length 16 | delta 32 | type 8 | packet … |
/// ```
/// Lengths count one octet for the H4 indicator that is not there. All times are µs, though AOSP's sources call them ms. Each delta is the
/// time since the record before, so the first record's time is the last one's less all deltas: `BugReport` adds them up, and the input of
/// this reader begins with the version and the time before the first record.
package final class BTSnooz: ResumableReader {
    package static let preambleLength = 9

    private let name: String
    private let phone: String?
    private let version: UInt8
    private var time: Int64
    package private(set) var frame = 0
    var lost: LostPlace?
    var lastTime: Timestamp? { Timestamp(microsecondsSince1970: time) }

    /// Only a bug report shows where one is.
    package static func recognizes(_ bytes: borrowing Bytes) -> Bool { false }

    package init(_ input: inout InputBuffer) throws(CaptureError) {
        name = input.name
        phone = input.hardware
        guard try input.fill(Self.preambleLength) else {
            throw input.cutShort("the btsnooz header", need: Self.preambleLength)
        }
        version = input.bytes[0]
        time = Int64(bitPattern: input.bytes.uint64(at: 1))
        guard version == 1 || version == 2 else {
            throw CaptureError(
                .unsupported, file: name, "btsnooz version \(version): not supported, only 1 and 2 are")
        }
        input.consume(Self.preambleLength)
    }

    package var info: CaptureInfo {
        var info = CaptureInfo(file: name, format: "btsnooz", linkTypes: [.h4])
        if let phone {
            info.recorder = [phone]
            info.recorderOptions = [CaptureInfo.hardwareOption]
        }
        return info
    }

    /// µs from the first record of a log to its last, as far as its records can be read.
    package static func duration(of records: consuming InputBuffer, version: UInt8) -> UInt64 {
        let headerLength = headerLength(version)
        var sum: UInt64 = 0
        do throws(CaptureError) {
            while try records.fill(headerLength) {
                let fields = Fields(records.bytes, version)
                sum &+= UInt64(fields.delta)
                guard fields.length > 0 else { break }
                _ = try records.skip(headerLength + Int(fields.length) - 1)
            }
        } catch {
            // Reading the records leads to the same place.
        }
        return sum
    }

    private var headerLength: Int { Self.headerLength(version) }

    private static func headerLength(_ version: UInt8) -> Int { version == 1 ? 7 : 9 }

    private init(continuing other: BTSnooz, after frame: Int) {
        name = other.name
        phone = other.phone
        version = other.version
        time = other.time
        self.frame = frame
        lost = other.lost
    }

    package func copy(after frame: Int) -> any RecordSource {
        BTSnooz(continuing: self, after: frame)
    }

    package func next(_ input: inout InputBuffer, into header: inout RecordHeader) throws(CaptureError) -> Bool {
        if lost != nil { try resume(&input) }
        guard try input.fill(headerLength) else {
            guard input.available > 0 else { return false }
            throw input.cutShort("the last record's header", need: headerLength)
        }
        let fields = Fields(input.bytes, version)
        let length = headerLength + Int(fields.length) - 1
        guard fields.length > 0, fields.original >= fields.length else {
            frame += 1
            guard fields.length > 0 else {
                return losePlace(&header, input, length: nil, .noPacketType)
            }
            return losePlace(
                &header, input, length: length,
                .moreCaptured(UInt32(clamping: fields.length), ofPacket: UInt32(clamping: fields.original)))
        }
        guard try input.fill(length) else {
            let isLie = try input.isFollowed(step: 1, isStart)
            guard isLie else { throw input.cutShort("the last record", need: length) }
            frame += 1
            return losePlace(&header, input, length: nil, .packetBeyondLog(UInt32(clamping: fields.length)))
        }
        frame += 1
        time &+= Int64(fields.delta)
        let place = input.place(headerLength, Int(fields.length) - 1)
        let missing = missing(fields, input.bytes(at: place))
        defer { input.consume(length) }
        header = RecordHeader(
            frame: frame, offset: input.offset, time: Timestamp(microsecondsSince1970: time),
            head: PacketHead(snooz: fields.type), place: place, missing: missing, lost: 0)
        return true
    }

    /// Version 1 lacks the packet's length before Android cut it, but the packet has it.
    private func missing(_ fields: Fields, _ packet: borrowing Bytes) -> UInt32 {
        guard version == 1, case .packet(let type) = PacketHead(snooz: fields.type).content else {
            return UInt32(fields.original - fields.length)
        }
        return UInt32(max(0, (type.length(packet) ?? packet.count) - packet.count))
    }

    /// Whether a record seems to begin at the first octet.
    func isStart(_ bytes: borrowing Bytes, isSearching: Bool) -> Verdict {
        guard bytes.count >= headerLength else { return .needs(headerLength) }
        let fields = Fields(bytes, version)
        guard fields.length > 0, fields.original >= fields.length, fields.delta < 3_600_000_000,
            case .packet(let type) = PacketHead(snooz: fields.type).content
        else { return .no }
        guard isSearching else { return .yes }
        guard let own = type.length(bytes.dropFirst(headerLength)) else {
            return .needs(headerLength + type.headerLength)
        }
        return version == 1 ? (own + 1 >= fields.length ? .yes : .no) : (own + 1 == fields.original ? .yes : .no)
    }

    /// A record header.
    private struct Fields {
        let length: UInt16
        let original: UInt16
        let delta: UInt32
        let type: UInt8

        init(_ bytes: borrowing Bytes, _ version: UInt8) {
            let rest = version == 1 ? 2 : 4
            length = bytes.uint16(at: 0)
            original = version == 1 ? length : bytes.uint16(at: 2)
            delta = bytes.uint32(at: rest)
            type = bytes[rest + 4]
        }
    }
}

extension PacketHead {
    /// The upper octet of the type of messages between host and controller in Android's stack.
    init(snooz type: UInt8) {
        switch type {
        case 0x10: self.init(.packet(.event), .rx)
        case 0x11: self.init(.packet(.acl), .rx)
        case 0x12: self.init(.packet(.synchronous), .rx)
        case 0x17: self.init(.packet(.isochronous), .rx)
        case 0x20: self.init(.packet(.command), .tx)
        case 0x21: self.init(.packet(.acl), .tx)
        case 0x22: self.init(.packet(.synchronous), .tx)
        case 0x2D: self.init(.packet(.isochronous), .tx)
        default: self.init(.unknownPacket(type: type), .unknown)
        }
    }
}
