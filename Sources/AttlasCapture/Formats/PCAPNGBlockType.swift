import AttlasWire

/// The kinds of block of a pcapng file. draft-ietf-opsawg-pcapng, section 10.1.
struct PCAPNGBlockType: RawRepresentable, Equatable, Sendable {
    let rawValue: UInt32

    static let interfaceDescription = PCAPNGBlockType(rawValue: 1)
    /// Obsolete.
    static let packet = PCAPNGBlockType(rawValue: 2)
    static let simplePacket = PCAPNGBlockType(rawValue: 3)
    static let nameResolution = PCAPNGBlockType(rawValue: 4)
    static let interfaceStatistics = PCAPNGBlockType(rawValue: 5)
    static let enhancedPacket = PCAPNGBlockType(rawValue: 6)
    static let systemdJournal = PCAPNGBlockType(rawValue: 9)
    static let decryptionSecrets = PCAPNGBlockType(rawValue: 10)
    static let custom = PCAPNGBlockType(rawValue: 0x0000_0BAD)
    static let customNotToBeCopied = PCAPNGBlockType(rawValue: 0x4000_0BAD)
    /// The same in both byte orders.
    static let sectionHeader = PCAPNGBlockType(rawValue: 0x0A0D_0D0A)

    /// Octets of the smallest possible block, with its type and both lengths.
    var minimumLength: Int {
        switch self {
        case .sectionHeader: 28
        case .interfaceDescription: 20
        case .enhancedPacket, .packet: 32
        case .simplePacket: 16
        case .interfaceStatistics: 24
        default: 12
        }
    }

    /// Whether attlas looks into it.
    var isRead: Bool {
        switch self {
        case .sectionHeader, .interfaceDescription, .enhancedPacket, .packet, .simplePacket, .interfaceStatistics: true
        default: false
        }
    }

    /// Whether Wireshark gives it a frame number.
    var isFrame: Bool {
        switch self {
        case .enhancedPacket, .packet, .simplePacket, .systemdJournal, .custom, .customNotToBeCopied: true
        default: false
        }
    }

    var isKnown: Bool {
        isRead || isFrame || self == .nameResolution || self == .decryptionSecrets
    }
}

extension ByteOrder {
    /// The byte-order magic of a section header block, which begins at the first octet.
    init?(sectionHeader bytes: borrowing Bytes) {
        guard bytes.count >= 12 else { return nil }
        switch bytes.bigEndianUInt32(at: 8) {
        case 0x1A2B_3C4D: self = .big
        case 0x4D3C_2B1A: self = .little
        default: return nil
        }
    }
}

/// Calls `body` for each option of a block: code 16, length 16, value padded to 32 bits; code 0 ends them. Options that
/// go beyond the end are left out.
func forEachPCAPNGOption(
    in bytes: borrowing Bytes, _ order: ByteOrder, _ body: (_ code: UInt16, _ value: borrowing Bytes) -> Void
) {
    var offset = 0
    while offset + 4 <= bytes.count {
        let code = bytes.uint16(at: offset, order)
        let length = Int(bytes.uint16(at: offset + 2, order))
        guard code != 0, offset + 4 + length <= bytes.count else { return }
        body(code, bytes.slice(offset + 4..<offset + 4 + length))
        offset += 4 + length.paddedTo32Bits
    }
}

extension Int {
    @inlinable package var paddedTo32Bits: Int { (self + 3) & ~3 }
}
