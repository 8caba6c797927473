import AttlasCapture
import AttlasWire

/// Records as the octets of a file: btsnoop of datalink 2001, or pcapng.
struct RecordEncoder {
    let isPCAPNG: Bool
    /// Whether the records are those of an app's log.
    var isOfApp = false
    /// What was encoded and not taken yet.
    private(set) var octets: [UInt8] = []
    /// Ends of the records in `octets`, and of what precedes the first.
    private var ends: [Int] = []
    /// Octets of a file before its first record.
    private(set) var headLength = 0
    /// Records that were lost: in all of the file for btsnoop, and since the last packet for pcapng.
    private var drops: UInt32 = 0
    /// pcapng: whether interface 1 was described, which has the packets from the air.
    private var hasAirInterface = false
    /// Whether the time of a record is outside the range of the format; the nearest one was taken.
    private(set) var hasMovedTime = false

    init(isPCAPNG: Bool) {
        self.isPCAPNG = isPCAPNG
    }

    /// The beginning of a file.
    mutating func begin() {
        drops = 0
        hasAirInterface = false
        if isPCAPNG { appendHead() } else { appendHeader() }
        ends.append(octets.count)
        headLength = octets.count
    }

    /// - Returns: false for a packet that the format cannot hold.
    mutating func append(_ record: borrowing Record) -> Bool {
        if case .air(let radio) = record.content {
            guard isPCAPNG else { return false }
            appendBlock(record, radio)
        }
        drops &+= record.lost
        if let opcode = record.monitorOpcode {
            if isPCAPNG { appendBlock(record, opcode) } else { appendRecord(record, opcode) }
        }
        ends.append(octets.count)
        return true
    }

    /// Octets of whole records within a limit.
    func whole(_ count: Int) -> Int { ends.last { $0 <= count } ?? 0 }

    mutating func removeAll() {
        octets.removeAll(keepingCapacity: true)
        ends.removeAll(keepingCapacity: true)
    }

    /// The time that the format can hold.
    private mutating func nearest<Time: FixedWidthInteger>(_ time: Int128) -> Time {
        if Time(exactly: time) == nil { hasMovedTime = true }
        return Time(clamping: time)
    }

    // MARK: btsnoop

    private mutating func appendHeader() {
        octets += Array("btsnoop\0".utf8)
        octets.append(bigEndian: 1 as UInt32)
        octets.append(bigEndian: LinkType.btsnoopMonitor.rawValue)
    }

    private mutating func appendRecord(_ record: borrowing Record, _ opcode: UInt16) {
        octets.append(bigEndian: UInt32(clamping: record.bytes.count + record.missing))
        octets.append(bigEndian: UInt32(clamping: record.bytes.count))
        octets.append(bigEndian: UInt32(record.controller) << 16 | UInt32(opcode))
        octets.append(bigEndian: drops)
        let microseconds =
            (Int128(record.time.seconds) - Int128(Timestamp.yearZero)) * 1_000_000
            + Int128(record.time.nanoseconds / 1_000)
        octets.append(bigEndian: nearest(microseconds) as Int64)
        record.bytes.append(to: &octets)
    }

    // MARK: pcapng

    private mutating func appendHead() {
        appendBlock(type: 0x0A0D_0D0A) { buffer in
            buffer += [0x4D, 0x3C, 0x2B, 0x1A, 1, 0, 0, 0] + [UInt8](repeating: 0xFF, count: 8)
        }
        appendInterface(.bluetoothLinuxMonitor)
    }

    private mutating func appendInterface(_ linkType: LinkType) {
        let type = UInt16(linkType.rawValue)
        // The resolution of its times: nanoseconds.
        appendBlock(type: 1) { buffer in
            buffer += [UInt8(truncatingIfNeeded: type), UInt8(type >> 8)]
            buffer += [0, 0, 0, 0, 0, 0, 9, 0, 1, 0, 9, 0, 0, 0, 0, 0, 0, 0]
        }
    }

    private mutating func appendBlock(_ record: borrowing Record, _ opcode: UInt16) {
        let head = [
            UInt8(record.controller >> 8), UInt8(truncatingIfNeeded: record.controller), UInt8(opcode >> 8),
            UInt8(truncatingIfNeeded: opcode),
        ]
        appendBlock(record, interface: 0, head)
    }

    private mutating func appendBlock(_ record: borrowing Record, _ radio: RadioInfo) {
        if !hasAirInterface {
            appendInterface(.bluetoothLELLWithPHDR)
            hasAirInterface = true
        }
        appendBlock(record, interface: 1, radio.pseudoHeader(record.direction))
    }

    private mutating func appendBlock(_ record: borrowing Record, interface: UInt32, _ head: [UInt8]) {
        let time: UInt64 = nearest(Int128(record.time.seconds) * 1_000_000_000 + Int128(record.time.nanoseconds))
        let captured = record.bytes.count + head.count
        var body: [UInt8] = []
        body.append(littleEndian: interface)
        body.append(littleEndian: UInt32(truncatingIfNeeded: time >> 32))
        body.append(littleEndian: UInt32(truncatingIfNeeded: time))
        body.append(littleEndian: UInt32(clamping: captured))
        body.append(littleEndian: UInt32(clamping: captured + record.missing))
        body += head
        record.bytes.append(to: &body)
        while !body.count.isMultiple(of: 4) { body.append(0) }
        let end = body.count
        for comment in record.comments { body += PacketOptions.octets(comment: comment) }
        if record.isRebuilt {
            let comment =
                isOfApp
                ? "made by attlas from an app's log: the handles and connection events are attlas's own"
                : "rebuilt from a text by attlas"
            body += PacketOptions.octets(comment: comment)
        }
        if drops > 0 {
            // epb_dropcount: since the packet before.
            body += [4, 0, 8, 0]
            body.append(littleEndian: UInt64(drops))
            drops = 0
        }
        // The end of the options.
        if body.count > end { body += [0, 0, 0, 0] }
        appendBlock(type: 6) { $0 += body }
    }

    private mutating func appendBlock(type: UInt32, _ body: (inout [UInt8]) -> Void) {
        let start = octets.count
        octets.append(littleEndian: type)
        octets.append(littleEndian: 0 as UInt32)
        body(&octets)
        octets.append(littleEndian: UInt32(octets.count - start + 4))
        // The length precedes the contents, too.
        octets.replaceSubrange(start + 4..<start + 8, with: Array(octets.suffix(4)))
    }
}

extension Record {
    /// The opcode of the Linux monitor for what the record holds; nil for what was no packet. Linux, net/bluetooth/hci_mon.h.
    fileprivate var monitorOpcode: UInt16? {
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
}
