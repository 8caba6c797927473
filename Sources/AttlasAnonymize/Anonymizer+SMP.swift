import AttlasTrace
import AttlasWire

/// Keys, and their inputs.
extension Anonymizer {
    mutating func anonymize(_ pdu: SMPPDU, of event: borrowing Event) {
        var edits: [Edit] = []
        var length = pdu.bytes.count
        func add(_ range: Range<Int>, _ treatment: Treatment) { edits.append(Edit(range: range, treatment: treatment)) }
        switch pdu {
        case .pairingConfirm, .pairingRandom, .pairingDHKeyCheck: (length, _) = (17, add(1..<17, .octets))
        case .encryptionInformation, .identityInformation, .signingInformation: (length, _) = (17, add(1..<17, .key))
        // EDIV stays, and Rand goes with it.
        case .centralIdentification: (length, _) = (11, add(3..<11, .octets))
        case .identityAddressInformation:
            (length, _) = (8, add(2..<8, .address(isRandom: pdu.bytes[1] & 1 == 1)))
        case .pairingPublicKey(let key):
            length = 65
            // The specification's own pair is not a secret, and it is a finding.
            if !key.isOfDebugPair {
                add(1..<33, .octets)
                add(33..<65, .octets)
            }
        case .unknown:
            length = 1
        case .pairingRequest, .pairingResponse: length = 7
        case .pairingFailed, .securityRequest, .keypressNotification: length = 2
        }
        gather(event, skipping: 0) { anonymizer, _ in
            anonymizer.edits = edits
            let count = anonymizer.scratch.count
            if count > length { anonymizer.edits.append(Edit(range: length..<count, treatment: .unknown)) }
        }
    }
}
