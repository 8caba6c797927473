import AttlasText
import Foundation

/// Checks an output: whatever came from the air, nothing in it may control a terminal, a spreadsheet, or a program that reads
/// JSON.
package final class OutputInspector {
    package enum Form: Sendable {
        case text
        /// Text with the colours that attlas itself puts there.
        case colouredText
        case csv
        /// An object on each line.
        case json
        /// More takes a parser too long.
        case jsonUnparsed
        /// A page.
        case html
    }

    private let file = ScratchFile()
    /// Called with each mistake found. A fuzzer notices it by the end of the program.
    package var onFinding: (String) -> Void = { fatalError($0) }
    /// Called with every output.
    package var onOutput: (Form, [UInt8]) -> Void = { _, _ in }

    /// Outputs are only passed to `onOutput`: inspecting them takes longer than making them.
    package var isIdle = false

    init() {}

    /// Inspects the output of `body`.
    func inspect(_ form: Form, _ body: (inout Output) -> Void) {
        file.removeAll()
        var output = Output(descriptor: file.descriptor)
        body(&output)
        check(file.contents, form)
    }

    /// Inspects finished lines and removes them.
    func inspect(_ form: Form, _ lines: inout TextBuffer) {
        check(Array(lines.bytes), form)
        lines.removeAll()
    }

    private func check(_ bytes: [UInt8], _ form: Form) {
        onOutput(form, bytes)
        if isIdle { return }
        if let finding = Self.finding(in: bytes, form) { onFinding("output with \(finding)") }
    }

    /// The mistake in an output; nil if there is none.
    package static func finding(in bytes: [UInt8], _ form: Form) -> String? {
        var lineStart = 0
        var isColour = false
        // After the scalar that was looked at.
        var scalarEnd = 0
        for (index, octet) in bytes.enumerated() where index >= scalarEnd {
            switch octet {
            case 0x0A:
                if form == .json, let finding = json(bytes[lineStart..<index]) { return finding }
                lineStart = index + 1
            case 0x1B where form == .colouredText: isColour = true
            case 0x00..<0x20, 0x7F: return "a control character \(octet) at \(index): \(excerpt(bytes, index))"
            case 0x80...:
                if let finding = unicode(bytes, index) { return "\(finding): \(excerpt(bytes, index))" }
                scalarEnd = index + scalarLength(octet)
            default:
                // Nothing but Select Graphic Rendition begins with an escape.
                if isColour, octet == UInt8(ascii: "m") { isColour = false }
                if isColour, !(UInt8(ascii: "0")...UInt8(ascii: "9") ~= octet), !"[;".utf8.contains(octet) {
                    return "an escape sequence: \(excerpt(bytes, index))"
                }
            }
        }
        switch form {
        case .csv: return csv(bytes)
        case .html: return html(bytes)
        case .text, .colouredText, .json, .jsonUnparsed: return nil
        }
    }

    private static func excerpt(_ bytes: [UInt8], _ index: Int) -> String {
        String(decoding: bytes[max(0, index - 60)..<min(bytes.count, index + 20)], as: UTF8.self).debugDescription
    }

    /// C1 controls, and characters that change the writing direction, separate lines or hide: by their UTF-8.
    private static func unicode(_ bytes: [UInt8], _ index: Int) -> String? {
        let length = scalarLength(bytes[index])
        guard index + length <= bytes.count,
            let text = String(validating: bytes[index..<index + length], as: UTF8.self),
            let scalar = text.unicodeScalars.first
        else { return "octets that are no UTF-8" }
        switch scalar.value {
        case 0x80...0x9F, 0x00AD, 0x034F, 0x061C, 0x115F...0x1160, 0x180E, 0x200B...0x200F, 0x2028...0x202E,
            0x2060...0x206F, 0x3164, 0xFEFF, 0xFFA0, 0xFFF9...0xFFFB, 0xE0000...0xE007F:
            return "U+\(String(scalar.value, radix: 16, uppercase: true))"
        default: return nil
        }
    }

    /// By the first octet of its UTF-8.
    private static func scalarLength(_ octet: UInt8) -> Int {
        octet < 0xE0 ? 2 : octet < 0xF0 ? 3 : 4
    }

    private static func json(_ line: ArraySlice<UInt8>) -> String? {
        guard !line.isEmpty else { return nil }
        do {
            _ = try JSONSerialization.jsonObject(with: Data(line))
            return repeatedKey(line)
        } catch {
            return
                "a line that is no JSON (\(error)): \(String(decoding: line.prefix(2_000), as: UTF8.self).debugDescription)"
        }
    }

    /// A key that one object has twice, of which other parsers take the last. `line` is JSON, with its colons right after the keys.
    private static func repeatedKey(_ line: ArraySlice<UInt8>) -> String? {
        // Keys of the open objects and arrays.
        var keys: [Set<ArraySlice<UInt8>>] = []
        var index = line.startIndex
        while index < line.endIndex {
            switch line[index] {
            case UInt8(ascii: "{"), UInt8(ascii: "["): keys.append([])
            case UInt8(ascii: "}"), UInt8(ascii: "]"): keys.removeLast()
            case UInt8(ascii: "\""):
                let start = index + 1
                index = start
                while line[index] != UInt8(ascii: "\"") { index += line[index] == UInt8(ascii: "\\") ? 2 : 1 }
                let key = line[start..<index]
                if line.dropFirst(index + 1 - line.startIndex).first == UInt8(ascii: ":"),
                    !keys[keys.count - 1].insert(key).inserted
                {
                    return "the key \(String(decoding: key, as: UTF8.self).debugDescription) twice in one object"
                }
            default: break
            }
            index += 1
        }
        return nil
    }

    /// A cell that a spreadsheet would compute. Numbers may have their sign.
    private static func csv(_ bytes: [UInt8]) -> String? {
        var isStart = true
        var isQuoted = false
        for (index, octet) in bytes.enumerated() {
            if isStart {
                let next = index + 1 < bytes.count ? bytes[index + 1] : 0
                let cell = octet == UInt8(ascii: "\"") ? next : octet
                let isNumber = octet == UInt8(ascii: "-") && UInt8(ascii: "0")...UInt8(ascii: "9") ~= next
                if "=+-@".utf8.contains(cell), !isNumber { return "a formula: \(excerpt(bytes, index))" }
                isStart = false
            }
            switch octet {
            case UInt8(ascii: "\""): isQuoted.toggle()
            case UInt8(ascii: ","), 0x0A: if !isQuoted { isStart = true }
            default: break
            }
        }
        return isQuoted ? "a quote that does not end" : nil
    }
}
