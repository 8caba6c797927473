import AttlasTestSupport
import AttlasWire
import Foundation
import Testing

@testable import AttlasText

/// Text from the air, in JSON and on a terminal.
@Suite struct EscapingTests {
    private func json(_ octets: [UInt8]) -> String {
        var buffer = TextBuffer()
        buffer.append(jsonString: Bytes(octets.span))
        return String(decoding: buffer.bytes, as: UTF8.self)
    }

    private func display(_ octets: [UInt8]) -> String {
        var buffer = TextBuffer()
        buffer.append(display: Bytes(octets.span))
        return String(decoding: buffer.bytes, as: UTF8.self)
    }

    @Test func jsonStringsReadBackAsTheyWere() throws {
        let texts = ["HRM-7", "a\"b\\c/d", "\0\u{1}\t\n\r\u{1F}\u{7F}\u{9F}", "ü€😀\u{2028}\u{2029}", ""]
        for text in texts {
            var buffer = TextBuffer()
            buffer.append(jsonString: text)
            expect(Array(buffer.bytes), equals: Array(json(Array(text.utf8)).utf8))
            let back = try JSONSerialization.jsonObject(with: Data(buffer.bytes), options: .fragmentsAllowed)
            #expect(back as? String == text)
        }
    }

    @Test func whatIsNoUTF8IsReplaced() {
        expect(json([0xFF]), equals: "\"\u{FFFD}\"")
        expect(json([0xC3, 0x28]), equals: "\"\u{FFFD}(\"")
        expect(json([0xE2, 0x82]), equals: "\"\u{FFFD}\"")
        expect(json([0xC0, 0x80]), equals: "\"\u{FFFD}\u{FFFD}\"")
        expect(json([0xED, 0xA0, 0x80]), equals: "\"\u{FFFD}\u{FFFD}\u{FFFD}\"")
        expect(json([0xF4, 0x90, 0x80, 0x80, 0x41]), equals: "\"\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}A\"")
        expect(json([0xF0, 0x9F, 0x98, 0x80]), equals: "\"😀\"")
    }

    /// A device's name must not clear the screen or turn the line round.
    @Test func nothingFromTheAirSteersTheTerminal() {
        expect(display(Array("a\u{1B}[2Jb".utf8)), equals: "a\\u{1B}[2Jb")
        expect(display(Array("a\u{9B}31m".utf8)), equals: "a\\u{9B}31m")
        expect(display(Array("x\u{202E}y\u{2066}z".utf8)), equals: "x\\u{202E}y\\u{2066}z")
        expect(display([0x41, 0x00, 0x0A, 0x0D]), equals: "A\\0\\n\\r")
        expect(display(Array("Käse 😀".utf8)), equals: "Käse 😀")
    }

    /// A name is the first text of many lines, and jobs on GitHub and Azure take commands from the lines of their logs.
    @Test(arguments: [
        ("::error::x", #":\u{3A}error::x"#), ("a ::set-env", #"a :\u{3A}set-env"#), ("std::string", "std::string"),
        ("##vso[task.complete]", #"#\u{23}vso[task.complete]"#), ("a##[group]b", #"a#\u{23}[group]b"#), ("a#:", "a#:"),
    ])
    func nothingFromTheAirSteersAJob(text: String, shown: String) {
        expect(display(Array(text.utf8)), equals: shown)
        var buffer = TextBuffer()
        buffer.append(display: text)
        expect(String(decoding: buffer.bytes, as: UTF8.self), equals: shown)
    }

    /// Two names that look the same, or a name that looks empty.
    @Test(
        arguments: [
            0xAD, 0x34F, 0x115F, 0x1160, 0x180E, 0x200B, 0x200C, 0x200D, 0x2060, 0x2063, 0x206F, 0x3164, 0xFFA0, 0xFFF9,
        ] as [UInt32])
    func whatIsNotSeenIsMadeVisible(scalar: UInt32) throws {
        let text = String(Character(try #require(Unicode.Scalar(scalar))))
        expect(display(Array("H\(text)RM".utf8)), equals: "H\\u{\(String(scalar, radix: 16, uppercase: true))}RM")
        expect(json(Array(text.utf8)), equals: "\"\\u\(String(format: "%04x", scalar))\"")
    }

    /// The heart of an emoji keyboard: U+2764, and the selector of its coloured form.
    @Test func emojiStayAsTheyAre() {
        expect(display(Array("\u{2764}\u{FE0F}".utf8)), equals: "\u{2764}\u{FE0F}")
    }
}
