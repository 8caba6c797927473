import ArgumentParser
import AttlasCapture
import AttlasImport
import AttlasRecords
import AttlasTrace

/// `--irk IRK[=ADDRESS] …`: keys by which private addresses are recognised; `--ltk` and `--tk`: keys by which captures from the air
/// are decrypted; `--netkey`: keys of mesh networks; `--keys`: files of all of them; `--clock`: whose times they have.
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
            "Decrypt a legacy pairing in a capture from the air with this Temporary Key: the passkey, up to six decimal digits, "
                + "or 32 hexadecimal digits exchanged out of band. May be repeated. Just Works needs no key.",
            valueName: "key"))
    var temporaryKeys: [String] = []

    @Option(
        name: .customLong("netkey"),
        help: ArgumentHelp(
            "Decrypt the messages of a Bluetooth Mesh network with this NetKey: 32 hexadecimal digits, the most significant octet "
                + "first. @IVINDEX sets the IV Index, in hexadecimal, until a beacon in the capture has it. May be repeated.",
            valueName: "netkey[@ivindex]"))
    var netKeys: [String] = []

    @Option(
        name: .customLong("keys"),
        help: ArgumentHelp(
            "Read keys from this file, one a line: irk, ltk, tk or netkey, a space, and the value that the option takes. May be "
                + "repeated. The environment variable ATTLAS_KEYS names another file.",
            valueName: "file"),
        completion: .file(),
        transform: {
            GivenKeys.forbidDumps()
            return GivenKeys(file: FilesRead.note($0))
        })
    var files: [GivenKeys] = []

    @Option(help: "Clock of a sniffer's packets: that of its radio, where the capture has it, or of the file.")
    var clock: CaptureClock = .radio

    @Option(
        name: .customLong("utc-offset"),
        help: ArgumentHelp(
            "How far the clock of captures is ahead of UTC that do not say it, such as texts and a PacketLogger file of pymobiledevice3.",
            valueName: "+hh:mm"))
    var utcOffset: UTCOffset?

    @OptionGroup var limits: LimitOptions

    private var given: [(kind: GivenKeys.Kind, texts: [String])] {
        [(.irk, keys), (.ltk, longTermKeys), (.tk, temporaryKeys), (.netkey, netKeys)]
    }

    func validate() throws {
        CaptureClock.chosen = clock
        CaptureClock.utcOffset = utcOffset?.seconds
        var all = GivenKeys()
        for (kind, texts) in given where !texts.allSatisfy({ all.add(kind, $0) }) {
            throw ValidationError("--\(kind.rawValue) takes \(kind.expectation).")
        }
        if let path = GivenKeys.environmentPath { FilesRead.note(path) }
        let read = [.environment] + files
        let mistakes = read.flatMap(\.mistakes)
        for message in read.flatMap(\.warnings) + mistakes { printError(message) }
        if !mistakes.isEmpty { throw ExitCode(1) }
    }

    /// A trace that knows the keys, with the requested limits.
    func makeTrace() -> Trace {
        var trace = Trace(limits: limits.limits)
        var keys = GivenKeys()
        for (kind, texts) in given {
            for text in texts { _ = keys.add(kind, text) }
        }
        for keys in [keys, .environment] + files { keys.add(to: &trace) }
        return trace
    }
}

extension CaptureClock: ExpressibleByArgument {}

/// A time zone as "+02:00", "-0530", "+2" or "Z".
struct UTCOffset: ExpressibleByArgument {
    let seconds: Int64

    init?(argument: String) {
        guard let match = argument.wholeMatch(of: /Z|([+-])(\d\d?)(?::?([0-5]\d))?/) else { return nil }
        let (hours, minutes) = (Int64(match.2 ?? "0") ?? 0, Int64((match.3 ?? nil) ?? "0") ?? 0)
        let offset = hours * 3600 + minutes * 60
        guard offset <= 14 * 3600 else { return nil }
        seconds = match.1 == "-" ? -offset : offset
    }
}
