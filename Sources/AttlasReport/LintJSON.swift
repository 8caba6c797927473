import AttlasCapture
import AttlasLint
import AttlasTrace
import AttlasWire

/// The findings of a capture, and the rules themselves, as JSON documents: Documentation/schemas/lint.schema.json and
/// lint-list.schema.json.
public struct LintJSON {
    private var json = JSONWriter()
    private let values: ValueReader

    public init(values: ValueReader) {
        self.values = values
    }

    public mutating func write(
        _ findings: LintFindings, _ trace: borrowing Trace, file: String, into output: inout Output
    ) {
        json.beginObject()
        json.key("file")
        json.string(file)
        json.key("findings")
        json.beginArray()
        for finding in findings.sorted { write(finding, in: trace) }
        json.endArray()
        json.key("count")
        json.beginObject()
        for severity in LintRule.Severity.allCases {
            json.value { text in
                text.append(jsonString: severity.rawValue)
                text.append(":")
                text.append(decimal: findings.findings.count { $0.rule.severity == severity })
            }
        }
        json.endObject()
        json.key("left_out")
        json.number(findings.leftOut.values.reduce(0, +))
        json.endObject()
        json.endLine()
        output.write(&json.text)
    }

    private mutating func write(_ finding: LintFinding, in trace: borrowing Trace) {
        json.beginObject()
        json.key("rule")
        json.string(finding.rule.id)
        json.key("severity")
        json.string(finding.rule.severity.rawValue)
        json.key("title")
        json.string(finding.rule.title)
        json.key("frame")
        json.number(finding.frame)
        if !finding.related.isEmpty {
            json.key("related_frames")
            json.beginArray()
            for frame in finding.related { json.number(frame) }
            json.endArray()
        }
        json.key("time")
        json.value { text in
            text.append("\"")
            text.append(utc: finding.time)
            text.append("\"")
        }
        json.key("count")
        json.number(finding.count)
        json.key("last_frame")
        json.number(finding.lastFrame)
        write(finding.subject, in: trace)
        json.key("message")
        json.string(finding.sentence)
        json.key("explanation")
        json.string(finding.rule.explanation)
        json.key("section")
        json.string(finding.rule.section)
        json.key("advice")
        json.string(finding.rule.advice)
        json.endObject()
    }

    private mutating func write(_ subject: LintFinding.Subject, in trace: borrowing Trace) {
        if let party = subject.party {
            json.key("by")
            json.string(party.rawValue)
        }
        if let connection = subject.connection {
            json.key("connection")
            json.number(connection)
        }
        if let peer = subject.peer {
            json.key("peer")
            json.beginObject()
            json.key("address")
            json.string(peer.description)
            json.key("address_type")
            json.string(peer.kind.rawValue)
            if let name = trace.name(of: peer) {
                json.key("name")
                json.string(name)
            }
            json.endObject()
        }
        if let server = subject.server {
            json.key("server")
            json.string(server.rawValue)
        }
        if let handle = subject.handle {
            json.key("handle")
            json.number(handle)
        }
        guard let attribute = subject.attribute else { return }
        if let service = attribute.service { write("service", service, .service, in: trace) }
        if let characteristic = attribute.characteristic {
            write("characteristic", characteristic, .characteristic, in: trace)
        }
        if attribute.role != .value { write("descriptor", attribute.type, .descriptor, in: trace) }
    }

    private mutating func write(_ key: StaticString, _ index: UUIDIndex, _ kind: NameKind, in trace: borrowing Trace) {
        let uuid = trace.uuids[index]
        json.key(key)
        json.beginObject()
        json.key("uuid")
        json.uuid(uuid)
        let name =
            kind == .service ? values.library.serviceName(of: uuid) : values.library.attributeName(of: uuid)
        if let name {
            json.key("name")
            json.string(name)
        }
        json.endObject()
    }

    // MARK: Rules

    public mutating func write(_ rules: [LintRule], into output: inout Output) {
        json.beginObject()
        json.key("rules")
        json.beginArray()
        for rule in rules {
            json.beginObject()
            json.key("rule")
            json.string(rule.id)
            json.key("severity")
            json.string(rule.severity.rawValue)
            json.key("title")
            json.string(rule.title)
            json.key("explanation")
            json.string(rule.explanation)
            json.key("section")
            json.string(rule.section)
            json.key("advice")
            json.string(rule.advice)
            json.key("needs")
            json.string(rule.needs)
            json.endObject()
        }
        json.endArray()
        json.endObject()
        json.endLine()
        output.write(&json.text)
    }
}

extension Trace {
    /// What the device of this address called itself in the end.
    func name(of address: BluetoothAddress) -> String? {
        let address = identity(of: address) ?? address
        return peers.lazy.compactMap { $0.address == address ? $0.name : nil }.first
    }
}
