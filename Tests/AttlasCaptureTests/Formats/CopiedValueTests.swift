import AttlasCapture
import AttlasTestSupport
import Testing

/// A value as logs, apps and programs print it.
@Suite struct CopiedValueTests {
    static let value: [UInt8] = [0x16, 0x4B, 0x2B, 0x03]

    @Test(arguments: [
        "164b2b03", "16 4B 2B 03", "16-4B-2B-03", "16:4b:2b:03", "0x164b2b03", "0x16 0x4b 0x2B 0x3",
        "0x16,0x4b,0x2b,0x03",
        #"\x16\x4b\x2b\x03"#, #"b'\x16K+\x03'"#, #"bytearray(b'\x16K+\x03')"#, "[22, 75, 43, 3]",
        "{0x16, 0x4B, 0x2B, 0x03}",
        "<164b2b03>", "<164b 2b03>", "{length = 4, bytes = 0x164b2b03}", "base64:FksrAw==", "Data[4]: 164b2b03",
        "Data: 164b2b03", "value: (0x) 16-4B-2B-03", "(0x) 16-4B-2B-03", "\"164b2b03\"", "  164b2b03\n",
    ])
    func everyWayIsRead(text: String) {
        expect(CopiedValue.octets(text), equals: Self.value)
    }

    @Test func signedAndEmptyValues() {
        expect(CopiedValue.octets("[-128, -1, 0, 127]"), equals: [0x80, 0xFF, 0x00, 0x7F])
        expect(CopiedValue.octets("[10]"), equals: [10])
        expect(CopiedValue.octets("[]"), equals: [])
        expect(CopiedValue.octets(""), equals: [])
        expect(CopiedValue.octets("b'a\\n\\\\'"), equals: [0x61, 0x0A, 0x5C])
        // Pairs of digits stay hexadecimal.
        expect(CopiedValue.octets("10 20"), equals: [0x10, 0x20])
    }

    @Test(arguments: ["123", "0x", "xyz", "[256, 1]", #"\x1"#, #"b'\q'"#, "b'", "base64:*", "16-4", "[1, zz]"])
    func otherTextIsNone(text: String) {
        #expect(CopiedValue.octets(text) == nil)
    }
}
