import AttlasFuzz
import AttlasTestSupport
import AttlasWire
import Foundation
import Testing

/// Whatever a device calls itself: no output carries an escape sequence, a line break, a mark of the writing direction or a formula
/// from the air.
@Suite struct InjectionTests {
    /// Clear the screen; the C1 form of the same; back to the line's start; a new line; right-to-left override; an isolate; tags;
    /// HTML; what ends a JSON string and an object; what is not seen.
    static let texts = [
        "\u{1B}[2Jx", "\u{9B}2Jx", "x\rattlas: all right", "x\nforged line", "\u{202E}evil", "\u{2067}evil\u{2069}",
        "\u{E0041}\u{E0042}", "<script>alert(1)</script>", "\"}\n{\"type\":\"att\"", "\u{2028}x", "\u{FEFF}x",
        "x\u{7F}\u{8}", "H\u{200B}RM\u{2060}", "H\u{AD}RM\u{3164}",
    ]
    /// One of each kind.
    private static let someTexts = [
        texts[0], "x\nforged line", "\u{202E}evil", "<script>alert(1)</script>", "\"}\n{\"type\":\"att\"", "\u{2028}x",
        "H\u{AD}RM\u{3164}", "=1+1",
    ]
    static let formulas = ["=1+1", "+1+1", "-1+1", "@SUM(A1)", "\t=1+1", "\u{FF1D}1+1", "\r=1+1"]

    /// A device that says `text` wherever it can say anything: in its advertising, as its name, as a value, as what a pairing has.
    static func conversation(_ text: String) -> RecordList {
        let octets = Array(text.utf8)
        func event(_ parameters: [UInt8]) -> RecordList.Entry {
            RecordList.Entry(.event, .rx, [0x3E, UInt8(parameters.count)] + parameters)
        }
        func att(_ direction: Direction, _ pdu: [UInt8]) -> RecordList.Entry {
            let length = UInt8(pdu.count)
            let flags: UInt8 = direction == .tx ? 0x00 : 0x20
            return RecordList.Entry(.acl, direction, [0x40, flags, length + 4, 0, length, 0, 4, 0] + pdu)
        }
        let name: [UInt8] = [UInt8(octets.count + 1), 0x09] + octets
        let uri: [UInt8] = [UInt8(octets.count + 1), 0x24] + octets
        let data = name + uri + [0x05, 0xFF, 0xFF, 0xFF] + octets.prefix(2)
        return RecordList([
            event([0x02, 1, 0, 1, 1, 2, 3, 4, 5, 0xC6, UInt8(data.count)] + data + [0xC8]),
            event([0x01, 0x00, 0x40, 0x00, 0x00, 0x01, 1, 2, 3, 4, 5, 0xC6, 24, 0, 0, 0, 72, 0, 0]),
            att(.tx, [0x08, 1, 0, 0xFF, 0xFF, 0x03, 0x28]),
            // Device Name, Manufacturer Name String, Battery Level, and a characteristic that nobody knows.
            att(
                .rx,
                [0x09, 7, 2, 0, 0x02, 3, 0, 0x00, 0x2A, 4, 0, 0x02, 5, 0, 0x29, 0x2A, 6, 0, 0x02, 7, 0, 0xAA, 0xAA]),
            att(.tx, [0x0A, 3, 0]), att(.rx, [0x0B] + octets),
            att(.tx, [0x0A, 5, 0]), att(.rx, [0x0B] + octets),
            att(.tx, [0x0A, 7, 0]), att(.rx, [0x0B] + octets),
            att(.tx, [0x12, 5, 0] + octets), att(.rx, [0x01, 0x12, 5, 0, 0x80]),
            RecordList.Entry(.packetLogger, .unknown, [0xFC] + octets),
            RecordList.Entry(.monitor, .unknown, [0x0C, 0x00] + octets),
            RecordList.Entry(.monitor, .unknown, [0x0D, 0x00, 0x06, 0x04] + octets + [0] + octets),
            RecordList.Entry(.monitor, .unknown, [0x0E, 0] + hex("01000000 0200 010000 00000000 04") + octets + [0]),
            RecordList.Entry(.event, .rx, [0x05, 0x04, 0x00, 0x40, 0x00, 0x13]),
        ])
    }

    /// All that print what is from the air; the rules of `lint` are not.
    @Test func everyOutputIsInspected() throws {
        let fuzzer = try Repository.text("Sources/AttlasFuzz/Fuzzer+Pipeline.swift")
        let outputs = try Repository.printers.flatMap { module in
            let folder = Repository.root.appending(path: "Sources/\(module)")
            let names = try #require(FileManager.default.enumerator(atPath: folder.path)).compactMap { $0 as? String }
            return try names.filter { $0.hasSuffix(".swift") && !$0.contains("LintRules") }.flatMap { name in
                let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
                return text.matches(
                    of:
                        /(?:public|package) struct (\w+): LineSink|package struct (\w+): TableSink|(?:public|package) struct (\w+) \{[\s\S]*inout Output/
                ).compactMap { $0.1 ?? $0.2 ?? $0.3 }
            }
        }
        #expect(outputs.count >= 15)
        for output in outputs { #expect(fuzzer.contains("\(output)("), "\(output)") }
    }

    /// Conversation, tables, trees and devices, statistics, findings and differences, with and without what is below, coloured and
    /// not, wide and narrow.
    @Test(arguments: 0..<8, someTexts)
    func nothingFromTheAirSteersAnOutput(output: UInt8, text: String) {
        Self.expectNothing(from: text, output: output, options: [0, 31])
    }

    static func expectNothing(from text: String, output: UInt8, options: [Int]) {
        let fuzzer = Fuzzer()
        var findings: [String] = []
        var octets = 0
        fuzzer.inspector.onFinding = { findings.append($0) }
        fuzzer.inspector.onOutput = { octets += $1.count }
        for option in options { fuzzer.pipeline(conversation(text), output | UInt8(option << 3)) }
        expect(findings, equals: [])
        #expect(octets > 0)
    }

    /// The check above would find it: the text arrives, in its escaped form.
    @Test func theTextIsShownEscaped() {
        let fuzzer = Fuzzer()
        var lines: [String] = []
        fuzzer.inspector.onOutput = { lines.append(String(decoding: $1, as: UTF8.self)) }
        fuzzer.pipeline(Self.conversation("\u{1B}[2J\u{202E}"), 0)
        fuzzer.pipeline(Self.conversation("=1+1"), 3)
        #expect(lines[0].contains(#"\u{1B}[2J\u{202E}"#))
        #expect(lines[1].contains(#"\u001b[2J\u202e"#))
        #expect(lines[2].contains("\"'=1+1\""))
    }

    @Test(arguments: [
        ("a\u{1B}[2Jb\n", OutputInspector.Form.text), ("a\u{202E}b\n", .text), ("a\u{9B}b\n", .text), ("a\rb\n", .text),
        ("a\u{1B}[2Jb\n", .colouredText), ("=1\n", .csv), ("1,\"+1+1\"\n", .csv), ("1,\"a\n", .csv),
        ("{\"a\":}\n", .json), ("{\"a\":1,\"b\":[{\"c\":{}}],\"a\":2}\n", .json),
        ("{\"a\":{\"b\\\"\":1,\"b\\\"\":1}}\n", .json),
    ])
    func theInspectorFinds(_ text: String, _ form: OutputInspector.Form) {
        #expect(OutputInspector.finding(in: Array(text.utf8), form) != nil)
    }

    @Test(arguments: [
        ("a \u{1B}[31;1mb\u{1B}[0m\n", OutputInspector.Form.colouredText), ("naïve 72 bpm\n", .text),
        ("-1,\"a,b\",\"'=1\"\n", .csv),
        ("{\"a\":\"\\u202e\"}\n", .json), ("{\"a\":[{\"a\":\"a\"},{\"a\":\"a\"}],\"b\":\"\\\"a\"}\n", .json),
    ])
    func theInspectorPasses(_ text: String, _ form: OutputInspector.Form) {
        #expect(OutputInspector.finding(in: Array(text.utf8), form) == nil)
    }
}

/// Every text, also with each option by itself.
@Suite struct InjectionLongTests {
    @Test(arguments: 0..<8, InjectionTests.texts + InjectionTests.formulas)
    func nothingFromTheAirSteersAnOutput(output: UInt8, text: String) {
        InjectionTests.expectNothing(from: text, output: output, options: [0, 1, 2, 4, 31])
    }
}
