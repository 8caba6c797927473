import AttlasInference
import AttlasText
import AttlasTrace
import AttlasValues
import AttlasWire

/// A device's model as YAML, to be reviewed and changed: Documentation/schemas/twin.schema.json. A line for each operation; comments have
/// names and decoded values.
package struct TwinYAML {
    private let device: TwinDevice
    private let names: UUIDNames
    private var text = TextBuffer()

    package init(_ device: TwinDevice, _ names: UUIDNames) {
        self.device = device
        self.names = names
    }

    package mutating func write(file: String, leftOut: Int, _ integrity: CaptureIntegrity, into output: inout Output) {
        line("# Written by attlas export --twin. attlas help twin describes it.")
        line("schema: attlas/twin/1")
        line("file: \(quoted(file))")
        var parts = ["side: \(device.isLocal ? "local" : "peer")"]
        if let name = device.name { parts.append("name: \(quoted(name))") }
        if let address = device.address {
            parts.append("address: \"\(address)\"")
            parts.append("address_type: \(address.kind.rawValue)")
        }
        line("device: { \(parts.joined(separator: ", ")) }")
        writeAdvertising()
        writeTables()
        writeRules()
        notes("deviations", device.deviations)
        notes("unknown", device.unknown, leftOut: leftOut)
        list("connections", device.connections) { yaml, connection in yaml.write(connection) }
        // JSON is YAML.
        var json = JSONWriter()
        json.beginObject()
        json.write(integrity, as: "missing")
        json.endObject()
        text.append("integrity: ")
        text.append(contentsOf: Array(json.text.bytes.dropFirst(#"{"missing":"#.utf8.count).dropLast()))
        line("")
        output.write(&text)
    }

    // MARK: Parts

    private mutating func writeAdvertising() {
        list("advertising", device.advertising) { yaml, advertisement in
            var parts = [
                "scan_response: \(advertisement.isScanResponse)", "connectable: \(advertisement.isConnectable)",
                "count: \(advertisement.count)",
            ]
            if let interval = advertisement.interval { parts.append("interval_us: \(interval / 1_000)") }
            parts.append("data: \(hex(advertisement.data))")
            yaml.item(parts)
        }
    }

    private mutating func writeTables() {
        list("tables", device.tables) { yaml, table in
            var parts: [String] = []
            if let until = table.until { parts.append("until_frame: \(until)") }
            if let reason = table.reason { parts.append("reason: \(quoted(reason.rawValue))") }
            var lead = "  - "
            for part in parts {
                yaml.line(lead + part)
                lead = "    "
            }
            yaml.line("\(lead)attributes:\(table.attributes.isEmpty ? " []" : "")")
            for attribute in table.attributes { yaml.write(attribute) }
        }
    }

    private mutating func write(_ attribute: TwinDevice.Attribute) {
        var parts = ["handle: \(handle(attribute.handle))"]
        if let type = attribute.type { parts.append("type: \"\(type)\"") }
        if let uuid = attribute.uuid { parts.append("uuid: \"\(uuid)\"") }
        if let target = attribute.target {
            parts.append("\(attribute.type == .include ? "included_handle" : "value_handle"): \(handle(target))")
        }
        if let end = attribute.end { parts.append("end_handle: \(handle(end))") }
        if let properties = attribute.properties {
            let words = CharacteristicProperties.names.filter { properties.contains($0.0) }.map { "\($0.1)" }
            parts.append("properties: [\(words.joined(separator: ", "))]")
        }
        let isService = attribute.type == .primaryService || attribute.type == .secondaryService
        let kind: NameKind =
            isService || attribute.type == .include ? .service : attribute.uuid == nil ? .descriptor : .characteristic
        let name = (attribute.uuid ?? attribute.type).flatMap { uuid in
            names.knownName(uuid, kind) ?? names.knownName(uuid, .characteristic)
        }
        item(parts, indent: 6, comment: name.map { name in TextBuffer("\(display: name)").text })
    }

    private mutating func writeRules() {
        list("answers", device.answers) { yaml, answer in
            var parts = [
                "write: \(handle(answer.written))", "notify: \(handle(answer.sent))",
                "after_us: \(answer.after / 1_000)", "support: \(answer.support)", "of: \(answer.count)",
            ]
            let echoes = answer.echoes.map { "{ octet: \($0.place), of_request: \($0.request), xor: \($0.inverted) }" }
            if !echoes.isEmpty { parts.append("echoes: [\(echoes.joined(separator: ", "))]") }
            yaml.item(parts)
        }
        list("readbacks", device.readbacks) { yaml, readback in
            yaml.item(["handle: \(handle(readback.handle))", "support: \(readback.support)"])
        }
        list("refusals", device.refusals) { yaml, refusal in
            var parts = [
                "handle: \(handle(refusal.handle))", "operation: \(refusal.kind.rawValue)",
                "error: \(code(refusal.error))",
            ]
            switch refusal.when {
            case .always: parts.append("when: always")
            case .unencrypted: parts.append("when: unencrypted")
            case .length(let length): parts += ["when: length", "length: \(length)"]
            case .value(let value): parts += ["when: value", "value: \(hex(value))"]
            }
            parts += ["count: \(refusal.count)", "frame: \(refusal.frame)"]
            yaml.item(parts, comment: refusal.error.name)
        }
    }

    private mutating func notes(_ key: String, _ notes: [TwinDevice.Note], leftOut: Int = 0) {
        var items = notes.map { note in
            ["note: \"\(note.text)\"", "count: \(note.count)"]
                + (note.handles.isEmpty ? [] : ["handles: [\(note.handles.map(handle).joined(separator: ", "))]"])
        }
        if leftOut > 0 { items.append(["note: \"operations over the limit of attlas\"", "count: \(leftOut)"]) }
        list(key, items) { $0.item($1) }
    }

    private mutating func write(_ connection: TwinDevice.Connection) {
        line("  - number: \(connection.number)")
        line("    frame: \(connection.frame)")
        if let mtu = connection.mtu { line("    mtu: \(mtu)") }
        if let mtu = connection.clientMTU { line("    client_mtu: \(mtu)") }
        if let parameters = connection.parameters {
            line(
                "    parameters: { interval_us: \(parameters.intervalMicroseconds), latency: \(parameters.latency), "
                    + "supervision_timeout_us: \(Int(parameters.supervisionTimeout) * 10_000) }")
        }
        for (index, ask) in connection.asked.enumerated() {
            if index == 0 { line("    asked_parameters:") }
            item(
                [
                    "at_us: \(ask.at / 1_000)", "interval_min: \(ask.intervalMin)", "interval_max: \(ask.intervalMax)",
                    "latency: \(ask.latency)", "timeout: \(ask.timeout)",
                ], indent: 6)
        }
        if let pairing = connection.pairing {
            let request = pairing.authReq
            let name = pairing.ioCapability.name ?? "NoInputNoOutput"
            line(
                "    pairing: { io_capability: \(name), bonding: \(request.bonding), mitm: \(request.mitm), "
                    + "secure_connections: \(request.secureConnections) }")
        }
        if let at = connection.securityRequest { line("    security_request_at_us: \(at / 1_000)") }
        if let at = connection.encrypted { line("    encrypted_at_us: \(at / 1_000)") }
        line("    operations:\(connection.operations.isEmpty ? " []" : "")")
        for operation in connection.operations { write(operation) }
    }

    private mutating func write(_ operation: TwinDevice.Operation) {
        var parts = [
            "frame: \(operation.frame)", "at_us: \(operation.at / 1_000)",
            "\(operation.kind.rawValue): \(handle(operation.handle))",
        ]
        if let octets = operation.octets { parts.append("value: \(hex(octets))") }
        if let error = operation.error { parts.append("error: \(code(error))") }
        if let since = operation.since { parts.append("since_frame: \(since)") }
        if let after = operation.after { parts.append("after_us: \(after / 1_000)") }
        if !operation.isAnswered, !operation.kind.isSent, operation.kind != .command { parts.append("answered: false") }
        item(parts, indent: 6, comment: comment(operation))
    }

    /// `Heart Rate Measurement: 72 bpm`
    private func comment(_ operation: TwinDevice.Operation) -> String? {
        guard let attribute = operation.attribute else { return nil }
        let kind: NameKind = attribute.role == .descriptor ? .descriptor : .characteristic
        guard let name = names.knownName(attribute.type, kind) else { return nil }
        var text = TextBuffer("\(display: name)")
        if let value = operation.value, let (dissector, dissection) = value.read() {
            text.append(": ")
            text.append(summaryOf: dissection, of: dissector, value: value.octets, isPartial: value.isPartial)
        }
        return text.text
    }

    // MARK: YAML

    private mutating func line(_ line: String) {
        text.append(string: line)
        text.append("\n")
    }

    private mutating func list<Element>(
        _ key: String, _ elements: [Element], _ write: (inout TwinYAML, Element) -> Void
    ) {
        line("\(key):\(elements.isEmpty ? " []" : "")")
        for element in elements { write(&self, element) }
    }

    private mutating func item(_ parts: [String], indent: Int = 2, comment: String? = nil) {
        let comment = comment.map { "  # \($0)" } ?? ""
        line("\(String(repeating: " ", count: indent))- { \(parts.joined(separator: ", ")) }\(comment)")
    }
}

private func handle(_ handle: AttributeHandle) -> String { TextBuffer("\(hex: handle)").text }
private func code(_ error: ATTErrorCode) -> String { TextBuffer("\(hex: error.rawValue, digits: 2)").text }
private func hex(_ octets: [UInt8]) -> String { "\"\(StartingFile.hex(octets))\"" }
/// Nothing in it that YAML does not allow, or that steers a terminal.
private func quoted(_ text: String) -> String { StartingFile.quoted(TextBuffer("\(display: text)").text) }
