import ArgumentParser
import AttlasTrace
import AttlasWire

/// `--irk IRK[=ADDRESS] …`: keys by which private addresses are recognised; `--ltk` and `--tk`: keys by which captures from the air
/// are decrypted.
///
/// A key is a secret: no message repeats what was given.
struct IdentityOptions: ParsableArguments {
    @Option(
        name: .customLong("irk"),
        help: ArgumentHelp(
            "Identify a device by its Identity Resolving Key: 32 hexadecimal digits, the most significant octet first. "
                + "=ADDRESS sets the identity address: public, or static random from C0:… on; add /public or /random to "
                + "override this. May be repeated. Keys in the capture are used automatically.",
            valueName: "irk[=address]"))
    var keys: [String] = []

    @Option(
        name: .customLong("ltk"),
        help: ArgumentHelp(
            "Decrypt connections in a capture from the air with this Long Term Key: 32 hexadecimal digits, the most "
                + "significant octet first. =ADDRESS limits it to connections of that device, on either side. May be repeated. "
                + "Keys in the capture are used automatically.",
            valueName: "ltk[=address]"))
    var longTermKeys: [String] = []

    @Option(
        name: .customLong("tk"),
        help: ArgumentHelp(
            "The Temporary Key of a legacy pairing in a capture from the air: the passkey, up to six decimal digits, or 32 "
                + "hexadecimal digits that were exchanged out of band. May be repeated. Just Works needs no key.",
            valueName: "key"))
    var temporaryKeys: [String] = []

    @OptionGroup var limits: LimitOptions

    func validate() throws {
        for (option, keys) in [("--irk", keys), ("--ltk", longTermKeys)]
        where keys.contains(where: { DeviceKey($0) == nil }) {
            throw ValidationError(
                "\(option) takes 32 hexadecimal digits, optionally followed by = and an address.")
        }
        if temporaryKeys.contains(where: { Self.temporaryKey($0) == nil }) {
            throw ValidationError("--tk takes a passkey of up to six decimal digits, or 32 hexadecimal digits.")
        }
    }

    private static func temporaryKey(_ text: String) -> UInt128? {
        guard text.allSatisfy({ $0.isASCII && $0.isHexDigit }) else { return nil }
        if text.utf8.count == 32 { return UInt128(text, radix: 16) }
        return (1...6).contains(text.utf8.count) ? UInt128(text) : nil
    }

    /// A trace that knows the keys, with the limits that are asked for.
    func makeTrace() -> Trace {
        var trace = Trace(limits: limits.limits)
        for key in keys.compactMap({ DeviceKey($0) }) {
            trace.addIdentityResolvingKey(key.value, identity: key.device)
        }
        for key in longTermKeys.compactMap({ DeviceKey($0) }) { trace.addLongTermKey(key.value, peer: key.device) }
        for key in temporaryKeys.compactMap({ Self.temporaryKey($0) }) { trace.addTemporaryKey(key) }
        return trace
    }
}

/// `ec0234a357c8ad05341010a60a397d9b=F2:F2:F2:F2:F2:F2`.
private struct DeviceKey {
    let value: UInt128
    var device: BluetoothAddress?

    init?(_ text: String) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts[0].utf8.count == 32, parts[0].allSatisfy(\.isHexDigit), let value = UInt128(parts[0], radix: 16)
        else { return nil }
        self.value = value
        guard parts.count == 2 else { return }
        guard let device = BluetoothAddress(identity: parts[1]) else { return nil }
        self.device = device
    }
}

extension BluetoothAddress {
    fileprivate init?(identity text: Substring) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        let octets = parts[0].split(separator: ":", omittingEmptySubsequences: false)
        guard octets.count == 6, octets.allSatisfy({ $0.utf8.count == 2 && $0.allSatisfy(\.isHexDigit) }),
            let value = UInt64(octets.joined(), radix: 16)
        else { return nil }
        switch parts.count == 2 ? parts[1] : nil {
        case nil: self.init(value, isRandom: value >> 46 == 0b11)
        case "public": self.init(value, isRandom: false)
        case "random": self.init(value, isRandom: true)
        default: return nil
        }
    }
}
