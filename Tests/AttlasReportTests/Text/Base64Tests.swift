import AttlasReport
import Testing

@Suite struct Base64Tests {
    /// RFC 4648, section 10.
    @Test func theVectorsOfTheSpecification() {
        let vectors = ["", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy"]
        for (length, digits) in vectors.enumerated() { #expect(String("foobar".prefix(length)).base64 == digits) }
        #expect("\u{FF}\u{10FFFF}".base64 == "w7/0j7+/")
    }
}
