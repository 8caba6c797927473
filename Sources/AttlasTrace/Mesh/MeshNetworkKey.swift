import AttlasWire

/// A NetKey of a Bluetooth Mesh network, and the keys derived from it. Mesh Protocol 1.1, 3.9.6.3.
public struct MeshNetworkKey: Sendable {
    /// Seven bits that narrow down the keys of a Network PDU.
    public let nid: UInt8
    /// The network's name in Secure Network beacons; not a secret. 3.9.6.3.2.
    public let networkID: UInt64
    /// As it was given with the key.
    public let ivIndex: UInt32?
    private let encryption: CCM
    private let privacy: AES128
    private let beacon: CMAC
    private let privateBeacon: CCM

    /// - Parameter key: The first octet as it is written is the most significant one.
    init(_ key: UInt128, ivIndex: UInt32?) {
        let credentials = MeshDerivation.k2(key, [0x00])
        nid = credentials.nid
        encryption = CCM(key: credentials.encryptionKey)
        privacy = AES128(key: credentials.privacyKey)
        networkID = MeshDerivation.k3(key)
        beacon = CMAC(key: MeshDerivation.id128(key, salt: "nkbk"))
        privateBeacon = CCM(key: MeshDerivation.id128(key, salt: "nkpk"))
        self.ivIndex = ivIndex
    }

    /// Deobfuscates and decrypts a Network PDU; nil if its NetMIC is not right with this key and this IV Index. 3.4.4 and 3.9.7.
    ///
    /// - Parameter isProxyConfiguration: The nonce is that of a proxy configuration message. 3.9.5.4.
    public func open(_ pdu: Bytes, ivIndex: UInt32, isProxyConfiguration: Bool = false) -> MeshNetworkPDU? {
        guard pdu.count >= MeshNetworkPDU.minimumLength, pdu[0] & 0x7F == nid else { return nil }
        // Privacy Plaintext: five zeros, the IV Index, the first seven encrypted octets.
        var plaintext = UInt128(ivIndex)
        for place in 7..<14 { plaintext = plaintext << 8 | UInt128(pdu[place]) }
        let mask = UInt64(truncatingIfNeeded: privacy.encrypt(plaintext) >> 80)
        var header: UInt64 = 0
        for place in 1..<7 { header = header << 8 | UInt64(pdu[place]) }
        header ^= mask & 0xFFFF_FFFF_FFFF
        let isControl = header >> 47 & 1 != 0
        // The type of the nonce, CTL and TTL, SEQ and SRC, two zeros, the IV Index.
        let type: UInt128 = isProxyConfiguration ? 0x03 : 0x00
        let head = isProxyConfiguration ? header & 0xFF_FFFF_FFFF : header
        let nonce = type << 112 | UInt128(head) << 64 | UInt128(ivIndex) << 16
        var octets: [UInt8] = []
        guard
            encryption.decrypt(
                pdu.dropFirst(7), nonce: nonce, header: nil, micLength: isControl ? 8 : 4, into: &octets),
            octets.count >= 2
        else { return nil }
        return MeshNetworkPDU(
            ivIndex: ivIndex, isControl: isControl, isProxyConfiguration: isProxyConfiguration,
            ttl: UInt8(truncatingIfNeeded: header >> 40) & 0x7F,
            sequence: UInt32(truncatingIfNeeded: header >> 16) & 0xFF_FFFF,
            source: UInt16(truncatingIfNeeded: header), destination: UInt16(octets[0]) << 8 | UInt16(octets[1]),
            transport: Array(octets.dropFirst(2)))
    }

    /// Whether the Authentication Value of a Secure Network beacon was made with this key. 3.10.3.
    public func authenticates(_ beacon: SecureNetworkBeacon) -> Bool {
        beacon.authenticationValue
            == UInt64(truncatingIfNeeded: self.beacon.code(of: beacon.authenticated) >> 64)
    }

    /// The contents of a Mesh Private beacon; nil if it was not made with this key. Its tag and its obfuscation are those of CCM. 3.10.4.
    public func open(_ beacon: MeshPrivateBeacon) -> (flags: MeshBeaconFlags, ivIndex: UInt32)? {
        var nonce: UInt128 = 0
        for place in 0..<13 { nonce = nonce << 8 | UInt128(beacon.random[place]) }
        var octets: [UInt8] = []
        guard
            privateBeacon.decrypt(
                beacon.sealed, nonce: nonce << 16, header: nil, micLength: 8, into: &octets),
            octets.count == 5
        else { return nil }
        return (MeshBeaconFlags(rawValue: octets[0]), Bytes(octets.span).bigEndianUInt32(at: 1))
    }
}

/// A Network PDU that was decrypted. Mesh Protocol 1.1, 3.4.4.
public struct MeshNetworkPDU: Sendable, Equatable {
    /// IVI and NID, CTL and TTL, SEQ, SRC, and seven octets more, of which the obfuscation is made.
    static let minimumLength = 14

    /// The IV Index that it was decrypted with.
    public let ivIndex: UInt32
    /// CTL: a control message; otherwise an access message.
    public let isControl: Bool
    /// Decrypted with the nonce of Proxy configuration messages (Mesh Protocol 1.1, 3.9.5.4).
    public let isProxyConfiguration: Bool
    /// Time To Live, 0 to 127.
    public let ttl: UInt8
    /// Sequence Number, 24 bits.
    public let sequence: UInt32
    /// Address of the node that sent it.
    public let source: UInt16
    /// Unicast, group or virtual address.
    public let destination: UInt16
    /// The lower transport PDU. An access message in it is encrypted once more.
    public let transport: [UInt8]
}

/// The key derivation functions of Mesh Protocol 1.1, 3.9.2.
enum MeshDerivation {
    static func s1(_ message: [UInt8]) -> UInt128 { cmac(0, message) }

    static func k1(_ key: UInt128, salt: UInt128, _ message: [UInt8]) -> UInt128 {
        cmac(cmac(salt, octets(key)), message)
    }

    /// NID, EncryptionKey and PrivacyKey.
    static func k2(_ key: UInt128, _ message: [UInt8]) -> (nid: UInt8, encryptionKey: UInt128, privacyKey: UInt128) {
        let t = cmac(s1(Array("smk2".utf8)), octets(key))
        let first = cmac(t, message + [0x01])
        let second = cmac(t, octets(first) + message + [0x02])
        let third = cmac(t, octets(second) + message + [0x03])
        return (UInt8(truncatingIfNeeded: first) & 0x7F, second, third)
    }

    /// The Network ID.
    static func k3(_ key: UInt128) -> UInt64 {
        let t = cmac(s1(Array("smk3".utf8)), octets(key))
        return UInt64(truncatingIfNeeded: cmac(t, Array("id64".utf8) + [0x01]))
    }

    /// A key of 128 bits for one purpose, which the salt names. 3.9.6.3.
    static func id128(_ key: UInt128, salt: String) -> UInt128 {
        k1(key, salt: s1(Array(salt.utf8)), Array("id128".utf8) + [0x01])
    }

    private static func cmac(_ key: UInt128, _ message: [UInt8]) -> UInt128 {
        CMAC(key: key).code(of: Bytes(message.span))
    }

    private static func octets(_ value: UInt128) -> [UInt8] {
        (0..<16).map { UInt8(truncatingIfNeeded: value >> UInt128(120 - 8 * $0)) }
    }
}

extension Trace {
    /// Gives a NetKey, with which mesh messages are decrypted. To be called before the first record.
    ///
    /// - Parameter ivIndex: The IV Index of the network; nil if a beacon in the capture has it.
    public mutating func addNetKey(_ key: UInt128, ivIndex: UInt32? = nil) {
        guard meshKeys.count < Self.meshKeyLimit else { return }
        meshKeys.append(MeshNetworkKey(key, ivIndex: ivIndex))
    }

    /// Keys beyond it are not taken: each may be tried on each message.
    private static var meshKeyLimit: Int { 64 }
}
