import AttlasTestSupport
import Testing

@testable import AttlasWire

/// Core Specification, Vol 3, Part B, 3.2 and 3.3: five bits of type, three of the size index.
@Suite struct SDPElementTests {
    private func text(_ octets: String) -> String {
        let bytes = hex(octets)
        var elements = SDPElements(Bytes(bytes.span))
        var texts: [String] = []
        while let element = elements.next() {
            texts.append("\(element.kind) " + element.bytes.copy().map { "\($0)" }.joined(separator: ","))
        }
        return texts.joined(separator: "; ")
    }

    @Test func sizes() {
        expect(text("00 08 05 09 0102"), equals: "null ; unsigned 5; unsigned 1,2")
        expect(text("0A 01020304 25 02 4142"), equals: "unsigned 1,2,3,4; text 65,66")
        expect(text("26 0002 4142 27 00000001 43"), equals: "text 65,66; text 67")
        expect(text("35 03 19 1101"), equals: "sequence 25,17,1")
    }

    /// What is not whole is left out.
    @Test func ends() {
        for octets in ["09 01", "25", "25 03 41 42", "27 FFFFFFFF 41", "48"] { expect(text(octets), equals: "") }
    }

    @Test func uuids() {
        func uuid(_ octets: String) -> BluetoothUUID? {
            let bytes = hex(octets)
            var elements = SDPElements(Bytes(bytes.span))
            return elements.next()?.uuid
        }
        expect(uuid("19 1101"), equals: BluetoothUUID("1101"))
        expect(uuid("1A 00001101"), equals: BluetoothUUID("1101"))
        expect(
            uuid("1C 00000000 DECA FADE DECA DEAFDECACAFF"),
            equals: BluetoothUUID("00000000-DECA-FADE-DECA-DEAFDECACAFF"))
        expect(uuid("09 1101"), equals: nil)
    }
}
