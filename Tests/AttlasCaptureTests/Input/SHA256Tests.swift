import AttlasTestSupport
import AttlasWire
import Testing

@testable import AttlasCapture

/// The examples of FIPS 180-4 and the program of the system.
@Suite struct SHA256Tests {
    private static func hash(_ octets: [UInt8], pieces: Int = .max, by hash: SHA256 = SHA256()) -> String {
        var hash = hash
        var rest = octets[...]
        repeat {
            hash.update(Bytes(Array(rest.prefix(pieces)).span))
            rest = rest.dropFirst(pieces)
        } while !rest.isEmpty
        return hash.finish()
    }

    /// NIST, "SHA Examples", and the empty message of the SHA validation system.
    @Test(
        arguments: [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
            (
                "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
                "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
            ),
            (
                String(repeating: "a", count: 1_000_000),
                "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
            ),
        ])
    func examples(text: String, hash: String) {
        expect(Self.hash(Array(text.utf8)), equals: hash)
        expect(Self.hash(Array(text.utf8), by: SHA256(isInHardware: false)), equals: hash)
    }

    /// Every length around the ends of blocks, in pieces of any length.
    @Test func itIsThatOfSha256sum() throws {
        guard let tool = Tool("sha256sum") else { return }
        for length in [1, 54, 55, 56, 57, 63, 64, 65, 118, 119, 120, 127, 128, 129, 1_000] {
            let octets = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ length) }
            let expected = String(decoding: try tool.run([], input: octets).prefix(64), as: UTF8.self)
            for pieces in [1, 7, 63, 64, 65, .max] {
                expect(Self.hash(octets, pieces: pieces), equals: expected)
                expect(Self.hash(octets, pieces: pieces, by: SHA256(isInHardware: false)), equals: expected)
            }
        }
    }
}
