import AttlasWire

/// Files that are not captures for attlas, but are handed to it: named, with what to do about them.
struct ForeignFormat: Sendable {
    /// Octets from the beginning that are looked at.
    static let signatureLength = 512

    let name: String
    let advice: String?
    private let recognizes: @Sendable (borrowing Bytes) -> Bool

    static func recognize(_ bytes: borrowing Bytes) -> ForeignFormat? {
        for format in all where format.recognizes(bytes) { return format }
        return nil
    }

    private static let decompress = "Decompress it first: reading compressed files is not supported yet."
    private static let otherLogs = "Record a btsnoop, pcap or pcapng log instead."

    /// Those that begin with a signature stand before the one that is guessed from the shape of its first records.
    private static let all: [ForeignFormat] = [
        ForeignFormat("an Ellisys trace (.btt)", "Export it from the Ellisys software as btsnoop or pcap.") {
            $0.starts(with: "Ellisys Trace File")
        },
        ForeignFormat("a gzip file", decompress) { $0.starts(with: [0x1F, 0x8B]) },
        ForeignFormat("an xz file", decompress) { $0.starts(with: [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00]) },
        ForeignFormat("a Zstandard file", decompress) { $0.starts(with: [0x28, 0xB5, 0x2F, 0xFD]) },
        ForeignFormat("an LZ4 file", decompress) { $0.starts(with: [0x04, 0x22, 0x4D, 0x18]) },
        ForeignFormat("a bzip2 file", decompress) { $0.starts(with: "BZh") },
        ForeignFormat("a 7-Zip archive", decompress) { $0.starts(with: [0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C]) },
        ForeignFormat("a zip archive, perhaps an Android bug report", decompress) {
            $0.starts(with: "PK\u{3}\u{4}") || $0.starts(with: "PK\u{5}\u{6}")
        },
        ForeignFormat("a tar archive", decompress) { $0.contains("ustar", at: 257) },
        ForeignFormat(
            "an Android bug report",
            "Take the log out of it (FS/data/misc/bluetooth/logs in the zip; btsnooz.py for a log inside the text)."
        ) { bytes in
            bytes.mentions("dumpstate") || bytes.mentions("BTSNOOP_LOG_SUMMARY")
        },
        ForeignFormat("a pcap file as modified by A. Kuznetzov", "Convert it: editcap -F pcap IN OUT.") {
            $0.starts(with: [0xA1, 0xB2, 0xCD, 0x34]) || $0.starts(with: [0x34, 0xCD, 0xB2, 0xA1])
        },
        ForeignFormat("a Solaris snoop file", nil) { $0.starts(with: "snoop\0\0\0") },
        ForeignFormat("an ELF program", nil) { $0.starts(with: "\u{7F}ELF") },
        ForeignFormat("a TI SmartRF packet sniffer file (.psd)", otherLogs) { isSmartRF($0) },
    ]

    private init(
        _ name: String, _ advice: String?, _ recognizes: @escaping @Sendable (borrowing Bytes) -> Bool
    ) {
        self.name = name
        self.advice = advice
        self.recognizes = recognizes
    }

    /// Records of 271 octets: flags 8, number 32 from 1, ticks 64, length 16, payload that begins with its own length.
    private static func isSmartRF(_ bytes: borrowing Bytes) -> Bool {
        guard bytes.count >= 271 + 5 else { return false }
        return bytes.uint32(at: 1) == 1 && bytes.uint16(at: 13) == UInt16(bytes[15]) + 1
            && bytes.uint32(at: 271 + 1) == 2
    }
}

extension CaptureReader {
    /// Why the input, which no format reader recognized, is refused.
    static func unknownFormat(_ input: inout InputBuffer) throws(CaptureError) -> CaptureError {
        let name = input.name
        // As far as it goes; a short file is no error here.
        _ = try input.fill(ForeignFormat.signatureLength)
        let bytes = input.bytes
        guard !bytes.isEmpty else {
            return CaptureError(.empty, file: name, "it is empty (0 bytes)")
        }
        if let format = ForeignFormat.recognize(bytes) {
            return CaptureError(
                .unknownFormat, file: name, "this is \(format.name), not a capture that can be read",
                advice: format.advice)
        }
        if bytes.isCutOff(from: "btsnoop\0") { return input.cutShort("the btsnoop file header", need: 16) }
        if bytes.isCutOff(from: "\n\r\r\n") { return input.cutShort("the pcapng section header", need: 28) }
        let first = bytes.prefix(16).hexadecimal
        return CaptureError(
            .unknownFormat, file: name, "not a capture of a known format; it begins with \(first)",
            advice: "btsnoop, pcap and pcapng can be read.")
    }
}

extension Bytes {
    fileprivate func starts(with octets: [UInt8]) -> Bool {
        guard count >= octets.count else { return false }
        for index in octets.indices where self[index] != octets[index] { return false }
        return true
    }

    /// Whether `text` is anywhere in the octets.
    fileprivate func mentions(_ text: StaticString) -> Bool {
        for offset in 0..<max(0, count - text.utf8CodeUnitCount + 1) where contains(text, at: offset) { return true }
        return false
    }

    /// Whether this is a file of a few octets that begins like `signature`.
    fileprivate func isCutOff(from signature: StaticString) -> Bool {
        guard count >= 4, count < 12 else { return false }
        return signature.withUTF8Buffer { wanted in
            for index in 0..<min(count, wanted.count) where self[index] != wanted[index] { return false }
            return true
        }
    }

    /// "62 74 73 …".
    fileprivate var hexadecimal: String {
        let digits = Array("0123456789abcdef")
        var text = ""
        for index in 0..<count {
            if index > 0 { text.append(" ") }
            text.append(digits[Int(self[index] >> 4)])
            text.append(digits[Int(self[index] & 0x0F)])
        }
        return text
    }
}
