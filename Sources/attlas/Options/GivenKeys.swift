import AttlasInput
import AttlasTrace
import AttlasWire
import CProcess
import Glibc

/// The keys that the user gave, as arguments or in files.
///
/// A key is a secret: no message repeats what was given.
struct GivenKeys {
    /// `irk`, `ltk` and `tk`: the names of the options, and the first words of the lines of a file.
    enum Kind: String, CaseIterable {
        case irk, ltk, tk

        /// What it takes.
        var expectation: String {
            switch self {
            case .irk, .ltk: "32 hexadecimal digits, optionally followed by = and an address"
            case .tk: "a passkey of up to six decimal digits, or 32 hexadecimal digits"
            }
        }
    }

    private static let fileLimit = 1 << 20

    private var identityResolvingKeys: [DeviceKey] = []
    private var longTermKeys: [DeviceKey] = []
    private var temporaryKeys: [UInt128] = []
    /// What is wrong with the files.
    private(set) var mistakes: [String] = []

    init() {}

    /// A file with a key on each line: `irk HEX[=ADDRESS]`, `ltk HEX[=ADDRESS]` or `tk KEY`. Empty lines and lines that begin with # are
    /// skipped.
    init(file path: String) {
        Self.forbidDumps()
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
            printError("\(path): other users have access to these keys; chmod 600 prevents that")
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

    /// Those of the file that the environment names.
    static let environment = SystemCalls.environment("ATTLAS_KEYS").map { GivenKeys(file: $0) } ?? GivenKeys()

    /// False when it is none.
    mutating func add(_ kind: Kind, _ text: some StringProtocol) -> Bool {
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
        }
        return true
    }

    func add(to trace: inout Trace) {
        for key in identityResolvingKeys { trace.addIdentityResolvingKey(key.value, identity: key.device) }
        for key in longTermKeys { trace.addLongTermKey(key.value, peer: key.device) }
        for key in temporaryKeys { trace.addTemporaryKey(key) }
    }

    // MARK: Other processes

    /// The arguments behind the name of the program. Other processes see no keys in them from here on.
    static func hidingArguments() -> [String] {
        let arguments = CommandLine.arguments
        for (index, argument) in arguments.enumerated() {
            for kind in Kind.allCases {
                let option = "--\(kind.rawValue)"
                if argument == option {
                    SystemCalls.hideArgument(index + 1)
                } else if argument.hasPrefix(option + "=") {
                    SystemCalls.hideArgument(index, from: option.utf8.count + 1)
                } else {
                    continue
                }
                forbidDumps()
            }
        }
        return Array(arguments.dropFirst())
    }

    /// A crash leaves no keys in a file, and other processes of the user cannot read them in this one. prctl(2), PR_SET_DUMPABLE.
    private static func forbidDumps() {
        SystemCalls.forbidCoreDumps()
        _ = attlas_forbid_dumps()
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
