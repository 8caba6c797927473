import AttlasMetrics
import AttlasText
import AttlasWire

/// The keys of a capture, a line each, and with their values in the forms that other programs take.
package struct KeysText {
    private var line: LineWriter
    private let model: KeysModel
    private let showsValues: Bool

    package init(_ model: KeysModel, showsValues: Bool, width: Int?, isColoured: Bool) {
        self.model = model
        self.showsValues = showsValues
        line = LineWriter(width: width, isColoured: isColoured)
    }

    package mutating func write(file: String?, into output: inout Output) {
        if let file {
            line.put("\(display: file)", .name)
            line.endLine()
        }
        line.putDamage(model.integrity)
        for key in model.keys { write(key) }
        if model.keys.isEmpty { line.putFolded("No keys in this capture.") }
        for unread in model.unread {
            line.putFolded(
                "connection \(unread.connection) · frame \(unread.frame): \(own: "\(unread.reason.sentence)")", .bad,
                margin: 2)
        }
        if model.forgotten > 0 { line.putFolded("\(model.forgotten) more keys are not listed", .faint) }
        if !model.keys.isEmpty, !showsValues {
            line.putFolded("The keys are withheld: --show-keys prints them, -o FILE writes them for --keys.", .faint)
        }
        line.putPart(model.integrity)
        output.write(&line.text)
    }

    /// `IRK of F2:F2:F2:F2:F2:F2 random-static · frame 90, distributed when pairing · resolves 2 addresses`
    private mutating func write(_ key: KeysModel.Key) {
        var piece = TextBuffer("\(own: key.kind.rawValue) ")
        piece.append(key.isOfHost ? "of this side" : "of")
        if let device = key.device { piece.append(" \(device) \(own: device.kind.rawValue)") }
        if key.device == nil, !key.isOfHost { piece.append(" an unknown device") }
        piece.append(" · frame \(key.frame), \(own: key.source)")
        switch key.kind {
        case .identityResolvingKey:
            piece.append(" · resolves \(key.addresses) \(key.addresses == 1 ? "address" : "addresses")")
        case .longTermKey, .shortTermKey:
            piece.append(" · encrypts \(key.connections.count, "connection")")
            if key.packets > 0 { piece.append(" · decrypts \(key.packets, "packet")") }
        case .signatureKey: piece.append(" · verifies \(key.signedWrites, "signed write")")
        case .linkKey: piece.append(" · opens no packet of this capture")
        }
        line.putFolded(piece, .name, margin: 2)
        guard showsValues else { return }
        for (name, text) in key.forms { line.putFolded("\(name): \(text)", .plain, indent: 4) }
    }
}

extension KeysModel.Key {
    /// The key as other programs take it, by the name of the form.
    package var forms: [(name: String, text: String)] {
        let octets = (0..<16).map { UInt8(truncatingIfNeeded: value >> UInt128(8 * $0)) }
        let (printed, sent) = (digits(octets.reversed()), digits(octets))
        var forms = [
            ("as the specification prints it, most significant octet first (--ltk, --irk)", printed),
            ("as sent, least significant octet first", sent),
            ("Wireshark's toolbar of the nRF Sniffer", "0x\(printed)"),
        ]
        if kind == .identityResolvingKey {
            forms += [("Home Assistant, hex", printed), ("Home Assistant, base64", octets.base64)]
        }
        return forms
    }

    /// A line of a file that `--keys` takes, if it takes this kind; else a comment.
    package var line: String {
        let octets = (0..<16).map { UInt8(truncatingIfNeeded: value >> UInt128(8 * (15 - $0))) }
        let address = device.map { "=\($0)/\($0.isRandom ? "random" : "public")" } ?? ""
        // A private address would limit the key to itself.
        let isIdentity = device.map { $0.kind != .resolvable && $0.kind != .nonResolvable } ?? false
        return switch kind {
        case .longTermKey: "ltk \(digits(octets))\n"
        // No option has its name; --ltk tries it on every connection.
        case .shortTermKey: "# STK, of one connection\nltk \(digits(octets))\n"
        case .identityResolvingKey: "irk \(digits(octets))\(isIdentity ? address : "")\n"
        case .signatureKey, .linkKey: "# \(kind.rawValue) \(digits(octets))\(address)\n"
        }
    }

    private func digits(_ octets: [UInt8]) -> String {
        var text = TextBuffer()
        for octet in octets { text.append(hex: octet, digits: 2) }
        return text.text
    }
}
