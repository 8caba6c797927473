import AttlasWire

/// A mistake in the file of a reader.
package struct LogReaderMistake: Error, CustomStringConvertible {
    package let file: String
    /// Counted from 1; 0 of the whole file.
    package let line: Int
    /// A clause.
    package let message: String

    package var description: String { line > 0 ? "\(file):\(line): \(message)" : "\(file): \(message)" }

    /// A mistake in the file as a whole.
    package init(file: String, _ message: String) { self.init(file: file, line: 0, message: message) }

    init(file: String, line: Int, message: String) {
        (self.file, self.line, self.message) = (file, line, message)
    }

    struct Reason: Error {
        let message: String
        init(_ message: String) { self.message = message }
    }
}

/// The file of a reader: YAML, as far as readers need it. Keys with a word or a text in single quotes, lists, and `|` with lines.
///
/// The core has no parser of YAML: libyaml is linked in above it.
package struct LogReaderFile {
    private struct Line {
        let number: Int
        let indent: Int
        let text: Substring
    }

    private let name: String
    private var lines: [Line] = []
    private var index = 0
    /// All lines, as they are.
    private let raw: [Substring]

    /// - Parameter name: Name of the file, for mistakes.
    package static func read(_ text: String, name: String) throws(LogReaderMistake) -> LogReader {
        var file = LogReaderFile(text, name)
        return try file.reader()
    }

    private init(_ text: String, _ name: String) {
        self.name = name
        raw = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
        for (number, line) in raw.enumerated() {
            let text = line.drop { $0 == " " }
            guard !text.isEmpty, text.first != "#" else { continue }
            lines.append(Line(number: number + 1, indent: line.count - text.count, text: text))
        }
    }

    private func mistake(_ message: String, _ line: Int? = nil) -> LogReaderMistake {
        LogReaderMistake(
            file: name, line: line ?? (index < lines.count ? lines[index].number : raw.count), message: message)
    }

    private static let keys = ["name", "about", "unless", "words", "codes", "times", "role", "lines", "examples"]

    private mutating func reader() throws(LogReaderMistake) -> LogReader {
        var (name, about, codes) = ("", "", "android")
        var unless: [String] = []
        var words: [LogReader.Word] = []
        var (times, isRoleUnknown) = (LogReader.Times.clock, false)
        var logLines: [LogLine] = []
        var examples: [LogReader.Example] = []
        while index < lines.count {
            guard lines[index].indent == 0, let (key, value) = pair(lines[index].text) else {
                throw mistake("expected a key: \(Self.keys.joined(separator: ", "))")
            }
            let number = lines[index].number
            index += 1
            switch key {
            case "name":
                name = try scalar(value, number)
                guard Self.isName(name) else { throw mistake(Self.nameRule, number) }
            case "about": about = try scalar(value, number)
            case "codes": codes = try scalar(value, number)
            case "times":
                guard let known = LogReader.Times(rawValue: String(value)) else {
                    let all = LogReader.Times.allCases.map(\.rawValue).joined(separator: ", ")
                    throw mistake("times are one of: \(all)", number)
                }
                times = known
            case "role":
                guard value == "unknown" else {
                    throw mistake("a role is unknown, or central without this key", number)
                }
                isRoleUnknown = true
            case "unless": unless = try list()
            case "words":
                while index < lines.count, lines[index].indent > 0 {
                    guard let (word, code) = pair(lines[index].text), let value = Self.number(code) else {
                        throw mistake("expected a word and its code: LINK_LOSS: 0x08")
                    }
                    words.append(LogReader.Word(text: Array(word.utf8), code: value))
                    index += 1
                }
            case "lines": while let item = try item() { logLines.append(try line(item, codes)) }
            case "examples":
                while let item = try item() {
                    examples.append(
                        LogReader.Example(
                            text: item.text["text"] ?? "", gives: item.lists["gives"] ?? [], line: item.number))
                }
            default: throw mistake("no key is called \(key)", number)
            }
        }
        guard !name.isEmpty else { throw mistake("the reader has no name", 0) }
        guard !logLines.isEmpty else { throw mistake("the reader has no lines", 0) }
        return LogReader(
            name: name, about: about, unless: unless, words: words, times: times, isRoleUnknown: isRoleUnknown,
            lines: logLines, examples: examples)
    }

    /// Results have the name as it is, and files of readers may come from anybody.
    package static func isName(_ text: String) -> Bool {
        let others: Set<Unicode.Scalar> = [" ", ".", "-", "_", "+", "(", ")"]
        return 1...64 ~= text.unicodeScalars.count
            && text.unicodeScalars.allSatisfy { $0.properties.isAlphabetic || "0"..."9" ~= $0 || others.contains($0) }
    }

    package static let nameRule = "a name has up to 64 letters, digits, blanks and . - _ + ( )"

    // MARK: YAML

    private struct Item {
        let number: Int
        var text: [String: String] = [:]
        var lists: [String: [String]] = [:]
    }

    private func pair(_ text: Substring) -> (Substring, Substring)? {
        guard let colon = text.firstIndex(of: ":") else { return nil }
        let rest = text[text.index(after: colon)...]
        guard rest.isEmpty || rest.first == " " else { return nil }
        return (text[..<colon], rest.drop { $0 == " " })
    }

    private func scalar(_ text: Substring, _ line: Int) throws(LogReaderMistake) -> String {
        guard text.first == "'" else {
            guard !text.isEmpty, let first = text.first, !"\"[{&*!|>%@`".contains(first), !text.contains(" #") else {
                throw mistake("expected a word, or a text in single quotes", line)
            }
            return String(text)
        }
        var (result, rest) = ("", text.dropFirst())
        while let character = rest.popFirst() {
            guard character == "'" else {
                result.append(character)
                continue
            }
            if rest.first == "'" {
                result.append("'")
                rest.removeFirst()
            } else {
                guard rest.allSatisfy({ $0 == " " }) else { throw mistake("text after the closing quote", line) }
                return result
            }
        }
        throw mistake("a text without its closing quote", line)
    }

    private mutating func list(above indent: Int = 0) throws(LogReaderMistake) -> [String] {
        var items: [String] = []
        while index < lines.count, lines[index].indent > indent, lines[index].text.hasPrefix("- ") {
            items.append(try scalar(lines[index].text.dropFirst(2), lines[index].number))
            index += 1
        }
        return items
    }

    /// The lines below `|`, without their indentation.
    private mutating func block(above indent: Int) -> String {
        guard index < lines.count, lines[index].indent > indent else { return "" }
        let (first, margin) = (lines[index].number - 1, lines[index].indent)
        while index < lines.count, lines[index].indent >= margin { index += 1 }
        let end = index < lines.count ? lines[index].number - 1 : raw.count
        var text = raw[first..<end].map { String($0.dropFirst(margin)) }
        while text.last?.isEmpty == true { text.removeLast() }
        return text.joined(separator: "\n") + "\n"
    }

    /// The next item of a list of mappings.
    private mutating func item() throws(LogReaderMistake) -> Item? {
        guard index < lines.count, lines[index].indent > 0 else { return nil }
        guard lines[index].text.hasPrefix("- ") else { throw mistake("expected an item, which begins with a hyphen") }
        var item = Item(number: lines[index].number)
        let margin = lines[index].indent + 2
        var text = lines[index].text.dropFirst(2)
        while true {
            guard let (key, value) = pair(text) else { throw mistake("expected a key and its value") }
            let number = lines[index].number
            index += 1
            if value == "|" {
                item.text[String(key)] = block(above: margin)
            } else if value.isEmpty {
                item.lists[String(key)] = try list(above: margin - 1)
            } else {
                item.text[String(key)] = try scalar(value, number)
            }
            guard index < lines.count, lines[index].indent == margin, !lines[index].text.hasPrefix("- ") else {
                return item
            }
            text = lines[index].text
        }
    }

    // MARK: Lines

    private static let lineKeys = [
        "line", "means", "with", "maybe", "has", "not", "until", "direction", "opcode", "status", "codes", "block",
        "weak", "early",
    ]

    private func line(_ item: Item, _ codes: String) throws(LogReaderMistake) -> LogLine {
        for key in item.text.keys.sorted() + item.lists.keys.sorted() where !Self.lineKeys.contains(key) {
            throw mistake("a line has no \(key)", item.number)
        }
        guard let text = item.text["line"], let means = item.text["means"] else {
            throw mistake("a line needs line and means", item.number)
        }
        guard let meaning = LogLine.Meaning(rawValue: means) else {
            let all = LogLine.Meaning.allCases.map(\.rawValue).joined(separator: ", ")
            throw mistake("no line means \(means); it means one of: \(all)", item.number)
        }
        func template(_ text: String) throws(LogReaderMistake) -> LogTemplate {
            do throws(LogReaderMistake.Reason) { return try LogTemplate(text) } catch {
                throw mistake("\(error.message): \(text)", item.number)
            }
        }
        var with: [LogTemplate] = []
        for text in item.lists["with"] ?? [] { with.append(try template(text)) }
        var maybe: [LogTemplate] = []
        for text in item.lists["maybe"] ?? [] { maybe.append(try template(text)) }
        var constants = LogFields()
        if let direction = item.text["direction"] {
            guard direction == "tx" || direction == "rx" else { throw mistake("direction is tx or rx", item.number) }
            constants.direction = direction == "tx" ? .tx : .rx
        }
        constants.opcode = item.text["opcode"].flatMap { Self.number(Substring($0)) }
        constants.status = item.text["status"].flatMap { Self.number(Substring($0)) }
        let systems: [String: ApplicationStatus.System] = [
            "android": .android, "core-bluetooth": .coreBluetooth, "bluedroid": .bluedroid, "nimble": .nimble,
            "zephyr": .zephyr, "words": .words,
        ]
        guard let system = systems[item.text["codes"] ?? codes] else {
            throw mistake("codes are one of: \(systems.keys.sorted().joined(separator: ", "))", item.number)
        }
        return LogLine(
            template: try template(text), with: with, maybe: maybe, has: item.text["has"].map { Array($0.utf8) },
            lacks: item.text["not"].map { Array($0.utf8) }, until: item.text["until"].map { Array($0.utf8) },
            meaning: meaning, system: system, isBlock: item.text["block"] == "true",
            isWeak: item.text["weak"] == "true", isEarly: item.text["early"] == "true", constants: constants)
    }

    private static func number(_ text: Substring) -> Int? {
        text.hasPrefix("0x") ? Int(text.dropFirst(2), radix: 16) : Int(text)
    }
}
