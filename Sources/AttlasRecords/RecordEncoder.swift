import AttlasCapture
import AttlasWire

/// Records as the octets of a file.
struct RecordEncoder {
    /// The outcome of a record.
    enum Outcome: Equatable {
        case written, leftOut
        /// The rest of the capture cannot be in the file.
        case refused(String, advice: String)
    }

    let format: RecordFormat
    /// The capture that the records are from; nil for a recording.
    let about: CaptureInfo?
    /// Encoded octets that were not taken yet.
    var octets: [UInt8] = []
    /// Octets before the packet of a record in its format.
    var head: [UInt8] = []
    /// Ends of the records in `octets`, and of the part before the first.
    private var ends: [Int] = []
    /// Octets of a file before its first record.
    private(set) var headLength = 0
    /// Records that were lost: in all of the file for btsnoop, and since the last packet for pcapng.
    var drops: UInt32 = 0
    /// pcapng: the interfaces that were described.
    var interfaces: [WrittenInterface] = []
    /// pcap: the fields of its header.
    var pcap: (linkType: LinkType, isNanoseconds: Bool)?
    /// Controller of the packets, in a format without adapter numbers.
    private var controller: UInt16?
    /// Whether the time of a record is outside the range of the format; the nearest one was taken.
    private(set) var hasMovedTime = false
    /// Whether a time was rounded down.
    private(set) var hasRoundedTime = false
    /// The second of the last record, and its text.
    private var second: (seconds: Int64, text: [UInt8])?

    init(_ format: RecordFormat, about: CaptureInfo? = nil) {
        self.format = format
        self.about = about
    }

    /// The beginning of a file.
    mutating func begin() {
        drops = 0
        interfaces = []
        pcap = nil
        switch format {
        case .btsnoop: appendHeader(.btsnoopMonitor)
        case .btsnoopH4: appendHeader(.h4)
        case .btsnoopH1: appendHeader(.h1)
        case .pcapng: appendSection()
        // The first record shows the link type.
        case .pcap, .pcapMonitor, .packetLogger, .text: break
        }
        ends.append(octets.count)
        headLength = octets.count
    }

    /// - Parameters:
    ///   - source: The interface that it is from and those before it; nil for a recording.
    ///   - comments: Options of pcapng, which are added to its own.
    mutating func append(
        _ record: borrowing Record, of source: [CaptureInterface]?, comments: [UInt8] = []
    ) -> Outcome {
        let content = record.content
        drops &+= record.lost
        guard format.holds(content) else {
            guard case .air = content else { return .leftOut }
            return .refused(
                "\(format.name) cannot hold packets from the air", advice: "Use pcapng.")
        }
        // A block without a packet is of no interface.
        if case .broken = content, record.framedBytes.isEmpty { return .leftOut }
        if let source, !source.indices.contains(record.interface) { return .leftOut }
        if let refusal = refuseAdapter(of: record) { return refusal }
        let outcome: Outcome
        switch format {
        case .pcapng: outcome = appendPacket(record, of: source, comments)
        case .pcap, .pcapMonitor: outcome = appendPCAP(record, source?[record.interface].linkType)
        case .packetLogger: outcome = appendPacketLogger(record)
        case .btsnoop, .btsnoopH4, .btsnoopH1: outcome = appendBTSnoop(record)
        case .text: outcome = appendText(record)
        }
        ends.append(octets.count)
        return outcome
    }

    /// Octets of whole records within a limit.
    func whole(_ count: Int) -> Int { ends.last { $0 <= count } ?? 0 }

    mutating func removeAll() {
        octets.removeAll(keepingCapacity: true)
        ends.removeAll(keepingCapacity: true)
    }

    private mutating func refuseAdapter(of record: borrowing Record) -> Outcome? {
        guard !format.hasAdapters, record.radio == nil else { return nil }
        guard let controller else {
            controller = record.controller
            return nil
        }
        guard controller != record.controller else { return nil }
        return .refused(
            "\(format.rawValue) cannot hold packets of several controllers",
            advice: "Use pcapng, btsnoop or pcap-254.")
    }

    // MARK: Parts that formats share

    /// The time in units of 1/`ticks` s, which the format can hold.
    mutating func nearest<Time: FixedWidthInteger>(
        _ time: Timestamp, ticks: UInt32, since start: Int64 = 0
    ) -> Time {
        let (fraction, rest) = time.nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000 / ticks)
        if rest != 0 { hasRoundedTime = true }
        let count = (Int128(time.seconds) - Int128(start)) * Int128(ticks) + Int128(fraction)
        guard let time = Time(exactly: count) else {
            hasMovedTime = true
            return Time(clamping: count)
        }
        return time
    }

    /// The time in seconds of 32 bits, and units of 1/`ticks` s.
    mutating func parts(of time: Timestamp, ticks: UInt32) -> (seconds: UInt32, fraction: UInt32) {
        let (seconds, fraction) = (nearest(time, ticks: ticks) as UInt64).quotientAndRemainder(
            dividingBy: UInt64(ticks))
        if seconds > UInt32.max { hasMovedTime = true }
        return (UInt32(clamping: seconds), UInt32(fraction))
    }

    // MARK: btsnoop

    private mutating func appendHeader(_ linkType: LinkType) {
        octets += Array("btsnoop\0".utf8)
        octets.append(bigEndian: 1 as UInt32)
        octets.append(bigEndian: linkType.rawValue)
    }

    private mutating func appendBTSnoop(_ record: borrowing Record) -> Outcome {
        head.removeAll(keepingCapacity: true)
        let flags: UInt32
        if format == .btsnoop {
            guard let opcode = record.monitorOpcode else { return .leftOut }
            flags = UInt32(record.controller) << 16 | UInt32(opcode)
        } else {
            guard let type = record.h4Type else { return .leftOut }
            if format == .btsnoopH4 { head.append(type) }
            let isControl = type == HCIPacketType.command.rawValue || type == HCIPacketType.event.rawValue
            flags = (record.direction == .tx ? 0 : 1) | (isControl ? 2 : 0)
        }
        let captured = head.count + record.bytes.count
        let time = UInt64(bitPattern: nearest(record.time, ticks: 1_000_000, since: Timestamp.yearZero))
        octets.append(bigEndian: [
            UInt32(clamping: captured + record.missing), UInt32(clamping: captured), flags, drops,
            UInt32(truncatingIfNeeded: time >> 32), UInt32(truncatingIfNeeded: time),
        ])
        octets += head
        record.bytes.append(to: &octets)
        return .written
    }

    // MARK: PacketLogger

    private mutating func appendPacketLogger(_ record: borrowing Record) -> Outcome {
        guard let type = record.packetLoggerType else { return .leftOut }
        let (seconds, fraction) = parts(of: record.time, ticks: 1_000_000)
        octets.append(bigEndian: [UInt32(clamping: record.bytes.count + 9), seconds, fraction])
        octets.append(type)
        record.bytes.append(to: &octets)
        return .written
    }

    // MARK: Text

    /// `2026-11-21 09:55:20.370164 < 01 03 0C 00`: to the controller, with the H4 indicator.
    private mutating func appendText(_ record: borrowing Record) -> Outcome {
        guard let type = record.h4Type else { return .leftOut }
        if second?.seconds != record.time.seconds {
            let text = SystemCalls.utcTime(of: record.time.seconds, "%Y-%m-%d %H:%M:%S")
            second = (record.time.seconds, Array(text.utf8))
        }
        if let second { octets += second.text }
        let bytes = record.bytes
        octets.append(addingCapacity: 16 + 3 * bytes.count) { room in
            room.append(UInt8(ascii: "."))
            var unit: UInt32 = 100_000_000
            for _ in 0..<(record.time.precision <= 6 ? 6 : 9) {
                room.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: record.time.nanoseconds / unit % 10))
                unit /= 10
            }
            room.append(UInt8(ascii: " "))
            room.append(record.direction == .tx ? UInt8(ascii: "<") : UInt8(ascii: ">"))
            room.append(digitsOf: type)
            for index in 0..<bytes.count { room.append(digitsOf: bytes[index]) }
            room.append(UInt8(ascii: "\n"))
        }
        return .written
    }
}

extension OutputSpan<UInt8> {
    /// A blank and two digits.
    fileprivate mutating func append(digitsOf octet: UInt8) {
        append(UInt8(ascii: " "))
        append(Self.digit(octet >> 4))
        append(Self.digit(octet & 0xF))
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value + (value < 10 ? UInt8(ascii: "0") : UInt8(ascii: "A") - 10)
    }
}

extension Record {
    /// The H4 indicator; nil for non-HCI packets.
    var h4Type: UInt8? {
        switch content {
        case .packet(let type): type.rawValue
        case .unknownPacket(let type): type
        default: nil
        }
    }

    /// The opcode of the Linux monitor for the record's contents; nil for non-packets. Linux, net/bluetooth/hci_mon.h.
    var monitorOpcode: UInt16? {
        switch content {
        case .packet(let type):
            switch type {
            case .command: 2
            case .event: 3
            case .acl: direction == .tx ? 4 : 5
            case .synchronous: direction == .tx ? 6 : 7
            case .isochronous: direction == .tx ? 18 : 19
            }
        case .monitor(let opcode): opcode
        // Vendor diagnostics.
        case .unknownPacket: 11
        case .packetLogger, .air, .broken: nil
        }
    }

    /// The type of PacketLogger's record; nil if it has no type for it.
    fileprivate var packetLoggerType: UInt8? {
        switch content {
        case .packet(.command): 0
        case .packet(.event): 1
        case .packet(.acl): direction == .tx ? 2 : 3
        case .packet(.synchronous): direction == .tx ? 8 : 9
        case .packetLogger(let type): type.rawValue
        default: nil
        }
    }
}
