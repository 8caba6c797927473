import AttlasWire

/// How the octets of a packet in a text are framed.
enum TextFraming: Equatable {
    /// Their first octet is the H4 indicator.
    case h4
    /// No indicator, but the Linux monitor's opcode.
    case monitor(UInt16)
    /// No indicator: packets of this type.
    case bare(HCIPacketType)
    /// Their first octet is PacketLogger's type.
    case packetLogger
    case air(PacketFraming)
}

/// The facts about a packet in the lines around its octets: the prefix of a log, the marks of text2pcap, Wireshark's details.
struct PacketContext {
    var time: Timestamp?
    var direction = Direction.unknown
    var controller: UInt16 = 0
    /// Octets of the whole packet, which may have been cut.
    var length: Int?
    private var protocols: Protocols?
    private var monitorOpcode: UInt16?
    /// Whether the dump that follows is of a reassembled frame, and not of a packet.
    var isReassembled = false
    /// Whether Wireshark's details of the packet come before its dump: they have hexadecimal numbers, too.
    private(set) var isDetailed = false
    /// Whether the last line began it.
    private(set) var hasBegun = false

    private enum Protocols {
        case h4, monitor, packetLogger
        case bare(HCIPacketType)
        case air(PacketFraming)
    }

    var framing: TextFraming? {
        switch protocols {
        case .h4: .h4
        case .monitor: .monitor(monitorOpcode ?? 12)
        case .packetLogger: .packetLogger
        case .bare(let type): .bare(type)
        case .air(let framing): .air(framing)
        case nil: nil
        }
    }

    var isEmpty: Bool { time == nil && direction == .unknown && protocols == nil }

    /// Reads a line that has no octets of a packet, or the part before these.
    mutating func take(_ text: TextLine, end: Int = .max, _ clock: inout TextClock) {
        let line = text.bytes.prefix(min(end, text.bytes.count))
        hasBegun = false
        guard line.endOfBlanks(from: 0) < line.count else {
            isReassembled = false
            return
        }
        if line.starts(with: "Frame "), let end = line.offset(of: " bytes on wire") {
            self = PacketContext()
            var start = end
            while start > 0, line[start - 1].isDigit { start -= 1 }
            length = line.number(at: start, radix: 10)
            (hasBegun, isDetailed) = (true, true)
        } else if line.starts(with: "Frame ("), line.offset(of: " bytes):") != nil {
            isReassembled = false
        } else if line[line.count - 1] == UInt8(ascii: ":"), line.offset(of: " bytes):") != nil {
            isReassembled = true
        } else if !takeDetail(line) {
            takeMarks(line, &clock)
        }
    }

    private mutating func takeMarks(_ line: borrowing Bytes, _ clock: inout TextClock) {
        guard protocols == nil else { return }
        if let time = TextTime(line, end: line.count) {
            // Wireshark's details have the same moment twice.
            guard line.offset(of: "Arrival Time: ") == nil || self.time == nil else { return }
            self.time = clock.moment(time)
            direction = line.mark
            hasBegun = true
        } else if line.mark != .unknown {
            hasBegun = direction == .unknown && time == nil
            direction = line.mark
        }
    }

    /// A detail of Wireshark in words, or with its name in JSON or PDML.
    ///
    /// - Returns: whether it was one.
    mutating func takeDetail(_ line: borrowing Bytes) -> Bool {
        if let place = line.end(of: "Epoch Time: ", or: "Epoch Arrival Time: ") {
            time = Timestamp(epoch: line.dropFirst(place))
        } else if let place = line.offset(of: "[Protocols in frame: ") {
            take(protocols: line.dropFirst(place + 21))
        } else if line.offset(of: "Point-to-Point Direction: ") != nil || line.offset(of: "[Direction: ") != nil {
            direction = line.offset(of: "Sent") != nil ? .tx : .rx
        } else if line.offset(of: "[Opcode: ") != nil, line.count > 3 {
            var start = line.count
            while start > 0, line[start - 1] != UInt8(ascii: "(") { start -= 1 }
            monitorOpcode = line.number(at: start, radix: 10).map { UInt16(clamping: $0) }
        } else if let place = line.offset(of: "[Adapter ID: ") {
            controller = UInt16(clamping: line.number(at: place + 13, radix: 10) ?? 0)
        } else {
            return false
        }
        return true
    }

    /// The same for a line of JSON or PDML, which may have them all.
    mutating func takeMembers(_ line: borrowing Bytes) {
        if let place = line.member("time_epoch\"") {
            let value = line.dropFirst(place)
            time = Timestamp(epoch: value) ?? TextTime(value, end: 40).map { Timestamp($0) }
        }
        // Raw JSON has the layers, but not their fields.
        if line.offset(of: "_raw\": [") != nil {
            if line.offset(of: "\"hci_h4_raw\"") != nil { protocols = .h4 }
            if line.offset(of: "\"hci_mon_raw\"") != nil { protocols = protocols ?? .monitor }
            if case .monitor? = protocols, monitorOpcode == nil { take(layer: line) }
        }
        if let place = line.member("protocols\"") { take(protocols: line.dropFirst(place)) }
        if let place = line.member("p2p_dir\"") {
            direction = line.number(at: place, radix: 10) == 0 ? .tx : .rx
        }
        if let place = line.member("frame.len\"") ?? line.member("frame_len\"") {
            length = line.number(at: place, radix: 10)
        }
        // A packet of a control channel has another opcode inside.
        if monitorOpcode == nil, let place = line.member("hci_mon.opcode\"") ?? line.member("hci_mon_opcode\"") {
            monitorOpcode = line.number(at: place, radix: 10).map { UInt16(clamping: $0) }
        }
        if let place = line.member("adapter_id\"") {
            controller = UInt16(clamping: line.number(at: place, radix: 10) ?? 0)
        }
    }

    private mutating func take(protocols: borrowing Bytes) {
        for (name, known) in Self.stacks where protocols.starts(with: name) {
            self.protocols = known
            return
        }
        take(layer: protocols)
    }

    private mutating func take(layer: borrowing Bytes) {
        for (name, type) in Self.layers where layer.offset(of: name) != nil {
            protocols = .bare(type)
            return
        }
    }

    /// How Wireshark's list of protocols begins.
    private static let stacks: [(StaticString, Protocols)] = [
        ("bluetooth:hci_h4", .h4), ("bluetooth:hci_mon", .monitor), ("packetlogger", .packetLogger),
        ("bluetooth:packetlogger", .packetLogger), ("btle_rf", .air(.linkLayerWithPHDR)), ("btle", .air(.linkLayer)),
        ("nordic_ble", .air(.nordicSniffer)),
    ]
    private static let layers: [(StaticString, HCIPacketType)] = [
        ("bthci_cmd", .command), ("bthci_evt", .event), ("bthci_acl", .acl),
    ]
}

extension Bytes {
    func end(of first: StaticString, or second: StaticString) -> Int? {
        offset(of: first).map { $0 + first.utf8CodeUnitCount }
            ?? offset(of: second).map { $0 + second.utf8CodeUnitCount }
    }

    /// Where the value of a member begins, which is a text: `"name": "value"`, `name="name" … show="value"`.
    ///
    /// - Parameter name: Its end, with the closing quotation mark.
    func member(_ name: StaticString) -> Int? {
        guard let place = offset(of: name), place > 0, case let before = self[place - 1],
            [UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "\"")].contains(before)
        else { return nil }
        var index = place + name.utf8CodeUnitCount
        if index < count, self[index] == UInt8(ascii: ":") {
            index = endOfBlanks(from: index + 1)
            // Several of this name are an array in JSON on one line.
            if index < count, self[index] == UInt8(ascii: "[") { index += 1 }
            return index < count && self[index] == UInt8(ascii: "\"") ? index + 1 : nil
        }
        return dropFirst(index).offset(of: " show=\"").map { index + $0 + 7 }
    }

    /// "rx" or "tx" at the end of a line, text2pcap's letter alone on it.
    fileprivate var mark: Direction {
        var end = count
        while end > 0, self[end - 1] == 0x20 || self[end - 1] == 0x09 || self[end - 1] == UInt8(ascii: ":") { end -= 1 }
        guard end > 0 else { return .unknown }
        if end == 1 || endOfBlanks(from: 0) == end - 1 {
            if self[end - 1] == UInt8(ascii: "I") { return .rx }
            if self[end - 1] == UInt8(ascii: "O") { return .tx }
        }
        guard end >= 2, end == 2 || !self[end - 3].isLetterOrDigit, self[end - 1] | 0x20 == UInt8(ascii: "x") else {
            // With a time: "O 09:55:20.631".
            guard count > 2, self[1] == 0x20 else { return .unknown }
            return self[0] == UInt8(ascii: "I") ? .rx : self[0] == UInt8(ascii: "O") ? .tx : .unknown
        }
        switch self[end - 2] | 0x20 {
        case UInt8(ascii: "r"): return .rx
        case UInt8(ascii: "t"): return .tx
        default: return .unknown
        }
    }
}
