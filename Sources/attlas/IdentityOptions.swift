import ArgumentParser
import AttlasTrace
import AttlasWire

/// `--irk IRK[=ADDRESS] …`: keys by which private addresses are recognised.
///
/// A key is a secret: no message repeats what was given.
struct IdentityOptions: ParsableArguments {
    @Option(
        name: .customLong("irk"),
        help: ArgumentHelp(
            "Recognise a device by its Identity Resolving Key: 32 hexadecimal digits, the most significant octet first. With "
                + "=ADDRESS, the device goes by that: public, or static random from C0:… on; /public or /random behind it "
                + "says otherwise. May be repeated. Keys that the capture shows are used without it.",
            valueName: "irk[=address]"))
    var keys: [String] = []

    @OptionGroup var limits: LimitOptions

    func validate() throws {
        if keys.contains(where: { IdentityKey($0) == nil }) {
            throw ValidationError(
                "--irk takes 32 hexadecimal digits, and = with an address behind them if that is known.")
        }
    }

    /// A trace that knows the keys, with the limits that are asked for.
    func makeTrace() -> Trace {
        var trace = Trace(limits: limits.limits)
        for key in keys.compactMap({ IdentityKey($0) }) {
            trace.addIdentityResolvingKey(key.value, identity: key.identity)
        }
        return trace
    }
}

/// `ec0234a357c8ad05341010a60a397d9b=F2:F2:F2:F2:F2:F2`.
private struct IdentityKey {
    let value: UInt128
    var identity: BluetoothAddress?

    init?(_ text: String) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts[0].utf8.count == 32, parts[0].allSatisfy(\.isHexDigit), let value = UInt128(parts[0], radix: 16)
        else { return nil }
        self.value = value
        guard parts.count == 2 else { return }
        guard let identity = BluetoothAddress(identity: parts[1]) else { return nil }
        self.identity = identity
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
