import AttlasWire

/// The formats that libarchive is asked to open. No other data reaches it.
package enum ArchiveSignature {
    /// One file, or a tar archive: gzip and xz, and those that libarchive decompresses.
    case gzip, xz, compression
    case archive

    /// The tar signature is the last.
    static let length = 265

    /// From at most 6 octets.
    init?(_ bytes: borrowing Bytes) {
        if bytes.starts(with: "PK\u{3}\u{4}") || bytes.starts(with: "PK\u{5}\u{6}") {
            self = .archive
        } else if bytes.starts(with: [0x1F, 0x8B]) {
            self = .gzip
        } else if bytes.starts(with: [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00]) {
            self = .xz
        } else if bytes.starts(with: "BZh") || bytes.starts(with: [0x28, 0xB5, 0x2F, 0xFD])
            || bytes.starts(with: [0x04, 0x22, 0x4D, 0x18])
        {
            self = .compression
        } else {
            return nil
        }
    }

    init?(tar bytes: borrowing Bytes) {
        guard bytes.contains("ustar", at: 257) else { return nil }
        self = .archive
    }
}

extension Bytes {
    func starts(with octets: [UInt8]) -> Bool {
        guard count >= octets.count else { return false }
        for index in octets.indices where self[index] != octets[index] { return false }
        return true
    }
}
