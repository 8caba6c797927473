import AttlasDissection
import AttlasWire

/// Messages with a header, a length or marks.
enum Frames {
    private static func number(_ message: ArraySlice<UInt8>, _ place: Int) -> Int {
        Int(message[message.startIndex + place]) << 8 | Int(message[message.startIndex + place + 1])
    }

    /// Address, function, data and CRC-16/MODBUS with the least significant octet first.
    static func isModbus(_ message: ArraySlice<UInt8>) -> Bool {
        guard 5...256 ~= message.count, 1...0x7F ~= message[message.startIndex + 1] & 0x7F else { return false }
        return modbus.holds(for: message)
    }

    private static let modbus = InferredCheck(
        algorithm: .crc(width: 16, polynomial: 0x8005, initial: 0xFFFF, isReflected: true, final: 0),
        name: nil,
        place: -2, width: 2, isBigEndian: false, start: 0, endsBefore: true)

    /// 55 AA, version, command, length of the data, data, sum of all before.
    static func isTuyaSerial(_ message: ArraySlice<UInt8>) -> Bool {
        guard message.count >= 7, number(message, 0) == 0x55AA, number(message, 4) + 7 == message.count else {
            return false
        }
        return message.dropLast().reduce(UInt8(0), &+) == message[message.endIndex - 1]
    }

    /// Joined numbered parts: the length of the rest, the version in a high nibble; a security flag, an initialization vector and blocks.
    static func isTuya(_ message: ArraySlice<UInt8>) -> Bool {
        guard message.count >= 4 else { return false }
        let (first, second) = (message[message.startIndex], message[message.startIndex + 1])
        let length = first < 0x80 ? Int(first) : Int(first & 0x7F) | Int(second) << 7
        let rest = message.dropFirst(first < 0x80 ? 1 : 2)
        guard 2...5 ~= rest[rest.startIndex] >> 4, rest[rest.startIndex] & 0xF == 0 else { return false }
        return length == rest.count - 1 && length >= 33 && (length - 17) % 16 == 0
    }

    /// Operation, flags, length, group, sequence and command, then a map of CBOR (mcumgr).
    static func isSMP(_ message: ArraySlice<UInt8>) -> Bool {
        guard message.count >= 9, message[message.startIndex] & 0xE4 == 0, number(message, 2) + 8 == message.count
        else { return false }
        return ObjectReader.structure(message.dropFirst(8)) { $0.readCBOR() } != nil || number(message, 2) == 1
    }

    /// Version 1, a token, options in ascending order, and after FF a payload (RFC 7252).
    static func coapStructure(_ message: ArraySlice<UInt8>) -> [UInt8]? {
        guard message.count >= 4, message[message.startIndex] >> 6 == 1 else { return nil }
        let token = Int(message[message.startIndex] & 0xF)
        let code = message[message.startIndex + 1]
        guard token <= 8, message.count >= 4 + token, [0, 2, 4, 5].contains(code >> 5), code & 0x1F < 16 else {
            return nil
        }
        var rest = message.dropFirst(4 + token)
        // Identifier and token differ in each message.
        var structure = [
            message[message.startIndex], code, message[message.startIndex + 2], message[message.startIndex + 3],
        ]
        func extended(_ nibble: UInt8) -> Int? {
            switch nibble {
            case 0...12: return Int(nibble)
            case 13: return rest.popFirst().map { Int($0) + 13 }
            case 14:
                guard let high = rest.popFirst(), let low = rest.popFirst() else { return nil }
                return Int(high) << 8 + Int(low) + 269
            default: return nil
            }
        }
        while let octet = rest.popFirst() {
            structure.append(octet)
            if octet == 0xFF { return rest.isEmpty ? nil : structure }
            guard extended(octet >> 4) != nil, let length = extended(octet & 0xF), length <= rest.count else {
                return nil
            }
            rest = rest.dropFirst(length)
        }
        return structure
    }

    /// C0 at the end and perhaps at the start, DB only before DC and DD (RFC 1055).
    static func isSLIP(_ message: ArraySlice<UInt8>) -> Bool {
        guard message.count >= 4, message.last == 0xC0 else { return false }
        var inner = message.dropLast()
        if inner.first == 0xC0 { inner.removeFirst() }
        var isEscaped = false
        for octet in inner {
            if octet == 0xC0 || isEscaped && octet != 0xDC && octet != 0xDD { return false }
            isEscaped = octet == 0xDB
        }
        return !isEscaped
    }

    /// 0 only at the end, and before each part the distance to the next.
    static func cobsStructure(_ message: ArraySlice<UInt8>) -> [UInt8]? {
        guard message.count >= 4, message.last == 0, !message.dropLast().contains(0) else { return nil }
        var place = message.startIndex
        var structure: [UInt8] = []
        while place < message.endIndex - 1 {
            structure.append(message[place])
            place += Int(message[place])
        }
        return place == message.endIndex - 1 && structure.count > 1 ? structure : nil
    }

    /// Records that fill the message, each with a type and its length.
    static func records(_ message: ArraySlice<UInt8>, lengthAt offset: Int, plus: Int) -> [UInt8]? {
        var place = message.startIndex
        var structure: [UInt8] = []
        while place < message.endIndex {
            guard place + 2 <= message.endIndex else { return nil }
            let length = Int(message[place + offset])
            guard length > 0, place + length + plus <= message.endIndex else { return nil }
            structure += message[place..<place + 2]
            place += length + plus
        }
        return structure.count > 2 ? structure : nil
    }
}
