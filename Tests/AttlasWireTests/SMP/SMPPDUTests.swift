import AttlasTestSupport
import Testing

@testable import AttlasWire

@Suite struct SMPPDUTests {
    static let key = hex("10 0F 0E 0D 0C 0B 0A 09 08 07 06 05 04 03 02 01")
    static let keyValue: UInt128 = 0x0102_0304_0506_0708_090A_0B0C_0D0E_0F10

    @Test(arguments: ["01", "02"])
    func pairingFeatures(code: String) throws {
        let octets = hex(code + "04 01 2D 10 07 0B")
        let pairing = try SMPPairingFeatures(octets.wire)
        expect(pairing.ioCapability.name, equals: "KeyboardDisplay")
        expect(pairing.oobDataFlag, equals: 1)
        expect(pairing.authReq.bondingFlags, equals: 0b01)
        #expect(pairing.authReq.bonding == true)
        #expect(pairing.authReq.mitm == true)
        #expect(pairing.authReq.secureConnections == true)
        #expect(pairing.authReq.keypress == false)
        #expect(pairing.authReq.ct2 == true)
        expect(pairing.maximumEncryptionKeySize, equals: 16)
        expect(pairing.initiatorKeyDistribution, equals: [.encKey, .idKey, .signKey])
        expect(pairing.responderKeyDistribution, equals: [.encKey, .idKey, .linkKey])
        expectSMP(7, of: octets) { _ = try SMPPairingFeatures($0) }
    }

    @Test func authReqBits() {
        let bits = (0..<8).map { SMPAuthReq(rawValue: 1 << $0) }
        expect(bits.map(\.bonding), equals: [true, false, false, false, false, false, false, false])
        expect(bits.map(\.mitm), equals: [false, false, true, false, false, false, false, false])
        expect(bits.map(\.secureConnections), equals: [false, false, false, true, false, false, false, false])
        expect(bits.map(\.keypress), equals: [false, false, false, false, true, false, false, false])
        expect(bits.map(\.ct2), equals: [false, false, false, false, false, true, false, false])
    }

    @Test func confirmAndRandom() throws {
        let confirm = [0x03] + Self.key
        try expect(SMPPairingConfirm(confirm.wire).confirmValue, equals: Self.keyValue)
        expectSMP(17, of: confirm) { _ = try SMPPairingConfirm($0) }
        let random = [0x04] + Self.key
        try expect(SMPPairingRandom(random.wire).randomValue, equals: Self.keyValue)
        expectSMP(17, of: random) { _ = try SMPPairingRandom($0) }
    }

    @Test(arguments: [
        (0x00, "Reserved Reason"), (0x01, "Passkey Entry Failed"), (0x04, "Confirm Value Failed"),
        (0x05, "Pairing Not Supported"), (0x08, "Unspecified Reason"), (0x0B, "DHKey Check Failed"),
        (0x0F, "Key Rejected"), (0x10, "Busy"), (0x11, "Reserved Reason"), (0xFF, "Reserved Reason"),
    ])
    func failed(reason: UInt8, name: String) throws {
        let octets = [0x05, reason]
        try expect(SMPPairingFailed(octets.wire).reason.name, equals: name)
        expectSMP(2, of: octets) { _ = try SMPPairingFailed($0) }
    }

    @Test func keys() throws {
        let encryption = [0x06] + Self.key
        try expect(SMPEncryptionInformation(encryption.wire).longTermKey, equals: Self.keyValue)
        expectSMP(17, of: encryption) { _ = try SMPEncryptionInformation($0) }

        let central = hex("07 34 12 08 07 06 05 04 03 02 01")
        try expect(SMPCentralIdentification(central.wire).ediv, equals: 0x1234)
        try expect(SMPCentralIdentification(central.wire).rand, equals: 0x0102_0304_0506_0708)
        expectSMP(11, of: central) { _ = try SMPCentralIdentification($0) }

        let identity = [0x08] + Self.key
        try expect(SMPIdentityInformation(identity.wire).identityResolvingKey, equals: Self.keyValue)
        expectSMP(17, of: identity) { _ = try SMPIdentityInformation($0) }

        let signing = [0x0A] + Self.key
        try expect(SMPSigningInformation(signing.wire).signatureKey, equals: Self.keyValue)
        expectSMP(17, of: signing) { _ = try SMPSigningInformation($0) }
    }

    @Test(arguments: [(0, false), (1, true)])
    func identityAddress(type: UInt8, isRandom: Bool) throws {
        let octets = [0x09, type] + hex("04 03 02 01 DE C0")
        let information = try SMPIdentityAddressInformation(octets.wire)
        expect(information.addrType, equals: type)
        expect(information.address, equals: BluetoothAddress(0xC0DE_0102_0304, isRandom: isRandom))
        expectSMP(8, of: octets) { _ = try SMPIdentityAddressInformation($0) }
    }

    @Test func securityRequest() throws {
        let octets = hex("0B 0D")
        try expect(SMPSecurityRequest(octets.wire).authReq, equals: SMPAuthReq(rawValue: 0x0D))
        expectSMP(2, of: octets) { _ = try SMPSecurityRequest($0) }
    }

    @Test func secureConnections() throws {
        let octets = [0x0C] + [UInt8](0..<64)
        let publicKey = try SMPPairingPublicKey(octets.wire)
        expect(publicKey.x.copy(), equals: [UInt8](0..<32))
        expect(publicKey.y.copy(), equals: [UInt8](32..<64))
        expectSMP(65, of: octets) { _ = try SMPPairingPublicKey($0) }

        let check = [0x0D] + Self.key
        try expect(SMPPairingDHKeyCheck(check.wire).dhKeyCheck, equals: Self.keyValue)
        expectSMP(17, of: check) { _ = try SMPPairingDHKeyCheck($0) }

        let keypress = hex("0E 04")
        try expect(SMPKeypressNotification(keypress.wire).notificationType, equals: 4)
        try expect(SMPKeypressNotification(keypress.wire).notificationTypeName, equals: "Passkey entry completed")
        expectSMP(2, of: keypress) { _ = try SMPKeypressNotification($0) }
    }

    @Test(arguments: [
        (0x01, 7, "Pairing Request"), (0x02, 7, "Pairing Response"), (0x03, 17, "Pairing Confirm"),
        (0x04, 17, "Pairing Random"), (0x05, 2, "Pairing Failed"), (0x06, 17, "Encryption Information"),
        (0x07, 11, "Central Identification"), (0x08, 17, "Identity Information"),
        (0x09, 8, "Identity Address Information"), (0x0A, 17, "Signing Information"), (0x0B, 2, "Security Request"),
        (0x0C, 65, "Pairing Public Key"), (0x0D, 17, "Pairing DHKey Check"), (0x0E, 2, "Pairing Keypress Notification"),
        (0x00, 1, "Unknown SMP PDU"), (0x0F, 1, "Unknown SMP PDU"), (0xFF, 1, "Unknown SMP PDU"),
    ])
    func dispatch(code: Int, need: Int, name: String) throws {
        let octets = [UInt8(code)] + [UInt8](repeating: 0, count: need - 1)
        let pdu = try SMPPDU(octets.wire)
        expect(pdu.name, equals: name)
        expect(pdu.code, equals: SMPCode(rawValue: UInt8(code)))
        for length in 0..<need {
            let error = failure(Array(octets.prefix(length))) { _ = try SMPPDU($0) }
            expect(error?.layer, equals: .smp)
            expect(error?.need, equals: length == 0 ? 1 : need)
            expect(error?.have, equals: length)
        }
    }

    private func expectSMP(
        _ need: Int, of octets: [UInt8], sourceLocation: SourceLocation = #_sourceLocation,
        _ read: (Bytes) throws -> Void
    ) {
        expectNeed(need, of: octets + [0xEE], layer: .smp, sourceLocation: sourceLocation, read)
    }
}
