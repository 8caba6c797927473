import AttlasTestSupport
import Testing

@testable import AttlasWire

/// Bluetooth Mesh: what can be read without a key, and what a key opens. Mesh Protocol 1.1, 3.5, 3.10 and 5.3.
@Suite struct MeshPDUTests {
    /// 8.4.2.
    @Test func anUnprovisionedDeviceBeacon() throws {
        let octets = hex("0070cf7c9732a345b691494810d2e9cbf44020d36b25b8")
        guard case .unprovisionedDevice(let beacon) = try MeshBeacon(octets.wire) else {
            Issue.record("another beacon")
            return
        }
        expect(beacon.deviceUUID.copy(), equals: hex("70cf7c9732a345b691494810d2e9cbf4"))
        expect(beacon.oobInformation, equals: 0x4020)
        expect(beacon.uriHash, equals: 0xD36B_25B8)
        let short = Array(octets[..<19])
        guard case .unprovisionedDevice(let plain) = try MeshBeacon(short.wire) else { return }
        #expect(plain.uriHash == nil)
    }

    /// 8.4.4.
    @Test func aSecureNetworkBeacon() throws {
        let octets = hex("01023ecaff672f67337012345679c2af80ad072a135c")
        guard case .secureNetwork(let beacon) = try MeshBeacon(octets.wire) else {
            Issue.record("another beacon")
            return
        }
        #expect(beacon.flags.isIVUpdate)
        #expect(!beacon.flags.isKeyRefresh)
        expect(beacon.networkID, equals: 0x3ECA_FF67_2F67_3370)
        expect(beacon.ivIndex, equals: 0x1234_5679)
        expect(beacon.authenticationValue, equals: 0xC2AF_80AD_072A_135C)
        expect(beacon.authenticated.copy(), equals: hex("023ecaff672f67337012345679"))
    }

    /// 8.4.6.1.
    @Test func aPrivateBeacon() throws {
        let octets = hex("02435f18f85cf78a3121f58478a561e488e7cbf3174f022a514741")
        guard case .meshPrivate(let beacon) = try MeshBeacon(octets.wire) else {
            Issue.record("another beacon")
            return
        }
        expect(beacon.random.copy(), equals: hex("435f18f85cf78a3121f58478a5"))
        expect(beacon.sealed.copy(), equals: hex("61e488e7cbf3174f022a514741"))
    }

    @Test func beaconsThatAreTooShort() {
        for (type, length) in [(0x00, 19), (0x01, 22), (0x02, 27)] {
            for count in 1..<length {
                let octets = [UInt8(type)] + [UInt8](repeating: 0, count: count - 1)
                #expect(throws: WireError.self) { _ = try MeshBeacon(octets.wire) }
            }
        }
        #expect(throws: WireError.self) { _ = try MeshBeacon([UInt8]().wire) }
        guard case .unknown(type: 0x07)? = try? MeshBeacon([0x07].wire) else {
            Issue.record("a type without a meaning is not unknown")
            return
        }
    }

    /// 8.3.6, 8.3.20 and 8.3.24.
    @Test func accessMessages() throws {
        let segmented = hex("8026ac01ee9dddfd2169326d23f3afdf")
        let first = try MeshTransportPDU(segmented.wire, isControl: false)
        #expect(first.isSegmented == true)
        #expect(first.usesApplicationKey == false)
        expect(first.applicationKeyIdentifier, equals: 0)
        #expect(first.opcode == nil)
        expect(first.segment, equals: .init(hasLongMIC: false, seqZero: 0x09AB, number: 0, last: 1))
        expect(first.payload.copy(), equals: hex("ee9dddfd2169326d23f3afdf"))

        let unsegmented = hex("669c9803e110fea929e9542d")
        let whole = try MeshTransportPDU(unsegmented.wire, isControl: false)
        #expect(whole.usesApplicationKey == true)
        expect(whole.applicationKeyIdentifier, equals: 0x26)
        #expect(whole.segment == nil)
        expect(whole.payload.copy(), equals: hex("9c9803e110fea929e9542d"))

        let long = hex("e6a034211c01cea6")
        let second = try MeshTransportPDU(long.wire, isControl: false)
        expect(second.segment, equals: .init(hasLongMIC: true, seqZero: 0x080D, number: 1, last: 1))
    }

    /// 8.3.1 and 8.3.7.
    @Test func controlMessages() throws {
        let request = hex("034b50057e400000010000")
        let friend = try MeshTransportPDU(request.wire, isControl: true)
        expect(friend.opcode, equals: 0x03)
        expect(friend.opcodeName?.description, equals: "Friend Request")
        #expect(friend.usesApplicationKey == nil)
        expect(friend.payload.copy(), equals: hex("4b50057e400000010000"))
        let answer = hex("00a6ac00000002")
        let acknowledgment = try MeshTransportPDU(answer.wire, isControl: true)
        expect(acknowledgment.acknowledgment, equals: .init(isOnBehalfOfAnother: true, seqZero: 0x09AB, blockAck: 2))
        expect(acknowledgment.payload.count, equals: 0)
        for count in 0..<7 {
            #expect(throws: WireError.self) { _ = try MeshTransportPDU(Array(answer[..<count]).wire, isControl: true) }
        }
    }

    /// Table 5.3 to 5.9.
    @Test(
        arguments: [
            ("23AFDE01 00 03 70CF7C9732A345B691494810D2E9CBF4", .linkOpen, 16),
            ("23AFDE01 00 07", .linkAcknowledgment, 0),
            ("23AFDE01 00 0B 01", .linkClose(reason: 1), 1), ("23AFDE01 00 0B", .linkClose(reason: nil), 0),
            ("23AFDE01 00 0F", .unknownBearerControl(opcode: 3), 0),
            ("23AFDE01 80 08 0041 D3 0302", .transactionStart(lastSegment: 2, totalLength: 65), 2),
            ("23AFDE01 80 06 AABBCC", .transactionContinuation(segment: 1), 3),
            ("23AFDE01 80 01", .transactionAcknowledgment, 0),
        ] as [(String, GenericProvisioningPDU.Kind, Int)])
    func provisioningOverAdvertising(octets: String, kind: GenericProvisioningPDU.Kind, payload: Int) throws {
        let octets = hex(octets)
        let pdu = try GenericProvisioningPDU(octets.wire)
        expect(pdu.linkID, equals: 0x23AF_DE01)
        expect(pdu.transactionNumber, equals: octets[4])
        expect(pdu.kind, equals: kind)
        expect(pdu.payload.count, equals: payload)
        for count in 0..<6 {
            #expect(throws: WireError.self) { _ = try GenericProvisioningPDU(Array(octets[..<count]).wire) }
        }
    }
}
