import ArgumentParser
import AttlasDissection
import AttlasText

struct DissectorsList: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List every characteristic and descriptor with a definition.",
        discussion: "Definitions of HCI packets are only counted without --hci.")

    @Flag(help: "Print one JSON document.")
    var json = false

    @Flag(help: "Also list the definitions of HCI packets.")
    var hci = false

    @OptionGroup var options: DissectorOptions

    func run() throws {
        try options.withLibrary(run)
    }

    private func run(_ library: DissectorLibrary) throws {
        let values = library.definitions
        let packets = library.packetDefinitions
        let definitions = hci ? values + packets : values
        var output = TextBuffer()
        if json {
            append(definitions, library.coverage(values), packets, to: &output)
        } else {
            output.append(
                rows: definitions.map { definition in
                    [
                        definition.condition?.summary ?? "\(definition.key)", definition.name, "\(definition.kind)",
                        definition.confidence == .a ? "" : "confidence \(definition.confidence.rawValue)",
                        definition.isAdded ? "yours" : "",
                    ]
                    .map { text in
                        var cell = TextBuffer()
                        cell.append(display: text)
                        return cell
                    }
                })
        }
        if !json { append(library.coverage(values), packets, to: &output) }
        try print(output)
    }

    private static let packetKinds: [(kind: AttributeDefinition.Kind, plural: StaticString, key: StaticString)] = [
        (.hciCommand, "HCI commands", "commands"), (.hciResult, "HCI results", "results"),
        (.hciEvent, "HCI events", "events"), (.leEvent, "LE events", "le_events"),
        (.linkLayerControl, "LL control PDUs", "ll_control_pdus"),
        (.monitorRecord, "monitor records", "monitor_records"), (.l2capSDU, "L2CAP SDUs", "sdus"),
    ]

    private func append(
        _ coverage: DissectorLibrary.Coverage, _ packets: [DissectorLibrary.Summary], to output: inout TextBuffer
    ) {
        output.append("\n")
        output.append(decimal: coverage.defined)
        output.append(" of the ")
        output.append(decimal: coverage.assigned)
        output.append(" characteristics of the Bluetooth SIG: ")
        for confidence in Confidence.allCases {
            output.append(decimal: coverage.byConfidence[confidence] ?? 0)
            output.append(" of confidence ")
            output.append(display: confidence.rawValue)
            output.append(", ")
        }
        output.append(decimal: coverage.namedDecoders)
        output.append(" read by a named decoder\n")
        for (index, (kind, plural, _)) in Self.packetKinds.enumerated() {
            if index > 0 { output.append(", ") }
            output.append(decimal: packets.count { $0.kind == kind })
            output.append(" ")
            output.append(plural)
        }
        output.append("\n")
    }

    private func append(
        _ definitions: [DissectorLibrary.Summary], _ coverage: DissectorLibrary.Coverage,
        _ packets: [DissectorLibrary.Summary], to output: inout TextBuffer
    ) {
        output.append("{\"schema\":\"attlas/dissectors-list/1\",\"coverage\":{\"assigned\":")
        output.append(decimal: coverage.assigned)
        output.append(",\"defined\":")
        output.append(decimal: coverage.defined)
        for confidence in Confidence.allCases {
            output.append(string: ",\"confidence_\(confidence.rawValue.lowercased())\":")
            output.append(decimal: coverage.byConfidence[confidence] ?? 0)
        }
        output.append(",\"named_decoders\":")
        output.append(decimal: coverage.namedDecoders)
        output.append("},\"hci\":{")
        for (index, (kind, _, key)) in Self.packetKinds.enumerated() {
            output.append(index == 0 ? "\"" : ",\"")
            output.append(key)
            output.append("\":")
            output.append(decimal: packets.count { $0.kind == kind })
        }
        output.append("},\"definitions\":[")
        for (index, definition) in definitions.enumerated() {
            if index > 0 { output.append(",") }
            if let condition = definition.condition {
                output.append("{\"when\":")
                output.append(jsonString: condition.description)
            } else {
                let isCode = definition.kind.space.isPacket || definition.kind == .adStructure
                let isNumbered = definition.kind == .rfcommChannel || definition.kind == .l2capChannel
                output.append(isCode ? "{\"code\":" : isNumbered ? "{\"channel\":" : "{\"uuid\":")
                output.append(jsonString: "\(definition.key)")
            }
            output.append(",\"kind\":")
            output.append(jsonString: "\(definition.kind)")
            output.append(",\"name\":")
            output.append(jsonString: definition.name)
            output.append(",\"confidence\":")
            output.append(jsonString: definition.confidence.rawValue)
            if let decoder = definition.decoder {
                output.append(",\"decoder\":")
                output.append(jsonString: decoder.rawValue)
            }
            output.append(definition.isAdded ? ",\"added\":true}" : ",\"added\":false}")
        }
        output.append("]}\n")
    }
}
