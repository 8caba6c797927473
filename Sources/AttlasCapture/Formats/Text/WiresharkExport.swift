import AttlasWire

/// A packet in one of Wireshark's exports that have its octets: JSON with `frame_raw` on lines or in one line, and PDML.
struct WiresharkExport {
    private enum Form { case json, pdml }

    private var form: Form?
    private var isNext = false
    private(set) var octets: [UInt8] = []
    /// For PDML: whether each octet is known, and the octets of a frame from several packets.
    private var isKnown: [Bool] = []
    private var frame: [UInt8] = []
    private var frameKnown: [Bool] = []
    private var isOfFrame = false

    enum Line { case none, begin, part, last }

    mutating func reset() { self = WiresharkExport() }

    /// Takes a line and returns its role in the packet. One-line PDML and JSON also give its octets.
    mutating func take(_ text: TextLine, _ context: inout PacketContext) -> Line {
        let line = text.bytes
        let start = line.endOfBlanks(from: 0)
        guard start < line.count else { return form == nil ? .none : .part }
        switch line[start] {
        case UInt8(ascii: "{") where line.contains("{\"timestamp\":", at: start):
            guard let place = line.member("frame_raw\"") else { return .none }
            guard form == nil else { return .begin }
            context = PacketContext()
            _ = line.dropFirst(place).readHexDigits(into: &octets)
            context.takeMembers(line)
            return octets.isEmpty ? .none : .last
        case UInt8(ascii: "\""):
            if line.contains("\"_index\":", at: start), form != nil { return .begin }
            if line.contains("\"frame_raw\":", at: start) {
                guard form == nil else { return .begin }
                context = PacketContext()
                (form, isNext) = (.json, true)
                return .begin
            }
            guard form == .json else { return .none }
            if isNext {
                isNext = false
                _ = line.dropFirst(start + 1).readHexDigits(into: &octets)
            } else {
                context.takeMembers(line)
            }
            return .part
        case UInt8(ascii: "<"):
            if line.contains("<packet>", at: start) {
                guard form == nil else { return .begin }
                context = PacketContext()
                form = .pdml
                return .begin
            }
            guard form == .pdml else { return .none }
            if line.contains("</packet>", at: start) {
                endPDML(&context)
                return .last
            }
            takePDML(line.dropFirst(start), &context)
            return .part
        default: return form == nil ? .none : .part
        }
    }

    // MARK: PDML

    private mutating func takePDML(_ line: borrowing Bytes, _ context: inout PacketContext) {
        if line.starts(with: "<proto ") {
            // Positions in a frame of several packets begin again.
            isOfFrame = (line.number(after: " pos=\"") ?? 0) < 4 && line.contains("name=\"btl2cap\"", at: 7)
            if line.contains("name=\"btl2cap\"", at: 7), isOfFrame, frame.isEmpty,
                let size = line.number(after: " size=\""), size <= 0xFFFF
            {
                frame = [UInt8](repeating: 0, count: size)
                frameKnown = [Bool](repeating: false, count: size)
            }
            isOfFrame = !frame.isEmpty
        } else if line.contains("name=\"caplen\"", at: 7) {
            let length = min(line.number(after: " show=\"") ?? 0, Int(packetLimit))
            octets = [UInt8](repeating: 0, count: length)
            isKnown = [Bool](repeating: false, count: length)
        } else if line.contains("name=\"frame.", at: 7) || line.contains("name=\"hci_mon.", at: 7) {
            context.takeMembers(line)
        } else if let size = line.number(after: " size=\""), size > 0, let place = line.number(after: " pos=\"") {
            var value: [UInt8] = []
            guard let start = line.end(of: " unmaskedvalue=\"", or: " value=\""),
                line.dropFirst(start).readHexDigits(into: &value), value.count == size
            else { return }
            if isOfFrame {
                Self.put(value, at: place, in: &frame, &frameKnown)
            } else {
                Self.put(value, at: place, in: &octets, &isKnown)
            }
        }
    }

    private static func put(_ value: [UInt8], at place: Int, in octets: inout [UInt8], _ isKnown: inout [Bool]) {
        guard place + value.count <= octets.count else { return }
        for index in value.indices where !isKnown[place + index] {
            octets[place + index] = value[index]
            isKnown[place + index] = true
        }
    }

    /// Whether the packet is a first fragment, whose octets come with the last one.
    private(set) var isFragment = false

    private mutating func endPDML(_ context: inout PacketContext) {
        context.length = context.length ?? octets.count
        let known = isKnown.firstIndex(of: false) ?? isKnown.count
        if !frame.isEmpty {
            // The last fragment: the packet is that of the whole frame. Vol 4, Part E, 5.4.2.
            let header = context.framing == .h4 ? 1 : 0
            let whole = frameKnown.firstIndex(of: false) ?? frame.count
            guard octets.count > header + 3, frame.count <= 0xFFFF else { return }
            let handle = UInt16(octets[header]) | UInt16(octets[header + 1] & 0x0F) << 8
            let flags: UInt16 = context.direction == .rx || context.framing == .monitor(5) ? 0x2000 : 0
            octets =
                octets.prefix(header)
                + [handle | flags, UInt16(frame.count)].flatMap(\.littleEndianOctets) + frame.prefix(whole)
            context.length = header + 4 + frame.count
        } else if known < octets.count {
            octets.removeSubrange(known...)
            isFragment = context.framing == .h4 ? known == 5 : known == 4
        }
    }
}

extension Bytes {
    /// Pairs of digits up to a quotation mark; false, and nothing appended, if there is anything else.
    func readHexDigits(into octets: inout [UInt8]) -> Bool {
        let before = octets.count
        var index = 0
        while let octet = octet(at: index) {
            octets.append(octet)
            index += 2
        }
        if index < count, self[index] == UInt8(ascii: "\"") { return index > 0 }
        octets.removeSubrange(before...)
        return false
    }
}
