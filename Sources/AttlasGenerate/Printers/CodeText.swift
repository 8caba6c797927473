/// Lines of source code.
package struct CodeText {
    private var all: [String] = []
    private var depth = 0

    package init() {}

    package var text: String { all.map { $0 + "\n" }.joined() }
    var count: Int { all.count }
    var last: String { all.last ?? "" }

    package mutating func line(_ line: String = "") {
        all.append(line.isEmpty ? "" : String(repeating: "    ", count: depth) + line)
    }

    package mutating func lines(_ lines: String) {
        for line in lines.split(separator: "\n", omittingEmptySubsequences: false) { self.line(String(line)) }
    }

    package mutating func indent() { depth += 1 }
    package mutating func outdent() { depth -= 1 }

    /// Text from a definition for a comment of one line: it cannot end the comment, nor change the direction of
    /// what follows, nor hold what nobody sees.
    package static func comment(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars.prefix(200) {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned:
                result += " "
            case _ where scalar.properties.isDefaultIgnorableCodePoint: result += " "
            // An escape at the end of a line, a trigraph and the signs around comments.
            default: result += ["\\", "?", "*"].contains(scalar) ? " " : String(scalar)
            }
        }
        return result
    }

    /// A text in quotes, the same in Swift and Python: ASCII without escapes.
    static func quoted(_ text: String) -> String {
        let plain = text.unicodeScalars.prefix(80).map { scalar -> String in
            scalar.isASCII && scalar.value >= 0x20 && scalar.value < 0x7F && scalar != "\"" && scalar != "\\"
                ? String(scalar) : "_"
        }
        return "\"\(plain.joined())\""
    }

    /// `0x0D, 0x0A`
    static func list(_ octets: [UInt8]) -> String {
        octets.map { "0x" + ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined(separator: ", ")
    }

    /// `0D 0A`
    static func hexadecimal(_ octets: [UInt8]) -> String {
        list(octets).replacing(", ", with: " ").replacing("0x", with: "")
    }

    /// The whole text as a literal of Swift: printable ASCII, with escapes for the rest.
    package static func swiftLiteral(_ text: String) -> String {
        let plain = text.unicodeScalars.map { scalar -> String in
            " "..."~" ~= scalar && scalar != "\"" && scalar != "\\"
                ? String(scalar) : "\\u{\(String(scalar.value, radix: 16))}"
        }
        return "\"\(plain.joined())\""
    }
}

extension CodeText {
    /// Removes local variables that nothing reads, which compilers warn of, and says which ones are constant. Their names are a letter with a number.
    mutating func pruneVariables(since start: Int) {
        var isChanged = true
        while isChanged {
            isChanged = false
            var (reads, writes): (Set<String>, [String: [Int]]) = ([], [:])
            for index in start..<all.count {
                let written = Self.written(all[index])
                for (position, name) in Self.variables(all[index]).enumerated() {
                    if position == 0, name == written {
                        writes[name, default: []].append(index)
                    } else {
                        reads.insert(name)
                    }
                }
            }
            for (name, lines) in writes where !reads.contains(name) {
                isChanged = true
                for index in lines { all[index] = Self.withoutVariable(all[index]) }
            }
            all.removeAll { $0 == Self.removed }
            guard !isChanged else { continue }
            // A structure is changed through its members.
            for (name, lines) in writes where lines.count == 1 && !name.hasPrefix("s") {
                all[lines[0]] = Self.replacingFirst("var ", with: "let ", in: all[lines[0]])
            }
        }
    }

    private static let removed = "\u{0}"

    /// The variable that a line declares or sets.
    private static func written(_ line: String) -> String? {
        var words = line.split(separator: " ", maxSplits: 4).map { String($0) }
        if let first = words.first, ["let", "var", "int64_t", "size_t", "bool"].contains(first) { words.removeFirst() }
        guard words.count > 2 else { return nil }
        if words[0].hasSuffix(":"), words[2] == "=" { return String(words[0].dropLast()) }
        return words[1] == "=" || words[1] == "|=" || words[1] == "-=" ? words[0] : nil
    }

    /// A line without its variable: what it calls is still called.
    private static func withoutVariable(_ line: String) -> String {
        guard let call = line.firstRange(of: "= try ") else { return removed }
        return String(line.prefix { $0 == " " }) + "_ " + line[call.lowerBound...]
    }

    private static func variables(_ line: String) -> [String] {
        var names: [String] = []
        var word: [UInt8] = []
        var (isQuoted, isMember) = (false, false)
        func isDigit(_ octet: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= octet }
        for octet in Array(line.utf8) + [UInt8(ascii: " ")] {
            let isLetter =
                UInt8(ascii: "a")...UInt8(ascii: "z") ~= octet | 0x20 || octet == UInt8(ascii: "_") || octet > 0x7F
            if !isQuoted, isLetter || isDigit(octet) {
                word.append(octet)
                continue
            }
            if word.count > 1, !isMember, "rnvkscoempd".utf8.contains(word[0]), word.dropFirst().allSatisfy(isDigit) {
                names.append(String(decoding: word, as: UTF8.self))
            }
            word.removeAll(keepingCapacity: true)
            isMember = octet == UInt8(ascii: ".")
            // A text in quotes has no names of variables.
            if octet == UInt8(ascii: "\"") { isQuoted.toggle() }
        }
        return names
    }

    private static func replacingFirst(_ text: String, with other: String, in line: String) -> String {
        guard let range = line.firstRange(of: text), line[..<range.lowerBound].allSatisfy({ $0 == " " }) else {
            return line
        }
        return line.replacingCharacters(range, other)
    }
}

extension String {
    fileprivate func replacingCharacters(_ range: Range<String.Index>, _ other: String) -> String {
        String(self[..<range.lowerBound]) + other + String(self[range.upperBound...])
    }
}
