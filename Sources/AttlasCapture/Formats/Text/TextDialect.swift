import AttlasWire

/// A way to write packets as text.
enum TextDialect: String {
    case hcidump = "hcidump --raw"
    case btstack = "BTstack"
    case arduino = "ArduinoBLE"
    case nimble = "NimBLE"
    case espressif = "ESP-IDF"
    case noble
    case bumble = "Bumble"
    case dump = "hex dump"
    case wireshark = "Wireshark"
    case packetLogger = "PacketLogger"
    /// Those without the octets.
    case btmon = "btmon, rebuilt"
    case hcidumpWords = "hcidump, rebuilt"

    var isRebuilt: Bool { self == .btmon || self == .hcidumpWords }
}

/// The information in a packet's first line, without its octets. A new dialect is a case above and a function in `init(_:)`.
struct TextPacketStart {
    let dialect: TextDialect
    var direction = Direction.unknown
    /// Octets that precede the printed ones: the H4 indicator, and in some dialects more.
    var head: [UInt8] = []
    /// Where the octets begin in the line.
    let octets: Int
    /// Where the part before the packet ends: the place of a time.
    let prefix: Int

    init(
        _ dialect: TextDialect, _ direction: Direction, head: [UInt8] = [], octets: Int, prefix: Int
    ) {
        self.dialect = dialect
        self.direction = direction
        self.head = head
        self.octets = octets
        self.prefix = prefix
    }

    /// nil if the line has none of the marks that programs print before a packet.
    init?(_ line: borrowing Bytes) {
        guard
            let start = Self.arrow(line) ?? Self.espressif(line) ?? Self.nimble(line) ?? Self.noble(line)
                ?? Self.bumble(line) ?? Self.packetLogger(line)
        else {
            return nil
        }
        self = start
    }

    /// Those with an arrow: all but NimBLE, noble and ESP-IDF.
    private static func arrow(_ line: borrowing Bytes) -> TextPacketStart? {
        for index in 0..<line.count {
            let isLeft = line[index] == UInt8(ascii: "<")
            guard isLeft || line[index] == UInt8(ascii: ">") else { continue }
            if let start = btstack(line, index, isLeft) ?? arduino(line, index, isLeft) ?? hcidump(line, index, isLeft)
            {
                return start
            }
        }
        return nil
    }

    /// "[00:00:02.130] ACL <= 40 20 08 00 …", "CMD => 03 0C 00": the arrow points to the controller for sent packets.
    private static func btstack(_ line: borrowing Bytes, _ index: Int, _ isLeft: Bool) -> TextPacketStart? {
        let arrow = isLeft ? index : index - 1
        guard arrow >= 4, isLeft ? line.contains("<= ", at: arrow) : line.contains("=> ", at: arrow) else { return nil }
        for (name, type) in typeNames where line.contains(name, at: arrow - 4) {
            return TextPacketStart(
                .btstack, isLeft ? .rx : .tx, head: [type.rawValue], octets: arrow + 3, prefix: arrow - 4)
        }
        return nil
    }

    private static let typeNames: [(StaticString, HCIPacketType)] = [
        ("CMD ", .command), ("EVT ", .event), ("ACL ", .acl), ("SCO ", .synchronous), ("ISO ", .isochronous),
    ]

    /// "HCI ACLDATA TX -> 02000005000100040013", "HCI EVENT RX <- 040E…": with the H4 indicator.
    private static func arduino(_ line: borrowing Bytes, _ index: Int, _ isLeft: Bool) -> TextPacketStart? {
        let mark = isLeft ? index - 3 : index - 4
        guard isLeft ? line.contains("RX <- ", at: mark) : line.contains("TX -> ", at: mark) else { return nil }
        // The name of the packet's type is one word.
        var word = mark - 1
        while word > 0, line[word - 1] != UInt8(ascii: " ") { word -= 1 }
        guard line.contains("HCI ", at: word - 4) else { return nil }
        return TextPacketStart(.arduino, isLeft ? .rx : .tx, octets: mark + 6, prefix: word - 4)
    }

    /// "2026-11-21 09:55:20.370164 > 04 0E 04 01 03 0C 00": with the H4 indicator, and nothing but octets.
    private static func hcidump(_ line: borrowing Bytes, _ index: Int, _ isLeft: Bool) -> TextPacketStart? {
        guard index + 4 <= line.count, line[index + 1] == UInt8(ascii: " "),
            let type = line.octet(at: index + 2), type < 0x10,
            index + 4 == line.count || line[index + 4] == UInt8(ascii: " ")
        else { return nil }
        guard line.endOfBlanks(from: 0) == index || line[index - 1] == UInt8(ascii: " ") else { return nil }
        return TextPacketStart(.hcidump, isLeft ? .tx : .rx, octets: index + 2, prefix: index)
    }

    /// "c5 E:0e 04 05 0c 20 00": a counter, a letter for type and direction, and after an option of it eight octets of time.
    private static func espressif(_ line: borrowing Bytes) -> TextPacketStart? {
        let counter = line.endOfBlanks(from: 0)
        var index = counter
        while index < line.count, index - counter < 8, line[index].hexadecimalValue != nil { index += 1 }
        guard index > counter, index + 5 <= line.count, line[index] == UInt8(ascii: " "),
            line[index + 2] == UInt8(ascii: ":"), line.octet(at: index + 3) != nil
        else { return nil }
        let (type, direction): (HCIPacketType, Direction)
        switch line[index + 1] {
        case UInt8(ascii: "C"): (type, direction) = (.command, .tx)
        case UInt8(ascii: "E"): (type, direction) = (.event, .rx)
        case UInt8(ascii: "H"): (type, direction) = (.acl, .tx)
        case UInt8(ascii: "D"): (type, direction) = (.acl, .rx)
        default: return nil
        }
        return TextPacketStart(
            .espressif, direction, head: [type.rawValue], octets: index + 3, prefix: counter)
    }

    /// "hci onSocketData: 040e0401030c00 +1ms", "hci write acl data pkt - writing: 0248000700…": with the H4 indicator.
    private static func noble(_ line: borrowing Bytes) -> TextPacketStart? {
        guard let name = line.offset(of: "hci ") else { return nil }
        let rest = line.dropFirst(name + 4)
        if rest.starts(with: "onSocketData: ") {
            return TextPacketStart(.noble, .rx, octets: name + 18, prefix: name)
        }
        return rest.offset(of: " - writing: ").map {
            TextPacketStart(.noble, .tx, octets: name + 4 + $0 + 12, prefix: name)
        }
    }

    /// "### HOST -> CONTROLLER: ACL: handle=0x0010, pb=0, bc=0, data_total_length=11, data=0700…": the header of the packet is in words.
    private static func bumble(_ line: borrowing Bytes) -> TextPacketStart? {
        guard
            let name = line.offset(of: "### HOST -> CONTROLLER: ACL: ")
                ?? line.offset(of: "### CONTROLLER -> HOST: ACL: "),
            let handle = line.value(after: "handle=0x", radix: 16), let boundary = line.value(after: "pb=", radix: 10),
            let broadcast = line.value(after: "bc=", radix: 10),
            let length = line.value(after: "data_total_length=", radix: 10), let data = line.offset(of: "data="),
            handle <= 0x0FFF, boundary <= 3, broadcast <= 3, length <= 0xFFFF
        else { return nil }
        let word = UInt16(handle | boundary << 12 | broadcast << 14)
        return TextPacketStart(
            .bumble, line.contains("### HOST", at: name) ? .tx : .rx,
            head: [HCIPacketType.acl.rawValue] + word.littleEndianOctets + UInt16(length).littleEndianOctets,
            octets: data + 5, prefix: name)
    }

    /// "Nov 21 09:55:20.743  ATT Send  0x0040  C4:64:E3:00:00:01  MTU Exchange Request  40 00 07 00 …": without the H4 indicator.
    private static func packetLogger(_ line: borrowing Bytes) -> TextPacketStart? {
        guard let sent = line.offset(of: " Send  ") ?? line.offset(of: " Receive  ") ?? line.offset(of: " HCI "),
            sent < 40, let mark = line.offset(of: " 0x"), mark > sent, mark < 64
        else { return nil }
        var end = line.count
        while end > 0, line[end - 1] == 0x20 { end -= 1 }
        // The octets are the last column.
        var start = end
        while start > mark + 7, line[start - 1] != 0x20 || line[start - 2] != 0x20 { start -= 1 }
        var octets: [UInt8] = []
        guard start > mark + 7, line.prefix(end).readHexWords(from: start, into: &octets) == end else { return nil }
        let isHCI = line.contains(" HCI ", at: sent)
        let isCommand = line.contains(" HCI Command ", at: sent)
        let type: HCIPacketType = !isHCI ? .acl : isCommand ? .command : .event
        guard type.length(Bytes(octets.span)) == octets.count else { return nil }
        let direction: Direction = isCommand || line.contains(" Send  ", at: sent) ? .tx : .rx
        return TextPacketStart(.packetLogger, direction, head: [type.rawValue], octets: start, prefix: sent)
    }

    /// "ble_hs_hci_acl_tx(): 0x00 0x00 0x0b …", "ble_hs_hci_cmd_send: ogf=0x08 ocf=0x0016 len=2" before a line of octets, and
    /// "… conn_handle=0 pb=2 len=11 data=0x07 …", where the header of the packet is in words.
    private static func nimble(_ line: borrowing Bytes) -> TextPacketStart? {
        if let start = nimbleEvent(line) { return start }
        guard let name = line.offset(of: "ble_hs_hci_") ?? line.offset(of: "host_hci_data_rx()") else { return nil }
        if line.contains("acl_tx(): ", at: name + 11) {
            return TextPacketStart(
                .nimble, .tx, head: [HCIPacketType.acl.rawValue], octets: name + 21, prefix: name)
        }
        if line.contains("cmd_send: ogf=", at: name + 11) {
            return TextPacketStart(
                .nimble, .tx, head: [HCIPacketType.command.rawValue], octets: line.count, prefix: name)
        }
        guard let handle = line.value(after: "handle=", radix: 10), let flags = line.value(after: "pb=", radix: 16),
            let length = line.value(after: "len=", radix: 10), let data = line.offset(of: "data="),
            handle <= 0x0FFF, flags <= 3, length <= 0xFFFF
        else { return nil }
        let word = handle | flags << 12
        return TextPacketStart(
            .nimble, .rx,
            head: [
                HCIPacketType.acl.rawValue, UInt8(word & 0xFF), UInt8(word >> 8), UInt8(length & 0xFF),
                UInt8(length >> 8),
            ], octets: data + 5, prefix: name)
    }

    /// "Disconnection Complete: status=0 handle=0 reason=8" and "LE connection complete. handle=0 role=1 paddrtype=1 addr=…": events with
    /// all of their fields.
    private static func nimbleEvent(_ line: borrowing Bytes) -> TextPacketStart? {
        guard let place = line.offset(of: "onnection ") else { return nil }
        func start(_ event: [UInt8]) -> TextPacketStart {
            let head = [HCIPacketType.event.rawValue, event[0], UInt8(event.count - 1)] + event.dropFirst()
            return TextPacketStart(.nimble, .rx, head: head, octets: line.count, prefix: max(0, place - 4))
        }
        func octets(_ name: StaticString) -> [UInt8]? {
            line.value(after: name, radix: 10).flatMap { UInt16(exactly: $0) }?.littleEndianOctets
        }
        if line.contains("Complete: status=", at: place + 10), let status = octets("status="),
            let handle = octets("handle="), let reason = octets("reason=")
        {
            return start([0x05, status[0]] + handle + [reason[0]])
        }
        guard line.contains("complete. handle=", at: place + 10), let handle = octets("handle="),
            let role = octets("role="), let type = octets("paddrtype="), let address = line.offset(of: " addr="),
            let peer = line.dropFirst(address + 6).address("."), let interval = octets("itvl="),
            let latency = octets("latency="), let timeout = octets("spvn_tmo="), let accuracy = octets("mca=")
        else { return nil }
        let head = [0x3E, 0x01, 0x00] + handle + [role[0], type[0]] + peer.address.littleEndianOctets.prefix(6)
        return start(head + interval + latency + timeout + [accuracy[0]])
    }
}

extension Bytes {
    /// The number after `name`.
    fileprivate func value(after name: StaticString, radix: Int) -> Int? {
        guard let place = offset(of: name) else { return nil }
        return number(at: place + name.utf8CodeUnitCount, radix: radix)
    }
}
