import AttlasWire

extension Bytes {
    func mentions(_ first: StaticString, or second: StaticString, _ third: StaticString) -> Bool {
        offset(of: first) != nil || offset(of: second) != nil || offset(of: third) != nil
    }

    /// A UUID of 36 characters or of four digits, also after "0x".
    var uuid: (octets: [UInt8], end: Int)? {
        if count >= 36, self[8] == UInt8(ascii: "-") {
            var octets: [UInt8] = []
            guard prefix(36).readHexWords(from: 0, into: &octets) == 36, octets.count == 16 else { return nil }
            octets.reverse()
            return BluetoothUUID(Bytes(octets.span)).map { ($0.shortest, 36) }
        }
        let start = starts(with: "0x") ? 2 : 0
        var short: [UInt8] = []
        for index in stride(from: start, to: start + 4, by: 2) {
            guard let octet = octet(at: index) else { return nil }
            short.append(octet)
        }
        guard start + 4 == count || !self[start + 4].isLetterOrDigit && self[start + 4] != UInt8(ascii: "-") else {
            return nil
        }
        return (short.reversed(), start + 4)
    }

    /// "AA:BB:CC:DD:EE:FF"; with octets that Android or the writer of an issue hides: "XX:XX:XX:XX:EE:FF", "AA:BB:CC:**:**:**"; as Samsung
    /// hides them: "AABBCC_F".
    var peer: AppPeer? {
        guard count >= 8, self[6] == UInt8(ascii: "_") else { return address(":") }
        var octets: [UInt8] = []
        guard prefix(6).readHexWords(from: 0, into: &octets) == 6, let last = self[7].hexadecimalValue,
            count == 8 || !self[8].isLetterOrDigit
        else { return nil }
        return AppPeer(address: octets.reduce(0) { $0 << 8 | UInt64($1) } << 24 | UInt64(last), hidden: 0xFFFFF0)
    }

    /// Six octets with a character between them.
    func address(_ separator: Unicode.Scalar) -> AppPeer? {
        guard count >= 17 else { return nil }
        var (address, hidden) = (UInt64(0), UInt64(0))
        for index in stride(from: 0, to: 17, by: 3) {
            guard index == 15 || self[index + 2] == UInt8(ascii: separator) else { return nil }
            (address, hidden) = (address << 8, hidden << 8)
            if contains("XX", at: index) || contains("xx", at: index) || contains("**", at: index) {
                hidden |= 0xFF
                continue
            }
            guard let octet = octet(at: index) else { return nil }
            address |= UInt64(octet)
        }
        return AppPeer(address: address, hidden: hidden)
    }

    /// Also the form that NimBLE prints.
    var writtenPeer: AppPeer? { peer ?? address(".") }

    /// The first address of a line.
    var firstPeer: AppPeer? {
        var isWordStart = true
        for index in 0..<max(0, count - 16) {
            if isWordStart, self[index + 2] == UInt8(ascii: ":"), let peer = dropFirst(index).peer { return peer }
            isWordStart = !self[index].isLetterOrDigit && self[index] != UInt8(ascii: ":")
        }
        return nil
    }

    /// The address right before `place`: "AA:BB:CC:DD:EE:FF ", "AA:BB:CC:DD:EE:FF: ", "[AA:BB:CC:DD:EE:FF] ", "(…): ".
    func peer(before place: Int) -> AppPeer? {
        var end = place
        while end > 0, place - end < 3, self[end - 1] == 0x20 || Self.peerEnds.contains(self[end - 1]) { end -= 1 }
        return end >= 17 && end < place ? slice(end - 17..<end).peer : nil
    }

    private static let peerEnds: [UInt8] = [":", "]", ")"].map { UInt8(ascii: $0) }

    /// The device of a line: "AA:BB:CC:DD:EE:FF", "remote_id: AA:…", "device=AA:…", "Device=AA:…", "device: AA:…", "MAC='AA:…",
    /// "\"deviceID\":\"AA:…", or a path of D-Bus.
    var namedPeer: AppPeer? {
        if let peer = peer ?? devicePath { return peer }
        for name in Self.peerNames {
            if let place = offset(of: name), let peer = dropFirst(place + name.utf8CodeUnitCount).peer { return peer }
        }
        return nil
    }

    private static let peerNames: [StaticString] = [
        "remote_id: ", "evice=", "evice: ", "for device ", "MAC='", "deviceID\":\"", "deviceID\": \"", "deviceId: ",
        "peripheral\":\"", "peripheral\": \"", "peripheral: '",
    ]

    /// "Belt (AA:BB:CC:DD:EE:FF)".
    var peerInParentheses: AppPeer? {
        guard count >= 19, self[count - 1] == UInt8(ascii: ")"), self[count - 19] == UInt8(ascii: "(") else {
            return nil
        }
        return dropFirst(count - 18).peer
    }

    /// "…/dev_AA_BB_CC_DD_EE_FF".
    var devicePath: AppPeer? { offset(of: "/dev_").flatMap { dropFirst($0 + 5).address("_") } }

    /// "…/service001d/char0039/desc003b".
    var descriptorPath: UInt16? {
        guard let place = offset(of: "/char"), contains("/desc", at: place + 9),
            let number = number(at: place + 14, radix: 16)
        else { return nil }
        return UInt16(exactly: number)
    }

    /// "…/service001d/char0039", and not a descriptor below it.
    var characteristicPath: UInt16? {
        guard let place = offset(of: "/char"), let number = number(at: place + 5, radix: 16), number <= 0xFFFF,
            !contains("/desc", at: place + 9)
        else { return nil }
        return UInt16(number)
    }

    /// After an attribute: "(0x) 00-31", "value=0x0102", "bytearray(b'\x16K')".
    var value: AppValue {
        // The address of a Python object is not a value.
        if offset(of: "<memory at ") != nil { return .unreadable }
        for (name, last) in Self.lists where starts(with: name) || contains(name, at: endOfBlanks(from: 0)) {
            let start = endOfBlanks(from: 0) + name.utf8CodeUnitCount - 1
            guard let end = dropFirst(start).offset(of: last) else { return .unreadable }
            return AppValue(CopiedValue.octets(String(decoding: slice(start..<start + end + 1).copy(), as: UTF8.self)))
        }
        if let place = offsetOfPythonLiteral { return AppValue(dropFirst(place).pythonLiteral?.octets) }
        if let place = offset(of: "(0x): ") { return AppValue(hexadecimal(from: place + 6)) }
        if let place = offset(of: "(0x)") { return AppValue(hexadecimal(from: endOfBlanks(from: place + 4))) }
        if offset(of: "value: 0 bytes") != nil { return .octets([]) }
        if let place = offset(of: ", value: ") {
            return contains("(null)", at: place + 9) ? .none : AppValue(hexadecimal(from: place + 9))
        }
        guard let place = offset(of: "0x") else { return .none }
        // Each octet may have it.
        var end = place + 2
        while end < count, self[end].hexadecimalValue != nil { end += 1 }
        let isList = end - place <= 4 && dropFirst(end).prefix(4).offset(of: "0x") != nil
        return AppValue(isList ? value(from: place).octets : hexadecimal(from: place + 2))
    }

    /// Lists of decimal numbers in Python.
    private static let lists: [(StaticString, StaticString)] = [("array('B', [", "]"), ("[", "]")]

    /// Pairs of digits, with a hyphen, a colon or a blank between them; nil if anything but the end of a word follows.
    func hexadecimal(from start: Int) -> [UInt8]? {
        var octets: [UInt8] = []
        var index = start
        while let octet = octet(at: index) {
            octets.append(octet)
            index += 2
            if index < count, [0x20, UInt8(ascii: "-"), UInt8(ascii: ":")].contains(self[index]) { index += 1 }
        }
        // Digits of other scripts are not ASCII.
        let isEnd =
            index >= count || !self[index].isLetterOrDigit && self[index] < 0x80 && self[index] != UInt8(ascii: "-")
            || index > start && self[index - 1] == 0x20
        return isEnd ? octets : nil
    }

    /// Where octets as Python writes them begin: not in a word, such as a UUID in quotes that ends with b.
    private var offsetOfPythonLiteral: Int? {
        var place = 0
        while let next = dropFirst(place).offset(of: "b") {
            place += next
            let isQuoted = contains("'", at: place + 1) || contains("\"", at: place + 1)
            if isQuoted, place == 0 || !self[place - 1].isLetterOrDigit { return place }
            place += 1
        }
        return nil
    }

    /// Octets as Python writes them, at the start: "b'\\x16K'", and where they end.
    var pythonLiteral: (octets: [UInt8], end: Int)? {
        guard count > 2, self[0] == UInt8(ascii: "b") else { return nil }
        let quote = self[1]
        guard quote == UInt8(ascii: "'") || quote == UInt8(ascii: "\"") else { return nil }
        var end = 2
        while end < count, self[end] != quote { end += self[end] == UInt8(ascii: "\\") ? 2 : 1 }
        guard end < count, let octets = CopiedValue.escaped(slice(2..<end).copy()[...], takesText: true) else {
            return nil
        }
        return (octets, end + 1)
    }
}
