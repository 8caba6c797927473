import AttlasInput
import AttlasTrace
import AttlasWire
import Glibc

/// The keys that the user gave, as arguments or in files.
///
/// A key is a secret: no message repeats it.
package struct GivenKeys: Sendable {
    /// `irk`, `ltk`, `tk` and `netkey`: the names of the options, and the first words of the lines of a file.
    package enum Kind: String, CaseIterable, Sendable {
        case irk, ltk, tk, netkey

        /// The accepted form.
        package var expectation: String {
            switch self {
            case .irk, .ltk: "32 hexadecimal digits, optionally followed by = and an address"
            case .tk: "a passkey of up to six decimal digits, or 32 hexadecimal digits"
            case .netkey: "32 hexadecimal digits, optionally followed by @ and the IV Index in hexadecimal"
            }
        }
    }

    private static let fileLimit = 1 << 20

    private var identityResolvingKeys: [DeviceKey] = []
    private var longTermKeys: [DeviceKey] = []
    private var temporaryKeys: [UInt128] = []
    private var netKeys: [NetKey] = []
    /// Mistakes in the files.
    package private(set) var mistakes: [String] = []
    /// Warnings about the files.
    package private(set) var warnings: [String] = []

    package init() {}

    /// A file with a key on each line: `irk HEX[=ADDRESS]`, `ltk HEX[=ADDRESS]`, `tk KEY` or `netkey HEX[@IVINDEX]`. Empty lines and
    /// lines that begin with # are skipped.
    package init(file path: String) {
        guard path != "-" else {
            mistakes = ["standard input cannot be a file with keys"]
            return
        }
        let octets: [UInt8]
        do throws(CaptureError) {
            octets = try [UInt8](contentsOf: path, limit: Self.fileLimit)
        } catch {
            mistakes = ["\(path): \(error.reason)"]
            return
        }
        if let status = SystemCalls.status(of: path), status.st_mode & S_IFMT == S_IFREG, status.st_mode & 0o077 != 0 {
            warnings = ["\(path): other users have access to these keys; chmod 600 prevents that"]
        }
        for (index, line) in octets.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated()
        {
            let words = String(decoding: line, as: UTF8.self).split(whereSeparator: \.isWhitespace)
            guard let word = words.first, !word.hasPrefix("#") else { continue }
            if let kind = Kind(rawValue: word.lowercased()) {
                if words.count == 2, add(kind, words[1]) { continue }
                mistakes.append("\(path): line \(index + 1): \(kind.rawValue) takes \(kind.expectation)")
            } else {
                let kinds = Kind.allCases.map(\.rawValue).joined(separator: ", ")
                mistakes.append("\(path): line \(index + 1): a line begins with one of \(kinds)")
            }
        }
    }

    /// Whether the environment names a file.
    package static var isInEnvironment: Bool { environmentPath != nil }

    /// The file that the environment names.
    package static var environmentPath: String? { SystemCalls.environment(variable) }

    /// Those of that file.
    package static let environment = environmentPath.map { GivenKeys(file: $0) } ?? GivenKeys()

    private static let variable = "ATTLAS_KEYS"

    /// False when it is invalid.
    package mutating func add(_ kind: Kind, _ text: some StringProtocol) -> Bool {
        switch kind {
        case .irk, .ltk:
            guard let key = DeviceKey(String(text)) else { return false }
            if kind == .irk { identityResolvingKeys.append(key) } else { longTermKeys.append(key) }
        case .tk:
            guard text.allSatisfy({ $0.isASCII && $0.isHexDigit }),
                let key = text.utf8.count == 32
                    ? UInt128(text, radix: 16) : (1...6).contains(text.utf8.count) ? UInt128(text) : nil
            else { return false }
            temporaryKeys.append(key)
        case .netkey:
            guard let key = NetKey(text) else { return false }
            netKeys.append(key)
        }
        return true
    }

    /// Takes those of `other` as well.
    package mutating func add(_ other: GivenKeys) {
        identityResolvingKeys += other.identityResolvingKeys
        longTermKeys += other.longTermKeys
        temporaryKeys += other.temporaryKeys
        netKeys += other.netKeys
    }

    package func add(to trace: inout Trace) {
        for key in identityResolvingKeys { trace.addIdentityResolvingKey(key.value, identity: key.device) }
        for key in longTermKeys { trace.addLongTermKey(key.value, peer: key.device) }
        for key in temporaryKeys { trace.addTemporaryKey(key) }
        for key in netKeys { trace.addNetKey(key.value, ivIndex: key.ivIndex) }
    }
}

/// `7dd7364cd842ad18c17c2b820c84c3d6@12345678`.
private struct NetKey {
    let value: UInt128
    var ivIndex: UInt32?

    init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts[0].utf8.count == 32, parts[0].allSatisfy(\.isHexDigit), let value = UInt128(parts[0], radix: 16)
        else { return nil }
        self.value = value
        guard parts.count == 2 else { return }
        let digits = parts[1].hasPrefix("0x") ? parts[1].dropFirst(2) : parts[1][...]
        guard digits.allSatisfy(\.isHexDigit), let ivIndex = UInt32(digits, radix: 16) else { return nil }
        self.ivIndex = ivIndex
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
