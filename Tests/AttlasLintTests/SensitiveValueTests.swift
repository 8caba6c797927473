import AttlasLint
import AttlasTestSupport
import Testing

/// A value of each sensitive characteristic, notified in the clear in its own service.
@Suite struct SensitiveValueTests {
    /// - Parameters:
    ///   - service: the UUIDs of a Read By Group Type Response, least significant octet first.
    private func found(_ characteristic: String, service: String) -> [String] {
        let uuid = "\(characteristic.suffix(2))\(characteristic.prefix(2))"
        let group =
            service.count == 4 ? "06 1000 2000 \(service.suffix(2))\(service.prefix(2))" : "14 1000 2000 \(service)"
        return Conversation(
            """
            connect
            > 10 0100 FFFF 0028
            < 11 \(group)
            > 08 1000 2000 0328
            < 09 07 1100 10 1200 \(uuid)
            < 1B 1200 00
            """
        ).lint().findings.map(\.rule.id).filter { $0.hasPrefix("security/") }
    }

    @Test(arguments: [
        ("2AA7", "181F"), ("2B8B", "1840"), ("2BDD", "1840"), ("2A9D", "181D"),  // health
        ("2A67", "1819"), ("2A68", "1819"), ("2AAE", "1821"), ("2AAF", "1821"),  // location
        ("2A85", "181C"), ("2A9F", "181C"),  // identity
        ("2A46", "1811"),  // messages
        ("2A37", "1801"),  // in another service of the Bluetooth SIG
    ])
    func thoseThatTheManufacturerMayEncrypt(characteristic: String, service: String) {
        expect(found(characteristic, service: service), equals: ["security/personal-unencrypted"])
    }

    @Test(arguments: [
        ("2B34", "1810"), ("2B35", "1810"), ("2B36", "1810"), ("2A18", "1808"), ("2A5F", "1822"), ("2A4D", "1812"),
        ("2BB9", "184B"), ("2BC1", "184C"), ("2BC2", "184C"),
    ])
    func thoseWhoseProfileDemandsIt(characteristic: String, service: String) {
        expect(found(characteristic, service: service), equals: ["security/sensitive-unencrypted"])
    }

    /// What it means there is not known.
    @Test func aVendorsServiceHasItsOwn() {
        expect(found("2A37", service: "00000000000040008000000001000000F0".suffix(32).description), equals: [])
        expect(found("2A19", service: "180F"), equals: [])
    }
}
