import AttlasWire

/// Text with fields: "Read Response received from {uuid}, value: {value:hex}". It begins with text, at the start of a word. In its
/// text, one blank matches several, `{...}` anything up to the text after it, and `{{` a brace.
///
/// The text after a field is searched once, forwards: a line takes time in proportion to its length.
struct LogTemplate: Sendable {
    enum Part: Sendable, Equatable {
        case text([UInt8])
        /// Anything up to the text that follows, or to the end.
        case skip
        case field(Field)
    }

    enum Field: String, CaseIterable, Sendable {
        case uuid, characteristic, service, descriptor, peer, identity, type, path, date, time, value, advertisement
        case status, mtu, interval, latency, timeout, opcode, handle, end, error, request, client
        /// A number of an attribute that is not its handle.
        case key
        /// Octets after an opcode, and those of a packet on its medium.
        case parameters, frame
        case number
        /// One octet in hexadecimal digits.
        case byte
        /// Nothing may follow.
        case stop = "$"
    }

    /// How a number or a value is written.
    enum Style: String, CaseIterable, Sendable {
        /// A number is decimal or begins with 0x; a value is octets in any way that `AppValue` knows.
        case any
        /// Digits: of an address, twelve.
        case hex
        case base64
        /// Octets up to a bracket.
        case list
        /// A text in C with its quotes: "\\000K".
        case quoted
        /// An address as a decimal number.
        case number
        /// Milliseconds: `number` gives hundredths.
        case ms
        /// Two octets in hexadecimal digits, little-endian; of an address, six. One octet.
        case octets, octet
        /// The lowest octet of a number.
        case low
        /// The longest of the reader's `words` that it begins with.
        case word
    }

    let parts: [Part]
    let styles: [Style]

    /// The text that it begins with.
    var first: [UInt8] { if case .text(let text)? = parts.first { text } else { [] } }

    /// - Throws: the reason why it is invalid: a clause.
    init(_ text: String) throws(LogReaderMistake.Reason) {
        var parts: [Part] = []
        var styles: [Style] = []
        var literal: [UInt8] = []
        func end() {
            guard !literal.isEmpty else { return }
            parts.append(.text(literal))
            styles.append(.any)
            literal = []
        }
        let octets = Array(text.utf8)
        var index = 0
        while index < octets.count {
            guard octets[index] == UInt8(ascii: "{") else {
                // One blank stands for several.
                if octets[index] != 0x20 || literal.last != 0x20 { literal.append(octets[index]) }
                index += 1
                continue
            }
            if index + 1 < octets.count, octets[index + 1] == UInt8(ascii: "{") {
                literal.append(UInt8(ascii: "{"))
                index += 2
                continue
            }
            guard let close = octets[index...].firstIndex(of: UInt8(ascii: "}")) else {
                throw LogReaderMistake.Reason("a field without }")
            }
            end()
            let words = String(decoding: octets[index + 1..<close], as: UTF8.self).split(separator: ":", maxSplits: 1)
            index = close + 1
            if words == ["..."] {
                parts.append(.skip)
                styles.append(.any)
                continue
            }
            guard let name = words.first, let field = Field(rawValue: String(name)) else {
                throw LogReaderMistake.Reason("no field is called \(words.first ?? "")")
            }
            guard let style = words.count == 1 ? .any : Style(rawValue: String(words[1])) else {
                throw LogReaderMistake.Reason("a field is not written as \(words[1])")
            }
            parts.append(.field(field))
            styles.append(style)
        }
        end()
        guard case .text? = parts.first else { throw LogReaderMistake.Reason("it does not begin with text") }
        (self.parts, self.styles) = (parts, styles)
    }

    /// Reads the fields of a line whose first text ends at `start`.
    ///
    /// - Parameter isCut: Whether the line may end before the template does.
    /// - Returns: where it ends; nil if the line is another.
    func match(
        _ line: borrowing Bytes, from start: Int, _ words: [LogReader.Word], _ fields: inout LogFields,
        isCut: Bool = false
    ) -> Int? {
        var place = start
        for index in 1..<max(1, parts.count) {
            if isCut, line.endOfBlanks(from: place) == line.count { return line.count }
            switch parts[index] {
            case .text(let text):
                guard let end = line.end(of: text, at: place) else {
                    return isCut && line.ends(in: text, at: place) ? line.count : nil
                }
                place = end
            case .skip:
                guard index + 1 < parts.count, case .text(let text) = parts[index + 1] else { return line.count }
                guard let next = line.place(of: text, from: place) else { return isCut ? line.count : nil }
                place = next
            case .field(let field):
                guard let end = read(field, styles[index], line, place, words, next(index), &fields) else { return nil }
                place = end
            }
        }
        return place
    }

    /// The same anywhere in the line from `start` on.
    func search(_ line: borrowing Bytes, from start: Int, _ words: [LogReader.Word], _ fields: inout LogFields) -> Bool
    {
        guard let place = line.place(of: first, from: start), let end = line.end(of: first, at: place) else {
            return false
        }
        return match(line, from: end, words, &fields) != nil
    }

    private func next(_ index: Int) -> [UInt8]? {
        if index + 1 < parts.count, case .text(let text) = parts[index + 1] { text } else { nil }
    }

    private func read(
        _ field: Field, _ style: Style, _ line: borrowing Bytes, _ place: Int, _ words: [LogReader.Word],
        _ next: [UInt8]?, _ fields: inout LogFields
    ) -> Int? {
        let rest = line.dropFirst(place)
        switch field {
        case .stop: return rest.endOfBlanks(from: 0) == rest.count ? line.count : nil
        case .uuid where style == .word:
            guard let (number, end) = number(style, rest, words) else { return nil }
            fields.uuid = UInt16(truncatingIfNeeded: number).littleEndianOctets
            return place + end
        case .key:
            guard let end = rest.endOfDigits(from: 0), end <= 64 else { return nil }
            fields.attribute = .name(rest.prefix(end).copy())
            return place + end
        case .uuid, .descriptor:
            let quote = rest.starts(with: "'") || rest.starts(with: "\"") ? 1 : 0
            guard let uuid = rest.dropFirst(quote).uuid else { return nil }
            if field == .descriptor, !fields.isDescriptor { fields.owner = fields.uuid }
            (fields.uuid, fields.isDescriptor) = (uuid.octets, field == .descriptor)
            return place + quote + uuid.end
        case .characteristic:
            // "descr." before a UUID, or a name in place of it.
            let isDescriptor = rest.starts(with: "descr. ")
            if let uuid = rest.dropFirst(isDescriptor ? 7 : 0).uuid {
                (fields.uuid, fields.isDescriptor) = (uuid.octets, isDescriptor)
                return place + (isDescriptor ? 7 : 0) + uuid.end
            }
            guard let end = rest.offset(of: ","), end > 0 else { return nil }
            fields.attribute = .name(rest.prefix(min(end, 64)).copy())
            return place + end
        case .service: return rest.uuid.map { place + $0.end }
        case .time:
            fields.time = Timestamp(epoch: rest)
            return place
        case .advertisement:
            guard let found = rest.advertisement else { return nil }
            (fields.advertisement, fields.rssi) = found
            return line.count
        case .identity:
            guard let peer = rest.peer else { return nil }
            fields.identity = peer
            return place + 17
        case .type:
            // "random", "Random", "random-id", or a number of Vol 4, Part E, 7.7.65.1.
            let word = rest.prefix(6).copy().map { $0 | 0x20 }
            if word == Array("public".utf8) || word == Array("random".utf8) {
                fields.isRandom = word.first == UInt8(ascii: "r")
                return place + (rest.contains("-id", at: 6) ? 9 : 6)
            }
            guard let number = rest.number(at: 0, radix: 10), number < 4 else { return nil }
            fields.isRandom = number & 1 == 1
            return place + 1
        case .peer:
            if style == .octets {
                guard let (octets, end) = rest.octets(6) else { return nil }
                fields.peer = AppPeer(address: octets.reversed().reduce(0) { $0 << 8 | UInt64($1) })
                return place + end
            }
            if style == .hex || style == .number {
                guard let end = rest.endOfWhole(radix: style == .hex ? 16 : 10), style == .number || end == 12,
                    let address = UInt64(
                        String(decoding: rest.prefix(end).copy(), as: UTF8.self), radix: style == .hex ? 16 : 10),
                    address >> 48 == 0
                else { return nil }
                fields.peer = AppPeer(address: address)
                return place + end
            }
            guard let peer = rest.writtenPeer else { return nil }
            fields.peer = peer
            return place + (rest[6] == UInt8(ascii: "_") ? 8 : 17)
        case .path:
            // bleak writes the number of the declaration, too.
            if !rest.isEmpty, rest[0].isDigit, let end = rest.endOfDigits(from: 0) {
                fields.path = rest.number(at: 0, radix: 10).flatMap { UInt16(exactly: $0) }
                return fields.path.map { _ in place + end }
            }
            let end = next.flatMap { rest.place(of: $0, from: 0) } ?? rest.endOfWord(from: 0)
            let path = rest.prefix(end)
            if let descriptor = path.descriptorPath {
                fields.handle = Int(descriptor)
            } else {
                guard let number = path.characteristicPath else { return nil }
                fields.path = number
            }
            fields.peer = path.devicePath ?? fields.peer
            return place + end
        case .date:
            fields.days = rest.date(at: 0)
            return fields.days.map { _ in place + 10 }
        case .value: return readValue(style, rest, &fields).map { place + $0 }
        case .byte: return rest.octets(1).map { place + $0.end }
        default:
            guard let (number, end) = number(style, rest, words) else { return nil }
            set(field, style, number, &fields)
            return place + end
        }
    }

    private func set(_ field: Field, _ style: Style, _ number: Int, _ fields: inout LogFields) {
        switch field {
        // Units of 1.25 ms and of 10 ms.
        case .interval where style == .ms: fields.interval = number / 125
        case .timeout where style == .ms: fields.timeout = number / 1000
        case .status: fields.status = number
        case .mtu: fields.mtu = number
        case .interval: fields.interval = number
        case .latency: fields.latency = number
        case .client: fields.client = number
        case .timeout: fields.timeout = number
        case .opcode: fields.opcode = number
        case .handle: fields.handle = number
        case .end: fields.end = number
        case .parameters: fields.length = number + 1
        case .frame: fields.frame = number
        case .error: fields.error = number
        case .request: fields.request = number
        default: break
        }
    }

    private func number(_ style: Style, _ rest: borrowing Bytes, _ words: [LogReader.Word]) -> (Int, Int)? {
        var start = 0
        let isNegative = !rest.isEmpty && rest[0] == UInt8(ascii: "-")
        if isNegative { start = 1 }
        switch style {
        case .word:
            var longest: (code: Int, end: Int)?
            for word in words where word.text.count > longest?.end ?? 0 {
                guard let end = rest.end(of: word.text, at: 0) else { continue }
                // A number does not end within its digits.
                let isCut = word.text.last?.isDigit == true && end < rest.count && rest[end].isDigit
                if !isCut { longest = (word.code, word.text.count) }
            }
            return longest
        case .octets: return rest.octets(2).map { (Int($0.octets[0]) | Int($0.octets[1]) << 8, $0.end) }
        case .octet: return rest.octets(1).map { (Int($0.octets[0]), $0.end) }
        case .ms:
            guard let end = rest.endOfDigits(from: 0), let whole = rest.number(at: 0, radix: 10) else { return nil }
            let fraction = rest.fraction(at: end)
            let hundredths = whole * 100 + Int(fraction.value / 10_000_000)
            return (hundredths, end + (fraction.digits > 0 ? Int(fraction.digits) + 1 : 0))
        default: break
        }
        let isHexadecimal = rest.contains("0x", at: start) || rest.contains("0X", at: start)
        if isHexadecimal { start += 2 }
        let radix = isHexadecimal || style == .hex ? 16 : 10
        guard let value = rest.number(at: start, radix: radix) else { return nil }
        var end = start
        while end < rest.count, end - start < 8, let digit = rest[end].hexadecimalValue, digit < radix { end += 1 }
        return (isNegative ? -value : style == .low ? value & 0xFF : value, end)
    }

    /// The value; nil if there is none where one must be.
    private func readValue(_ style: Style, _ rest: borrowing Bytes, _ fields: inout LogFields) -> Int? {
        switch style {
        case .hex:
            let value = rest.value(from: 0)
            // A list, and no octets in hexadecimal.
            if value.end == 0, rest.starts(with: "[") || rest.starts(with: "{") { return nil }
            fields.value = AppValue(value.octets)
            return value.end
        case .base64:
            let end = rest.offset(of: "\"") ?? rest.endOfWord(from: 0)
            fields.value = AppValue(
                CopiedValue.octets("base64:" + String(decoding: rest.prefix(end).copy(), as: UTF8.self)))
            return end
        case .list:
            // "[...]" has nothing to read.
            guard !rest.starts(with: "...") else { return 0 }
            guard let end = rest.offset(of: "]") else {
                fields.value = .unreadable
                return rest.count
            }
            fields.value = AppValue(CopiedValue.octets(String(decoding: rest.prefix(end).copy(), as: UTF8.self)))
            return end
        case .quoted:
            guard let end = rest.endOfQuotes else { return nil }
            let text = rest.slice(1..<end - 1).copy()
            fields.value = AppValue(CopiedValue.escaped(text[...], takesText: true, isOctal: true))
            return end
        default:
            fields.value = rest.value
            return rest.count
        }
    }
}

extension Bytes {
    /// Where `text` ends that is at `place`; a blank of it stands for one or more.
    func end(of text: [UInt8], at place: Int) -> Int? {
        var index = place
        for octet in text {
            guard index < count else { return nil }
            if octet == 0x20 {
                // Columns of CSV are columns, too.
                if contains("\",\"", at: index) {
                    index += 3
                    continue
                }
                guard self[index] == 0x20 || self[index] == 0x09 else { return nil }
                index = endOfBlanks(from: index)
            } else {
                guard self[index] == octet else { return nil }
                index += 1
            }
        }
        return index
    }

    /// Whether the line ends within `text`, which begins at `place`.
    fileprivate func ends(in text: [UInt8], at place: Int) -> Bool {
        text.indices.contains { length in
            end(of: Array(text[..<length]), at: place).map { endOfBlanks(from: $0) == count } ?? false
        }
    }

    /// The first place of `text` from `start` on.
    func place(of text: [UInt8], from start: Int) -> Int? {
        guard let first = text.first else { return nil }
        for index in start..<max(start, count) where self[index] == first || first == 0x20 {
            if end(of: text, at: index) != nil { return index }
        }
        return nil
    }

    /// The end of a number of at most 15 digits, with which the word ends.
    fileprivate func endOfWhole(radix: Int) -> Int? {
        var end = 0
        while end < count, end < 15, let digit = self[end].hexadecimalValue, digit < radix { end += 1 }
        return end > 0 && (end == count || !self[end].isLetterOrDigit) ? end : nil
    }

    /// The end of a text in quotes, at the start.
    fileprivate var endOfQuotes: Int? {
        guard starts(with: "\"") else { return nil }
        var end = 1
        while end < count, self[end] != UInt8(ascii: "\"") { end += self[end] == UInt8(ascii: "\\") ? 2 : 1 }
        return end < count ? end + 1 : nil
    }

    func endOfDigits(from start: Int) -> Int? {
        var index = start
        while index < count, self[index].isDigit { index += 1 }
        return index > start ? index : nil
    }
}

extension Bytes {
    /// Whether there are two hexadecimal digits, and then this.
    private func isOctet(at index: Int, before next: Unicode.Scalar) -> Bool {
        index + 2 < count && octet(at: index) != nil && self[index + 2] == UInt8(ascii: next)
    }

    /// Whether two hexadecimal digits end the line or a list.
    private func isLastOctet(at index: Int) -> Bool {
        [")", "]", "}", ">"].contains { isOctet(at: index, before: $0) }
            || index + 2 == count && octet(at: index) != nil
    }

    /// Octets in hexadecimal digits: "0x18 0x39 0x2", "01-3A", "01 3a", "0102".
    ///
    /// - Returns: the octets, nil for other text and for digits that are not octets; and their end.
    func value(from start: Int) -> (octets: [UInt8]?, end: Int) {
        var octets: [UInt8] = []
        var (index, end) = (start, start)
        while index < count {
            let hasPrefix = contains("0x", at: index)
            let word = index + (hasPrefix ? 2 : 0)
            index = word
            while let octet = octet(at: index) {
                octets.append(octet)
                index += 2
            }
            if hasPrefix, index == word, index < count, let digit = self[index].hexadecimalValue {
                octets.append(digit)
                index += 1
            }
            guard index > word else {
                // No digits where octets would be.
                if index < count, self[index].isLetterOrDigit, octets.isEmpty { return (nil, index) }
                break
            }
            end = index
            guard index < count else { break }
            // Digits of other scripts are not ASCII.
            if self[index].isLetterOrDigit || self[index] >= 0x80 { return (nil, index) }
            // ESPHome prints "55.AA".
            let isPoint = self[index] == UInt8(ascii: ".") && octet(at: index + 1) != nil
            guard isPoint || [0x20, UInt8(ascii: "-"), UInt8(ascii: ":"), UInt8(ascii: ",")].contains(self[index])
            else { break }
            let isComma = self[index] == UInt8(ascii: ",")
            index = isComma ? endOfBlanks(from: index + 1) : index + 1
            if isComma, !hasPrefix, !isLastOctet(at: index), !isOctet(at: index, before: ",") { break }
        }
        return (octets, end)
    }
}
