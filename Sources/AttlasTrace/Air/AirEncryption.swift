import AttlasCapture
import AttlasWire

/// The encryption of one link. Core Specification, Vol 6, Part B, 5.1.3; Vol 6, Part E.
struct AirEncryption: Sendable {
    /// PDUs beyond the last one that was decrypted at which the next is looked for: those between were missed.
    static let counterWindow = 32
    /// The same when several in a row could not be decrypted.
    static let widestWindow = 512
    /// Keys that are tried on one link.
    static let candidateLimit = 16

    struct Candidate: Sendable {
        let key: UInt128
        let cipher: LinkLayerCipher
        let source: Decryption.KeySource
    }

    /// Parts of the session key diversifier and the IV from LL_ENC_REQ.
    private(set) var skd: UInt128
    private(set) var iv: UInt64
    let rand: UInt64
    let ediv: UInt16
    let beganUnheard: Bool
    private(set) var isAnswered = false
    /// LL_START_ENC_REQ was heard, or an encrypted PDU.
    var isStarted = false
    /// Keys that may be the one, until the first PDU shows which; then that one.
    var candidates: [Candidate] = []
    private(set) var isKeyKnown = false
    private var centralCounter: UInt64 = 0
    private var peripheralCounter: UInt64 = 0
    /// PDUs in a row that could not be decrypted.
    private var failures = 0
    /// The state that was reported last.
    var reported: Decryption?
    /// Captured as plain text: after decryption, or by a writer that never encrypts.
    var isPlain = false
    /// PDUs in a row that cannot be ciphertext; others that may be plain text do not end the row.
    var plainSigns = 0
    /// PDUs that may be plain text, until it is settled.
    var held: [HeldPacket] = []

    /// Signs that settle it: a link with a million encrypted packets shows two by chance in one case of 2^40.
    static let enoughPlainSigns = 2
    static let heldLimit = 32

    /// A packet that is decoded, or left out, later.
    struct HeldPacket: Sendable {
        let pdu: [UInt8]
        let radio: RadioInfo
        let airTime: Int
        let missedEvents: Int
        /// Packets missed up to this one.
        let missed: MissedPackets
        let context: PDUContext
    }

    init(_ request: LLEncReq) {
        beganUnheard = false
        skd = UInt128(request.skd)
        iv = UInt64(request.iv)
        rand = request.rand
        ediv = request.ediv
    }

    /// Encrypted without LL_ENC_REQ.
    ///
    /// - Parameter beganUnheard: Whether nothing was heard of the beginning.
    init(beganUnheard: Bool) {
        self.beganUnheard = beganUnheard
        skd = 0
        iv = 0
        rand = 0
        ediv = 0
        isStarted = true
    }

    mutating func answer(_ response: LLEncRsp) {
        skd |= UInt128(response.skd) << 64
        iv |= UInt64(response.iv) << 32
        isAnswered = true
    }

    /// Decrypts a payload into `output`; nil if it does not come out right with any key or any counter that may be. Who sent
    /// it comes out, too, where that was not known.
    mutating func decrypt(
        _ pdu: DataPDU, _ side: Direction, into output: inout [UInt8]
    ) -> (side: Direction, source: Decryption.KeySource)? {
        let payload = pdu.payload
        guard isAnswered, pdu.missing == 0, payload.count > DataPDU.micLength else { return nil }
        let window = UInt64(
            isKeyKnown ? min(Self.widestWindow, Self.counterWindow * (1 + failures)) : Self.counterWindow)
        for candidate in candidates {
            for isCentral in [true, false] where side == .unknown || isCentral == (side == .tx) {
                let first = isCentral ? centralCounter : peripheralCounter
                for counter in first..<first + window
                where candidate.cipher.decrypt(
                    payload, header: pdu.header, counter: counter, fromCentral: isCentral, into: &output)
                {
                    if isCentral { centralCounter = counter + 1 } else { peripheralCounter = counter + 1 }
                    failures = 0
                    if !isKeyKnown { candidates = [candidate] }
                    isKeyKnown = true
                    return (isCentral ? .tx : .rx, candidate.source)
                }
            }
        }
        failures = min(failures + 1, Self.widestWindow)
        return nil
    }
}

/// Keys by which links are decrypted.
struct AirKeys: Sendable {
    /// More than any capture needs. Keys beyond it are not taken.
    static let limit = 256

    struct LongTermKey: Sendable {
        let value: UInt128
        /// For a given key: its device, if it was given too.
        var peer: BluetoothAddress?
        /// The identifiers of a distributed key in LL_ENC_REQ.
        var name: Name?

        struct Name: Sendable, Equatable {
            let rand: UInt64
            let ediv: UInt16
        }
    }

    private(set) var longTermKeys: [LongTermKey] = []
    private(set) var temporaryKeys: [UInt128] = [0]
    private(set) var hasGivenTemporaryKey = false

    mutating func add(_ key: LongTermKey) {
        guard longTermKeys.count < Self.limit else { return }
        longTermKeys.append(key)
    }

    mutating func add(temporaryKey: UInt128) {
        hasGivenTemporaryKey = true
        guard temporaryKeys.count < Self.limit, !temporaryKeys.contains(temporaryKey) else { return }
        temporaryKeys.append(temporaryKey)
    }
}

/// A legacy pairing, as far as it was heard. Core Specification, Vol 3, Part H, 2.3.5.
struct AirPairing: Sendable {
    private var request: UInt64?
    private var response: UInt64?
    private var keySize = 16
    private var confirms: (initiator: UInt128?, responder: UInt128?)
    private var randoms: (initiator: UInt128?, responder: UInt128?)
    /// Public keys were exchanged, or both sides support it: an observer cannot learn the key.
    private(set) var isSecureConnections = false
    /// A pairing was heard whose key is made of the Temporary Key.
    var isLegacy: Bool { response != nil && !isSecureConnections }
    /// Only the Temporary Key is missing.
    var isWhole: Bool {
        isLegacy && request != nil && randoms.initiator != nil && randoms.responder != nil
            && (confirms.initiator ?? confirms.responder) != nil
    }
    /// Between the PDU that brings a key and the one that names it, by side.
    private var pendingKeys: (central: UInt128?, peripheral: UInt128?)

    /// - Returns: a key that the PDU names.
    mutating func follow(_ pdu: SMPPDU, isInitiator: Bool) -> AirKeys.LongTermKey? {
        switch pdu {
        case .pairingRequest(let features):
            self = AirPairing()
            request = features.packed
            keySize = Int(features.maximumEncryptionKeySize)
            isSecureConnections = features.authReq.secureConnections
        case .pairingResponse(let features):
            response = features.packed
            keySize = min(keySize, Int(features.maximumEncryptionKeySize))
            // A request that was missed may have offered it, too.
            isSecureConnections = (request == nil || isSecureConnections) && features.authReq.secureConnections
        case .pairingPublicKey: isSecureConnections = true
        case .pairingConfirm(let pdu):
            if isInitiator { confirms.initiator = pdu.confirmValue } else { confirms.responder = pdu.confirmValue }
        case .pairingRandom(let pdu):
            if isInitiator { randoms.initiator = pdu.randomValue } else { randoms.responder = pdu.randomValue }
        case .encryptionInformation(let pdu):
            if isInitiator { pendingKeys.central = pdu.longTermKey } else { pendingKeys.peripheral = pdu.longTermKey }
        case .centralIdentification(let pdu):
            guard let key = isInitiator ? pendingKeys.central : pendingKeys.peripheral else { return nil }
            return AirKeys.LongTermKey(value: key, name: AirKeys.LongTermKey.Name(rand: pdu.rand, ediv: pdu.ediv))
        default: break
        }
        return nil
    }

    /// The Short Term Key, if one of these is the Temporary Key: the confirm value shows it.
    func shortTermKey(
        _ temporaryKeys: [UInt128], initiator: BluetoothAddress, responder: BluetoothAddress
    ) -> UInt128? {
        guard !isSecureConnections, let request, let response, let initiatorRandom = randoms.initiator,
            let responderRandom = randoms.responder
        else { return nil }
        let p1 = Self.p1(request: request, response: response, initiator, responder)
        let p2 = UInt128(initiator.value) << 48 | UInt128(responder.value)
        let key = temporaryKeys.first { key in
            if let confirm = confirms.initiator { return Self.c1(key, initiatorRandom, p1, p2) == confirm }
            if let confirm = confirms.responder { return Self.c1(key, responderRandom, p1, p2) == confirm }
            return false
        }
        return key.map {
            Self.shortened(Self.s1($0, responder: responderRandom, initiator: initiatorRandom), octets: keySize)
        }
    }

    /// Vol 3, Part H, 2.2.3.
    private static func p1(
        request: UInt64, response: UInt64, _ initiator: BluetoothAddress, _ responder: BluetoothAddress
    ) -> UInt128 {
        UInt128(response) << 72 | UInt128(request) << 16 | (responder.isRandom ? 0x100 : 0)
            | (initiator.isRandom ? 1 : 0)
    }

    /// The confirm value generation function. Vol 3, Part H, 2.2.3.
    private static func c1(_ key: UInt128, _ random: UInt128, _ p1: UInt128, _ p2: UInt128) -> UInt128 {
        AddressHash.e(key, AddressHash.e(key, random ^ p1) ^ p2)
    }

    /// The key generation function. Vol 3, Part H, 2.2.4.
    static func s1(_ key: UInt128, responder: UInt128, initiator: UInt128) -> UInt128 {
        AddressHash.e(key, responder << 64 | initiator & 0xFFFF_FFFF_FFFF_FFFF)
    }

    /// The most significant octets of a key that is to be shorter are 0. Vol 3, Part H, 2.3.4.
    static func shortened(_ key: UInt128, octets: Int) -> UInt128 {
        octets >= 16 || octets < 1 ? key : key & (1 << UInt128(8 * octets) - 1)
    }
}

extension SMPPairingFeatures {
    /// The PDU as a number of 56 bits, its code in the lowest octet.
    fileprivate var packed: UInt64 {
        (0..<7).reduce(0) { $0 | UInt64(bytes[$1]) << UInt64(8 * $1) }
    }
}
