import AttlasTestSupport
import AttlasWire
import Testing

@testable import AttlasAnonymize

@Suite struct SecretSearchTests {
    private func matches(
        _ secrets: [[UInt8]], addresses: [UInt64] = [], in octets: [UInt8]
    ) -> [SecretSearch.Match] {
        let search = SecretSearch(secrets, addresses: addresses)
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
        expect(
            matches([address], in: [1, 2] + address + [3]),
            equals: [
                .init(secret: .octets(0), isReversed: false, range: 2..<8)
            ])
        expect(
            matches([address], in: [1, 2] + address.reversed()),
            equals: [
                .init(secret: .octets(0), isReversed: true, range: 2..<8)
            ])
        expect(matches([address], in: Array(address.dropLast()) + [0x14]), equals: [])
        expect(matches([address], in: []), equals: [])
    }

    /// At one place the longest, so that nothing of it is left.
    @Test func secretsThatShareOctets() {
        let secrets = [hex("AABBCCDD"), hex("BBCCDDEE"), hex("CCDDEEFF00"), hex("AABBCCDDEE11")]
        expect(matches(secrets, in: hex("AABBCCDDEEFF00")).map(\.secret), equals: [.octets(0), .octets(1), .octets(2)])
        expect(matches(secrets, in: hex("AABBCCDDEE11")).map(\.secret), equals: [.octets(3), .octets(1)])
        expect(matches([hex("AAAAAAAA")], in: hex("AAAAAAAAAAAA")).map(\.range), equals: [0..<4, 1..<5, 2..<6])
    }

    @Test func whatIsTooShortIsLeftOut() {
        let search = SecretSearch([hex("AABBCC"), hex("AABBCCDD")])
        #expect(search.undistinctive == 1 && search.count == 1)
        expect(matches([hex("AABBCC"), hex("AABBCCDD")], in: hex("AABBCCDD")).map(\.secret), equals: [.octets(1)])
    }

    /// A placeholder address is in every run of zeros.
    @Test func whatIsMostlyZerosIsLeftOut() {
        let search = SecretSearch([hex("0000000A0000"), hex("FFFF0000FF01")], addresses: [0x0A, 0x0102_0000_0000])
        #expect(search.undistinctive == 4 && search.count == 0)
        expect(matches([hex("0000000A")], addresses: [0x0A], in: hex("0A00000000000A")), equals: [])
        expect(matches([], addresses: [0x0102_0300_0000], in: hex("000000030201")).map(\.secret), equals: [.address(0)])
    }

    @Test(arguments: [
        "00:1A:7D:DA:71:13", "00-1a-7d-da-71-13", "001A7DDA7113", "13:71:da:7d:1A:00", "00 1A 7D DA 71 13",
    ])
    func anAddressAsText(_ text: String) {
        let addresses: [UInt64] = [0x001A_7DDA_7112, 0x001A_7DDA_7113]
        let found = matches([], addresses: addresses, in: Array("id \(text)".utf8))
        #expect(found.map(\.secret) == [.text(ofAddress: 1)] && found.map(\.range) == [3..<3 + text.utf8.count])
        expect(matches([], addresses: addresses, in: Array("id \(text.dropLast())".utf8)), equals: [])
    }

    /// Fifty thousand names with the same first four octets: a list of them would be compared 25 million times for each kibibyte.
    @Test func namesThatBeginAlike() {
        let names = (0..<50_000).map { Array("LED-\(10_000 + $0)".utf8) }
        let search = SecretSearch(names)
        let text = names.flatMap(\.self)
        var (count, start) = (0, 0)
        while let match = search.next(in: Bytes(text.span), from: start) {
            count += match.secret == .octets(count) ? 1 : 0
            start = match.range.upperBound
        }
        expect(count, equals: names.count)
    }

    /// As a search for one secret after the other finds them.
    @Test func manySecretsInRandomOctets() {
        var random = SplitMix64(seed: 7)
        let secrets = (0..<200).map { _ in
            (0..<Int.random(in: 4...8, using: &random)).map { _ in UInt8.random(in: 1...3, using: &random) }
        }
        let octets = (0..<2_000).map { _ in UInt8.random(in: 1...3, using: &random) }
        var starts: Set<Int> = []
        for secret in secrets {
            for order in [secret, secret.reversed()] {
                for start in 0...octets.count - order.count where Array(octets[start..<start + order.count]) == order {
                    starts.insert(start)
                }
            }
        }
        #expect(starts.count > 100)
        expect(Set(matches(secrets, in: octets).map(\.range.lowerBound)), equals: starts)
    }
}
