import AttlasTestSupport
import AttlasTrace
import AttlasWire
import Testing

@testable import AttlasAnonymize

@Suite struct PseudonymsTests {
    private let pseudonyms = Pseudonyms(seed: [UInt8](0..<32))!
    private let others = Pseudonyms(seed: [UInt8](1..<33))!
    /// The Core Specification's sample, Vol 3, Part H, D.7: prand 708194, hash 0DFBAA.
    private let irk: UInt128 = 0xEC02_34A3_57C8_AD05_3410_10A6_0A39_7D9B

    @Test func aSeedIsLongEnough() {
        #expect(Pseudonyms(seed: [UInt8](repeating: 1, count: 31)) == nil)
    }

    @Test(arguments: [
        (0x001A_7DDA_7113 as UInt64, false), (0xF2F2_F2F2_F2F2, true), (0x1234_5678_9ABC, true),
        (0x7081_940D_FBAA, true), (0x9234_5678_9ABC, true),
    ])
    func anAddressKeepsItsKindOnly(_ value: UInt64, _ isRandom: Bool) {
        let original = BluetoothAddress(value, isRandom: isRandom)
        let replaced = pseudonyms.address(original)
        #expect(replaced.kind == original.kind && replaced != original)
        expect(replaced, equals: pseudonyms.address(original))
        #expect(replaced != others.address(original))
        #expect(replaced.value >> 24 != original.value >> 24)
    }

    /// A device is known by its key afterwards, too: a trace with the replaced key resolves the replaced address.
    @Test func aPrivateAddressResolvesWithTheReplacedKey() {
        let identity = BluetoothAddress(0xC011_2233_4455, isRandom: true)
        for prand in [0x70_8194, 0x40_0001, 0x7F_FFFE] as [UInt64] {
            let original = BluetoothAddress(prand << 24 | 0x0D_FBAA, isRandom: true)
            let replaced = pseudonyms.address(original, irk: irk)
            #expect(replaced.kind == .resolvable && replaced != original)
            var trace = Trace()
            trace.addIdentityResolvingKey(pseudonyms.key(irk), identity: pseudonyms.address(identity))
            expect(trace.identity(of: replaced), equals: pseudonyms.address(identity))
            var former = Trace()
            former.addIdentityResolvingKey(irk, identity: identity)
            #expect(former.identity(of: replaced) == nil)
        }
    }

    /// Without a key, one address stays one, and two stay two.
    @Test func addressesStayApart() {
        let addresses = (0..<1_000 as Range<UInt64>).map { BluetoothAddress(0x4000_0000_0000 | $0, isRandom: true) }
        expect(Set(addresses.map { pseudonyms.address($0) }).count, equals: 1_000)
    }

    @Test func keysAndTexts() {
        expect(pseudonyms.key(0), equals: 0)
        #expect(pseudonyms.key(irk) != irk && pseudonyms.key(irk) != others.key(irk))
        let name = Array("Anna's HRM-7 ♥".utf8)
        let text = pseudonyms.text(name)
        #expect(text.count == name.count && text != name)
        #expect(text[4] == UInt8(ascii: "'") && text[6] == UInt8(ascii: " ") && text[10] == UInt8(ascii: "-"))
        #expect((UInt8(ascii: "0")...UInt8(ascii: "9")).contains(text[11]))
        #expect(text.allSatisfy { $0 < 0x80 })
        expect(pseudonyms.text([]), equals: [])
        expect(pseudonyms.octets(name).count, equals: name.count)
        expect(pseudonyms.octets([UInt8](repeating: 0, count: 100)).count, equals: 100)
    }
}
