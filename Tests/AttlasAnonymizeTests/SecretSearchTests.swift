import AttlasTestSupport
import AttlasWire
import Testing

@testable import AttlasAnonymize

@Suite struct SecretSearchTests {
    private struct Found: Equatable {
        let secret: Int
        let end: Int
    }

    private func found(_ secrets: [[UInt8]], in pieces: [[UInt8]]) -> [Found] {
        let search = SecretSearch(secrets)
        var place = SecretSearch.Place()
        var found: [Found] = []
        var start = 0
        for piece in pieces {
            search.search(Bytes(piece.span), from: &place) { secret, _, end in
                found.append(Found(secret: secret, end: start + end))
            }
            start += piece.count
        }
        return found
    }

    @Test func bothOctetOrders() {
        let address = hex("001A7DDA7113")
        #expect(found([address], in: [[1, 2] + address + [3]]) == [Found(secret: 0, end: 8)])
        #expect(found([address], in: [[1, 2] + address.reversed()]) == [Found(secret: 0, end: 8)])
        #expect(found([address], in: [Array(address.dropLast()) + [0x14]]) == [])
    }

    /// A key in the fragments of a PDU.
    @Test func acrossPieces() {
        let key = [UInt8](1...16)
        for cut in 1..<16 {
            let pieces = [[9] + key.prefix(cut), [], Array(key.dropFirst(cut)) + [9]]
            #expect(found([key], in: pieces) == [Found(secret: 0, end: 17)])
        }
    }

    @Test func secretsThatShareOctets() {
        let secrets = [hex("AABBCCDD"), hex("BBCCDDEE"), hex("CCDDEEFF00"), hex("AABBCCDDEE11")]
        #expect(
            found(secrets, in: [hex("AABBCCDDEEFF00")])
                == [Found(secret: 0, end: 4), Found(secret: 1, end: 5), Found(secret: 2, end: 7)])
        #expect(found(secrets, in: [hex("AABBCCDDEE11")]).map(\.secret) == [0, 1, 3])
        #expect(found([hex("AAAAAAAA")], in: [hex("AAAAAAAAAAAA")]).map(\.end) == [4, 5, 6])
    }

    @Test func whatIsTooShortIsLeftOut() {
        let search = SecretSearch([hex("AABBCC"), hex("AABBCCDD")])
        #expect(search.leftOut == 1)
        #expect(found([hex("AABBCC"), hex("AABBCCDD")], in: [hex("AABBCCDD")]) == [Found(secret: 1, end: 4)])
    }

    /// As a search for one secret after the other finds them.
    @Test func manySecretsInRandomOctets() {
        var random = SplitMix64(seed: 7)
        let secrets = (0..<200).map { _ in
            (0..<Int.random(in: 4...8, using: &random)).map { _ in UInt8.random(in: 0...2, using: &random) }
        }
        let octets = (0..<2_000).map { _ in UInt8.random(in: 0...2, using: &random) }
        var ends: Set<Int> = []
        for secret in secrets {
            for order in [secret, secret.reversed()] {
                for start in 0...octets.count - order.count where Array(octets[start..<start + order.count]) == order {
                    ends.insert(start + order.count)
                }
            }
        }
        #expect(ends.count > 100)
        #expect(Set(found(secrets, in: [octets]).map(\.end)) == ends)
    }
}
