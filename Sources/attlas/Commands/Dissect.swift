import ArgumentParser
import AttlasDissection
import AttlasInput
import AttlasText
import AttlasWire

struct Dissect: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dissect",
        abstract: "Decode one attribute value, or advertised data.",
        discussion:
            "Pass a split message as a whole, or its parts in order. The exit status is 1 if the UUID is unknown, or if the value is "
            + "unreadable or too short.")

    @Argument(
        help:
            "A characteristic or descriptor, by UUID (2A37, or 128 bits) or part of its name; for advertised data, a service (1851) or a company (0x004C).",
        completion: .characteristics)
    var uuid: String

    @Argument(
        help:
            "The value as a log shows it: 0048, \"00 48\", 00-48, 0x0048, \"[0, 72]\", base64:AEg=; or the parts of a split message."
    )
    var hex: [String]

    @Option(
        name: .customLong("op"),
        help: "Operation: read, write, notify or indicate (default: the one whose layout fits).")
    var operation: AttributeAccess?

    @Option(
        name: .customLong("context"),
        help: ArgumentHelp(
            "A number that the layout takes from another attribute, such as \"E2E-CRC Supported=1\" or Service=0x181F. May be repeated.",
            valueName: "name=number"))
    var context: [String] = []

    @Flag(help: "Print one JSON object.")
    var json = false

    @OptionGroup var options: DissectorOptions

    func run() throws {
        try options.withLibrary(run)
    }

    private func run(_ library: DissectorLibrary) throws {
        let dissector: Dissector
        do throws(NameMistake) {
            dissector = try library.dissector(named: uuid)
        } catch {
            throw complaint(error.message)
        }
        let parts = try hex.map { text in
            guard let octets = CopiedValue.octets(text) else {
                throw complaint("\"\(text)\" is not a value; \(CopiedValue.expectation)")
            }
            return octets
        }
        let readings = try ContextFreeReading.all(
            of: parts, as: operation, by: dissector, context: context(of: dissector))
        guard let best = readings.first else {
            throw complaint(
                dissector.assembly == nil
                    ? "the values of \(dissector.name) are not split; expected one"
                    : "these parts do not make a whole message of \(dissector.name)")
        }
        var output = TextBuffer()
        let others = ContextFreeReading.alternatives(in: readings, as: operation)
        if json {
            output.append(json: best, also: others, of: dissector)
        } else {
            output.append(best, also: others, of: dissector)
        }
        try print(output)
        if best.dissection.fault != nil { throw ExitCode.failure }
    }

    private func context(of dissector: Dissector) throws -> [Int64?] {
        var values = [Int64?](repeating: nil, count: dissector.context.count)
        for text in context {
            let parts = text.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, let number = ScalarText.integer(String(parts[1])) else {
                throw complaint("\"\(text)\" is not a context; expected a name, \"=\" and a number")
            }
            guard let index = dissector.context.firstIndex(where: { $0.name == parts[0] }) else {
                let names = dissector.context.map { "\"\($0.name)\"" }.joined(separator: ", ")
                throw complaint(
                    "\(dissector.name) takes no \"\(parts[0])\" from other attributes; "
                        + (names.isEmpty ? "it takes nothing" : "it takes \(names)"))
            }
            values[index] = number
        }
        return values
    }

    private func complaint(_ message: String) -> ExitCode {
        printError(message)
        return .failure
    }
}

extension AttributeAccess: ExpressibleByArgument {
    public static var allValueStrings: [String] { allCases.map(\.word) }

    /// Word of an option, as in `allValueStrings`.
    public init?(argument: String) {
        self.init(word: argument)
    }
}
