import AttlasTestSupport
import AttlasWire
import Testing

@testable import AttlasAnonymize

@Suite struct SecretSearchTests {
    private func matches(_ secrets: [[UInt8]], in octets: [UInt8]) -> [SecretSearch.Match] {
        let search = SecretSearch(secrets)
        var matches: [SecretSearch.Match] = []
        var start = 0
        while let match = search.next(in: Bytes(octets.span), from: start) {
            matches.append(match)
            start = match.range.lowerBound + 1
        }
        return matches
    }

    @Test func bothOctetOrders() {
        let address = hex("001A7DDA7113")
        #expect(matches([address], in: [1, 2] + address + [3]) == [.init(secret: 0, isReversed: false, range: 2..<8)])
        #expect(
            matches([address], in: [1, 2] + address.reversed()) == [.init(secret: 0, isReversed: true, range: 2..<8)])
        #expect(matches([address], in: Array(address.dropLast()) + [0x14]) == [])
        #expect(matches([address], in: []) == [])
    }

    /// At one place the longest, so that nothing of it is left.
    @Test func secretsThatShareOctets() {
        let secrets = [hex("AABBCCDD"), hex("BBCCDDEE"), hex("CCDDEEFF00"), hex("AABBCCDDEE11")]
        #expect(matches(secrets, in: hex("AABBCCDDEEFF00")).map(\.secret) == [0, 1, 2])
        #expect(matches(secrets, in: hex("AABBCCDDEE11")).map(\.secret) == [3, 1])
        #expect(matches([hex("AAAAAAAA")], in: hex("AAAAAAAAAAAA")).map(\.range) == [0..<4, 1..<5, 2..<6])
    }

    @Test func whatIsTooShortIsLeftOut() {
        let search = SecretSearch([hex("AABBCC"), hex("AABBCCDD")])
        #expect(search.tooShort == 1 && search.count == 1)
        #expect(matches([hex("AABBCC"), hex("AABBCCDD")], in: hex("AABBCCDD")).map(\.secret) == [1])
    }

    /// As a search for one secret after the other finds them.
    @Test func manySecretsInRandomOctets() {
        var random = SplitMix64(seed: 7)
        let secrets = (0..<200).map { _ in
            (0..<Int.random(in: 4...8, using: &random)).map { _ in UInt8.random(in: 0...2, using: &random) }
        }
        let octets = (0..<2_000).map { _ in UInt8.random(in: 0...2, using: &random) }
        var starts: Set<Int> = []
        for secret in secrets {
            for order in [secret, secret.reversed()] {
                for start in 0...octets.count - order.count where Array(octets[start..<start + order.count]) == order {
                    starts.insert(start)
                }
            }
        }
        #expect(starts.count > 100)
        #expect(Set(matches(secrets, in: octets).map(\.range.lowerBound)) == starts)
    }
}
