import AttlasTestSupport
import AttlasWire
import Testing

@testable import AttlasText

/// Numbers and texts as the standard library writes them.
@Suite struct TextBufferTests {
    private func decimal(_ number: some FixedWidthInteger, _ digits: Int = 1) -> String {
        var text = TextBuffer()
        text.append(decimal: number, minimumDigits: digits)
        return text.string
    }

    private func hex(_ number: some FixedWidthInteger, _ digits: Int, uppercase: Bool = false) -> String {
        var text = TextBuffer()
        text.append(hex: number, digits: digits, uppercase: uppercase)
        return text.string
    }

    /// Every number of digits, and what lies next to its borders.
    private static let numbers: [UInt64] = {
        var numbers: [UInt64] = [0, .max]
        var power: UInt64 = 1
        for _ in 0..<19 {
            numbers += [power - 1, power, power + 1, power / 7 * 9]
            power *= 10
        }
        return numbers + [power]
    }()

    @Test(arguments: numbers) func decimalDigits(_ number: UInt64) {
        expect(decimal(number), equals: String(number))
        expect(decimal(-Int128(number)), equals: String(-Int128(number)))
        for digits in 1...19 {
            let zeros = String(repeating: "0", count: max(0, digits - String(number).count))
            expect(decimal(number, digits), equals: zeros + String(number))
        }
    }

    /// All that four digits can be, at either end of the eight that are written at once.
    @Test func eightDigitsAtOnce() {
        var wrong: [UInt32] = []
        for four in 1...9_999 as ClosedRange<UInt32> {
            for number in [four, four * 10_000 + 9_999 - four] where decimal(number) != String(number) {
                wrong.append(number)
            }
        }
        #expect(wrong.isEmpty)
    }

    @Test func hexadecimalDigits() {
        for octet in 0...255 as ClosedRange<UInt8> {
            let digits = String(octet, radix: 16)
            expect(hex(octet, 2), equals: octet < 16 ? "0" + digits : digits)
        }
        let number: UInt64 = 0x0123_4567_89AB_CDEF
        expect(hex(number, 16, uppercase: true), equals: "0123456789ABCDEF")
        expect(hex(number, 12), equals: "456789abcdef")
        expect(hex(number, 5, uppercase: true), equals: "BCDEF")
    }

    @Test(arguments: 0...9) func hexadecimalOctets(_ count: Int) {
        let octets = [0x00, 0xFF, 0x9A, 0xA9, 0x10, 0x01, 0xDE, 0xAD, 0x7F].prefix(count).map { UInt8($0) }
        let digits = octets.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
        var (whole, spaced) = (TextBuffer(), TextBuffer())
        whole.append(hexOf: Bytes(octets.span))
        spaced.append(spacedHexOf: Bytes(octets.span))
        expect(whole.string, equals: digits.joined())
        expect(spaced.string, equals: digits.joined(separator: " ").uppercased())
    }

    /// Octets that are text have it next to them, in any script; control characters and what is not UTF-8 are none, and three
    /// octets may be chance.
    @Test(arguments: [
        ("Grüße", " \"Grüße\""), ("👋 hello", " \"👋 hello\""), ("心拍計", " \"心拍計\""), ("HRM-7", " \"HRM-7\""), ("abc", ""),
        ("a\u{1B}[2J", ""), ("name\u{0}", ""), ("ab\u{85}cd", ""), ("a\u{202E}bcd", " \"a\\u{202E}bcd\""),
        ("ab\u{E000}cd", ""),
    ])
    func octetsThatAreText(text: String, shown: String) {
        let octets = Array(text.utf8)
        var buffer = TextBuffer()
        buffer.append(octets: Bytes(octets.span), limit: 32)
        #expect(buffer.string.hasSuffix(shown.isEmpty ? octets.last.map { String($0, radix: 16) } ?? "" : shown))
        expect(buffer.string.contains("\""), equals: !shown.isEmpty)
    }

    @Test func textIsCutBetweenCharacters() {
        let octets = Array("aaééé".utf8)
        var buffer = TextBuffer()
        buffer.append(octets: Bytes(octets.span), limit: 1)
        // Three octets of text for one of hexadecimal digits: the second character that is not ASCII has no room.
        #expect(buffer.string.hasSuffix(" \"aa…\""))
        #expect(!buffer.string.contains("\u{FFFD}"))
    }

    /// Eight octets are looked at together: one that is not plain ASCII is found at any place.
    @Test(arguments: 1...20) func octetsThatAreNotPlain(_ count: Int) {
        let quote = UInt8(ascii: "\"")
        var wrong: [(place: Int, octet: UInt8)] = []
        for place in 0..<count {
            for octet in 0...127 as ClosedRange<UInt8> {
                var octets = [UInt8](repeating: UInt8(ascii: "~"), count: count)
                octets[place] = octet
                let isPlain = 0x20...0x7E ~= octet && octet != quote
                var text = TextBuffer()
                let isAppended = text.append(plain: String(decoding: octets, as: UTF8.self), except: (quote, quote))
                if isAppended != isPlain || !text.bytes.elementsEqual(isPlain ? octets : []) {
                    wrong.append((place, octet))
                }
            }
        }
        #expect(wrong.isEmpty)
        var text = TextBuffer()
        let isAppended = text.append(plain: String(repeating: "a", count: count) + "é", except: (0, 0))
        #expect(!isAppended)
    }
}
