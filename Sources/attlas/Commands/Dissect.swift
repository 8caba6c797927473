import ArgumentParser
import AttlasDissection
import AttlasReport
import AttlasWire

struct Dissect: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dissect",
        abstract: "Decode one attribute value.",
        discussion:
            "The exit status is 1 when the UUID is unknown, the octets are not hexadecimal, or the value ends early.")

    @Argument(
        help: "The UUID of the characteristic or descriptor (2A37, or all 128 bits), or text in its name.",
        completion: .characteristics)
    var uuid: String

    @Argument(help: "The value in hexadecimal: 0048 or \"00 48\".")
    var hex: String

    @Option(name: .customLong("op"), help: "The operation: read, write, notify or indicate.")
    var operation: AttributeAccess = .read

    @Option(
        name: .customLong("context"),
        help: ArgumentHelp(
            "A number that the layout takes from another attribute, such as \"E2E-CRC Supported=1\". May be repeated.",
            valueName: "name=number"))
    var context: [String] = []

    @Flag(help: "Print one JSON object.")
    var json = false

    @OptionGroup var options: DissectorOptions

    func run() throws {
        try options.withLibrary(run)
    }

    private func run(_ library: DissectorLibrary) throws {
        let uuid = try library.attribute(uuid)
        guard let octets = ScalarText.octets(hex) else {
            throw complaint("\"\(hex)\" is not a value; expected pairs of hexadecimal digits")
        }
        guard let dissector = library.dissector(for: uuid) else {
            let name = library.attributeName(of: uuid).map { " (\($0))" } ?? ""
            throw complaint("there is no definition of \(uuid)\(name)")
        }
        var dissection = Dissection()
        let value = Bytes(octets.span)
        dissection.context = try context(of: dissector)
        dissector.dissect(value, operation: operation, into: &dissection)
        var output = TextBuffer()
        if json {
            output.append("{\"uuid\":")
            output.append(jsonString: uuid.description)
            output.append(",\"name\":")
            output.append(jsonString: dissector.name)
            if dissector.holdsKey(dissection) {
                output.append(",\"withheld\":true,")
            } else {
                output.append(",\"value\":\"")
                output.append(hexOf: value)
                output.append("\",")
            }
            output.append(jsonOf: dissection, of: dissector, value: value)
            output.append("}\n")
        } else {
            output.append(display: dissector.name)
            output.append("  ")
            output.append(summaryOf: dissection, of: dissector, value: value)
            output.append("\n\n")
            output.append(tableOf: dissection, of: dissector, value: value)
        }
        try print(output)
        if dissection.fault != nil { throw ExitCode.failure }
    }

    private func context(of dissector: Dissector) throws -> [Int64?] {
        var values = [Int64?](repeating: nil, count: dissector.context.count)
        for text in context {
            let parts = text.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, let number = Int64(parts[1]) else {
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

    public init?(argument: String) {
        self.init(word: argument)
    }
}
