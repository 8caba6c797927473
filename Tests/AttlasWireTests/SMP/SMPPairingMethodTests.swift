import AttlasTestSupport
import Testing

@testable import AttlasWire

/// Core Specification, Vol 3, Part H, 2.3.5.1.
@Suite struct SMPPairingMethodTests {
    /// Features with these IO capability, OOB data flag, AuthReq and key size.
    private func offer(_ io: UInt8, oob: UInt8 = 0, authReq: UInt8, keySize: UInt8 = 16) throws -> SMPPairingOffer {
        SMPPairingOffer(try SMPPairingFeatures([0x01, io, oob, authReq, keySize, 0, 0].wire))
    }

    /// Table 2.8, a row for each capability of the responder: with LE legacy pairing and with LE Secure Connections.
    @Test(arguments: [
        (0, "JJPJP", "JJPJP"), (1, "JJPJP", "JNPJN"), (2, "PPPJP", "PPPJP"), (3, "JJJJJ", "JJJJJ"),
        (4, "PPPJP", "PNPJN"),
    ])
    func byCapabilities(responder: UInt8, legacy: String, secure: String) throws {
        for (authReq, row) in [(UInt8(0x04), legacy), (0x0C, secure)] {
            let letters = try (UInt8(0)...4).map { initiator in
                let method = try #require(
                    SMPPairingMethod(
                        request: offer(initiator, authReq: authReq), response: offer(responder, authReq: authReq)))
                expect(method.isSecureConnections, equals: authReq == 0x0C)
                return method.association.rawValue.prefix(1)
            }
            expect(letters.joined(), equals: row)
        }
    }

    @Test func withoutManInTheMiddleProtectionItJustWorks() throws {
        let method = SMPPairingMethod(request: try offer(4, authReq: 0x09), response: try offer(4, authReq: 0x09))
        expect(method?.association, equals: .justWorks)
        #expect(method?.isBonding == true)
        // One side that wants it is enough.
        let wanted = SMPPairingMethod(request: try offer(4, authReq: 0x08), response: try offer(4, authReq: 0x0C))
        expect(wanted?.association, equals: .numericComparison)
        #expect(wanted?.isBonding == false)
    }

    @Test func outOfBandData() throws {
        // Legacy pairing needs it on both sides, Secure Connections on one.
        func association(_ first: UInt8, _ second: UInt8, authReq: UInt8) throws -> SMPPairingMethod.Association? {
            SMPPairingMethod(
                request: try offer(3, oob: first, authReq: authReq),
                response: try offer(3, oob: second, authReq: authReq)
            )?.association
        }
        try expect(association(1, 0, authReq: 0x00), equals: .justWorks)
        try expect(association(1, 1, authReq: 0x00), equals: .outOfBand)
        try expect(association(1, 0, authReq: 0x08), equals: .outOfBand)
        try expect(association(0, 1, authReq: 0x08), equals: .outOfBand)
    }

    @Test func theSmallerKeySizeIsUsed() throws {
        let method = SMPPairingMethod(
            request: try offer(3, authReq: 0x01), response: try offer(3, authReq: 0x01, keySize: 7))
        expect(method?.keySize, equals: 7)
        #expect(method?.isSecureConnections == false)
    }

    @Test func aReservedCapabilityTellsNothing() throws {
        #expect(SMPPairingMethod(request: try offer(5, authReq: 0x04), response: try offer(4, authReq: 0x04)) == nil)
    }
}
