import AttlasTestSupport
import AttlasText
import Testing

@Suite struct Base64Tests {
    /// RFC 4648, section 10.
    @Test func theVectorsOfTheSpecification() {
        let vectors = ["", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy"]
        for (length, digits) in vectors.enumerated() {
            expect(Array("foobar".utf8.prefix(length)).base64, equals: digits)
        }
        expect(Array("\u{FF}\u{10FFFF}".utf8).base64, equals: "w7/0j7+/")
    }
}
