import AttlasWire

/// A text with btsnooz logs in it: an Android bug report, or the output of `dumpsys bluetooth_manager`.
///
/// ```
/// Build fingerprint: 'brand/product/device:version/…'
/// --- BEGIN:BTSNOOP_LOG_SUMMARY (4711 bytes in) ---
/// base64 in lines
/// --- END:BTSNOOP_LOG_SUMMARY (815 bytes out) ---
/// ```
final class BugReport: CaptureContainer {
    /// Decoded octets of one log. Android's buffer holds less than one megabyte.
    private static let limit = 4 << 20

    let name: String
    let isCompressionOnly = false
    private var input: InputBuffer
    private let reason: CaptureError
    private let expansion: Expansion
    private let isOutermost: Bool
    private let decompression: any Decompression.Type
    /// ro.product.name of the phone, if dumpstate printed it.
    private var phone: String?
    private var logs = 0
    /// Whether there is no more, or no more that can be read.
    private var isAtEnd = false

    /// - Parameter refusal: The error for a file without a log.
    init(
        _ input: consuming InputBuffer, _ refusal: CaptureError, _ expansion: Expansion, isOutermost: Bool,
        _ decompression: any Decompression.Type
    ) {
        name = input.name
        self.expansion = expansion
        self.isOutermost = isOutermost
        self.decompression = decompression
        reason = refusal
        self.input = input
    }

    func next() throws(CaptureError) -> ContainerItem? {
        guard !isAtEnd else { return nil }
        // A failure would repeat each time.
        isAtEnd = true
        if logs == 0 { phone = try input.phone() }
        guard try input.skip(after: "--- BEGIN:BTSNOOP_LOG_SUMMARY"), try input.skip(after: "\n") else { return nil }
        logs += 1
        let name = logs == 1 ? "\(self.name)!/btsnooz" : "\(self.name)!/btsnooz-\(logs)"
        let offset = input.offset
        var decoder = Base64Decoder()
        let end = try readBase64(&decoder)
        isAtEnd = false
        if isOutermost { expansion.compressed = Int(clamping: input.offset) }
        let log = decoder.octets
        guard log.count >= BTSnooz.preambleLength else {
            throw CaptureError(.damaged, file: name, offset: offset, end ?? "the log is empty")
        }
        var snooz = InputBuffer(source(name, log, end))
        snooz.hardware = phone
        return .capture(snooz, BTSnooz.self)
    }

    /// Up to the line that ends the log; returns the damage, if any.
    private func readBase64(_ decoder: inout Base64Decoder) throws(CaptureError) -> String? {
        while try input.fill(1) {
            let octet = input.bytes[0]
            if octet == UInt8(ascii: "-") { return nil }
            guard decoder.take(octet) else { return "the log's base64 text contains the octet \(octet)" }
            guard decoder.octets.count <= Self.limit else { return "the log is longer than an Android log can be" }
            input.consume(1)
        }
        return "the text ends before the end of the log"
    }

    /// The input of `BTSnooz`: version, the time before the first record, records.
    private func source(_ name: String, _ log: [UInt8], _ damage: String?) -> ByteSource {
        var preamble = log.prefix(BTSnooz.preambleLength)
        let lastTime = log[1..<9].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let time = lastTime &- duration(of: log, name)
        for index in 0..<8 { preamble[1 + index] = UInt8(truncatingIfNeeded: time >> (8 * UInt64(index))) }

        let records = inflate(log)
        return ByteSource(name: name) { buffer in
            if !preamble.isEmpty {
                let part = preamble.prefix(buffer.freeCapacity)
                for octet in part { buffer.append(octet) }
                preamble = preamble.dropFirst(part.count)
                return .octets
            }
            let outcome = records.read(&buffer)
            // Damage to the text is the reason for the early end.
            if case .damaged = outcome, let damage { return .damaged(damage) }
            return outcome
        }
    }

    private func inflate(_ log: [UInt8]) -> ByteSource {
        decompression.inflate(InputBuffer(Array(log.dropFirst(BTSnooz.preambleLength)), name: name), expansion)
    }

    private func duration(of log: [UInt8], _ name: String) -> UInt64 {
        BTSnooz.duration(of: InputBuffer(inflate(log)), version: log[0])
    }

    func refusal(_ held: HeldNames) -> CaptureError { reason }
}

extension InputBuffer {
    /// The product in the fingerprint of the phone's build, which dumpstate prints in its first lines.
    fileprivate mutating func phone() throws(CaptureError) -> String? {
        let length = 4_096
        _ = try fill(length)
        let head = bytes.prefix(length)
        let label: StaticString = "\nBuild fingerprint: '"
        guard let place = head.offset(of: label) else { return nil }
        let fingerprint = head.dropFirst(place + label.utf8CodeUnitCount).prefix(128).copy()
        let fields = fingerprint.split(separator: UInt8(ascii: "/"), maxSplits: 2, omittingEmptySubsequences: false)
        guard fields.count == 3, !fields[1].isEmpty, fields[1].allSatisfy({ (0x21...0x7E).contains($0) }) else {
            return nil
        }
        return String(decoding: fields[1], as: UTF8.self)
    }
}
