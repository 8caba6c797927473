import AttlasWire

/// The kind of a file, detected from its first octets, never from its name.
enum InputKind {
    case capture(any FormatReader.Type)
    case archive(ArchiveSignature)
    /// Text in UTF-16, big-endian or not.
    case utf16(isBigEndian: Bool)
    /// Text with a log of packets, which begins after this number of octets.
    case log(Int, any FormatReader.Type)
    /// Text that may contain a btsnooz; and the error if it contains none.
    case text(CaptureError)
    case unknown(CaptureError)
}

extension InputBuffer {
    /// Looks at the beginning of a file, and consumes nothing.
    mutating func kind() throws(CaptureError) -> InputKind {
        // One octet more at a time: a pipe may hold no more than the header of the shortest format.
        var length = 1
        while length <= 17, try fill(length) {
            for format in CaptureReader.formats where format.recognizes(bytes) { return .capture(format) }
            if let signature = ArchiveSignature(bytes.prefix(length)) { return .archive(signature) }
            length += 1
        }
        // Fills as far as possible; a short file is not an error here.
        _ = try fill(ForeignFormat.signatureLength)
        if let signature = ArchiveSignature(tar: bytes) { return .archive(signature) }
        if let isBigEndian = UTF16Text.isBigEndian(bytes) { return .utf16(isBigEndian: isBigEndian) }
        guard bytes.prefix(ForeignFormat.signatureLength).isText else {
            let isForeign = ForeignFormat.recognize(bytes.prefix(ForeignFormat.signatureLength)) != nil
            if isForeign { return .unknown(refusal) }
            if H4Stream.isStream(bytes) { return .capture(H4Stream.self) }
            return H5Stream.isStream(bytes) ? .capture(H5Stream.self) : .unknown(refusal)
        }
        if SerialExport.isExport(bytes) { return .capture(SerialExport.self) }
        // A bug report is full of lines that look like packets.
        guard ForeignFormat.recognize(bytes.prefix(ForeignFormat.signatureLength)) == nil else { return .text(refusal) }
        return switch try findText() {
        case .log(let start): .log(start, TextLog.self)
        case .appLog(let start): .log(start, AppLog.self)
        case .snooz: .text(refusal)
        case .nothing(let miss): .text(refusal.kind == .unknownFormat && isMostlyASCII ? textRefusal(miss) : refusal)
        }
    }

    private var isMostlyASCII: Bool {
        let start = bytes.prefix(ForeignFormat.signatureLength)
        var others = 0
        for index in 0..<start.count where start[index] >= 0x80 { others += 1 }
        return others < start.count / 2
    }

    private func textRefusal(_ miss: TextMiss?) -> CaptureError {
        CaptureError(
            .unknownFormat, file: name,
            "a text without packets that attlas can read"
                + (miss.map { "; line \($0.line) looks like \($0.reason)" } ?? ""),
            advice: "It reads HCI packets: btmon, hcidump, logs of BTstack, ArduinoBLE, NimBLE, noble and "
                + "ESP-IDF, and hex dumps; and logs of nRF Connect and other apps.")
    }

    /// Why the input, which no format reader recognized, is refused.
    private var refusal: CaptureError {
        guard !bytes.isEmpty else { return CaptureError(.empty, file: name, "the file is empty (0 octets)") }
        if let format = ForeignFormat.recognize(bytes.prefix(ForeignFormat.signatureLength)) {
            return CaptureError(
                .unknownFormat, file: name, "\(format.name) is not a supported capture format",
                advice: format.advice)
        }
        if bytes.isCutOff(from: "btsnoop\0") { return cutShort("the btsnoop file header", need: 16) }
        if bytes.isCutOff(from: "\n\r\r\n") { return cutShort("the pcapng section header", need: 28) }
        return CaptureError(
            .unknownFormat, file: name,
            "unknown format; the file begins with \(bytes.prefix(16).hexadecimal)",
            advice: "Supported formats: btsnoop, pcap, pcapng, PacketLogger, hcidump, texts with packets, and "
                + "archives of them.")
    }
}

extension Bytes {
    /// Whether there are hardly any control characters but those of text: a board that is reset sends some.
    fileprivate var isText: Bool {
        var controls = 0
        for index in 0..<count {
            switch self[index] {
            case 0x09...0x0D, 0x1B, 0x20...0x7E, 0x80...0xFF: break
            default: controls += 1
            }
        }
        return controls < count && controls * 16 <= count
    }

    /// Whether this is a file of a few octets that begins like `signature`.
    fileprivate func isCutOff(from signature: StaticString) -> Bool {
        guard count >= 4, count < 12 else { return false }
        let wanted = signature.octets
        for index in 0..<min(count, wanted.count) where self[index] != wanted[index] { return false }
        return true
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
