import AttlasCapture
import AttlasConversation
import AttlasDocuments
import AttlasIncidents
import AttlasLint
import AttlasMetrics
import AttlasText
import AttlasTrace
import AttlasValues

/// The problems, and the limits of the capture: sentences for every form of a report.
struct ReportSummary {
    let model: ReportModel

    /// Incidents that are written out.
    private static let incidentLimit = 20

    /// Incidents that broke something, that hindered something and that are noted, the most important of each first.
    var incidents: [Incident] { incidents(of: Incident.Weight.allCases.reversed()) }

    /// Incidents that broke or hindered something, as in `incidents`.
    var numberedIncidents: [Incident] { incidents(of: IncidentsModel.numberedWeights) }

    private func incidents(of weights: [Incident.Weight]) -> [Incident] {
        weights.flatMap { model.incidents.incidents(of: $0).prefix(Self.incidentLimit) }
    }

    /// Further incidents that `attlas why` lists, after `shown` of `all`; nil if there are none.
    func further(_ all: [Incident], than shown: [Incident]) -> String? {
        let rest = all.count - shown.count
        return rest > 0 ? "… and \(rest) more: attlas why --json lists them." : nil
    }

    /// Sentences above everything else: whether packets can be trusted, and what broke.
    var headlines: [String] {
        [model.integrity.damage?.what, model.incidents.headline].compactMap { $0.map { "\($0)." } }
    }

    /// Findings by severity, the worst round trips, how the connections ended.
    var sentences: [String] { [findings, roundTrips, ends(showsFrames: true)] }

    private var findings: String {
        let lint = model.lint
        guard let worst = LintRule.Severity.allCases.reversed().first(where: { lint.count(of: $0) > 0 }) else {
            return "No finding."
        }
        // The rules of the most severe findings, each with its first record.
        var named: [String] = []
        for finding in lint.findings where finding.rule.severity == worst {
            if !named.contains(where: { $0.hasPrefix("\(finding.rule.title) (") }) {
                named.append("\(finding.rule.title) (frame \(finding.frame))")
            }
        }
        let rest = named.count - 3
        return
            "\(lint.counts): \(named.prefix(3).joined(separator: ", "))\(rest > 0 ? " and \(counted(rest, "other kind"))" : "")."
    }

    private var roundTrips: String {
        let all = model.totals.roundTrips
        guard let p50 = all.percentile(50), let p99 = all.percentile(99) else {
            return "No request with its answer was captured."
        }
        var text = TextBuffer()
        text.append("\(all.count, "round trip"): p50 \(duration: Int64(p50) * 1_000)")
        text.append(", p99 \(duration: Int64(p99) * 1_000)")
        var slowest: SlowExchange?
        var (unanswered, timedOut) = (0, 0)
        for group in model.groups {
            if let first = group.slowest.first, first.nanoseconds > slowest?.nanoseconds ?? 0 { slowest = first }
            for row in group.exchanges {
                (unanswered, timedOut) = (unanswered + row.unanswered, timedOut + row.timedOut)
            }
        }
        if let slowest {
            text.append("; the slowest took \(duration: slowest.nanoseconds): ")
            text.append(slowest.key, model.names)
            text.append(" (frames \(slowest.requestFrame) → \(slowest.frame))")
        }
        if unanswered > 0 { text.append(string: "; \(unanswered) without an answer") }
        if timedOut > 0 { text.append(string: "; \(timedOut) over 30 s") }
        text.append(".")
        return text.text
    }

    func ends(showsFrames: Bool) -> String {
        let lives = model.connections
        guard !lives.isEmpty else { return "No connection." }
        var counts: [(text: String, frame: Int?, count: Int)] = []
        for life in lives {
            let text = life.end.map { Self.text($0) } ?? "open at the end of the capture"
            if let place = counts.firstIndex(where: { $0.text == text }) {
                counts[place].count += 1
                // Connections are listed by device, not by time.
                counts[place].frame = [counts[place].frame, life.end?.moment.frame].compactMap(\.self).min()
            } else {
                counts.append((text, life.end?.moment.frame, 1))
            }
        }
        let parts = counts.prefix(4).map { text, frame, count in
            "\(count == lives.count && count == 1 ? "" : "\(count) ")\(text)"
                + (frame.flatMap { showsFrames ? count == 1 ? " (frame \($0))" : " (first in frame \($0))" : nil } ?? "")
        }
        return "\(counted(lives.count, "connection")): \(parts.joined(separator: ", "))"
            + "\(counts.count > 4 ? " and others" : "")."
    }

    private static func text(_ end: ConnectionLife.End) -> String {
        switch end.end {
        case .superseded: "replaced without a captured end"
        case .controller(let cause): "ended by \(cause.rawValue)"
        case .reported(let status): "ended: \(status.words)"
        case .disconnected(let reason, let party):
            switch party {
            case .host: "ended by the host: \(reason.name)"
            case .peer: "ended by the peer: \(reason.name)"
            case .link: "lost: \(reason.name)"
            case .unknown: "ended: \(reason.name)"
            }
        }
    }

    /// Something that a capture does not show, with one more sentence about it.
    struct Limit {
        let text: String
        var details: String?
    }

    /// Missing data of the capture, and rules that could not be checked.
    var limits: [Limit] {
        var limits = model.integrity.sentences.map { what, advice in
            Limit(text: advice.map { "\(what). \($0)" } ?? what)
        }
        let lint = model.lint
        if !lint.unchecked.isEmpty {
            let reasons = lint.unchecked.map(\.reason).joined(separator: ", ")
            limits.append(
                Limit(
                    text: "\(lint.checkedCount) of \(lint.rules.count) rules could be checked",
                    details: "The others could not: \(reasons)."))
        }
        if !lint.silent.isEmpty {
            limits.append(
                Limit(
                    text: "\(lint.silent.count) rules are silent because of what is missing, in whole or after a gap",
                    details: "They are \(lint.silent.joined(separator: ", "))."))
        }
        if model.isSelection {
            let text = "Only a part of the capture was asked for; devices and GATT trees are those of the whole capture"
            limits.append(Limit(text: text))
        }
        return limits
    }

    private static let noDigest = "none: the capture did not come from a file that can be read again"

    /// When the first record was captured; nil without records.
    var begin: String? {
        model.integrity.extent.first.map { first in
            let zone: StaticString = model.integrity.info?.lacksZone ?? false ? "" : " UTC"
            return TextBuffer("\({ $0.append(utc: first, separator: UInt8(ascii: " "), suffix: zone) })").text
        }
    }

    /// From the first record to the last; nil if the capture has no times.
    var length: String? { model.integrity.duration.map { TextBuffer("\(duration: $0)").text } }

    /// Names and contents.
    func facts(file: String) -> [(name: String, text: String)] {
        let (integrity, totals) = (model.integrity, model.totals)
        var facts = [("File", file)]
        for digest in model.digests {
            let name = digest.file.split(separator: "/").last.map(String.init) ?? digest.file
            // The file is an archive, or one of several.
            facts.append((name == file ? "SHA-256" : "SHA-256 of \(name)", digest.sha256 ?? Self.noDigest))
        }
        if model.digests.isEmpty { facts.append(("SHA-256", Self.noDigest)) }
        if let info = integrity.info {
            facts.append(("Format", [info.format, info.linkType].filter { !$0.isEmpty }.joined(separator: ", ")))
            facts.append(("Recorded with", info.recordedWith))
            if let clock = info.radioClock { facts.append(("Clock", clock.sentence)) }
            let interfaces = info.interfaces.prefix(8).compactMap { interface in
                [interface.name, interface.description].compactMap(\.self).joined(separator: ": ")
            }.filter { !$0.isEmpty }
            if !interfaces.isEmpty { facts.append(("Interfaces", interfaces.joined(separator: ", "))) }
            for comment in info.comments.prefix(4) { facts.append(("Comment", comment)) }
        }
        facts.append(("Records", "\(integrity.extent.records)"))
        if let begin { facts.append(("Begin", begin)) }
        if let length { facts.append(("Length", length)) }
        facts.append(("Devices", "\(model.devices.devices.count + model.devices.devicesWithoutAddress.count)"))
        facts.append(("Connections", "\(model.connections.count)"))
        facts.append(("ATT operations", "\(totals.operations)"))
        facts.append(("ATT errors", "\(totals.errors)"))
        facts.append(("Complete", integrity.isComplete ? "nothing is known to be missing" : "no, see below"))
        return facts
    }
}

extension TextBuffer {
    /// `→ Read  Battery › Battery Level`
    mutating func append(_ key: RowKey, _ names: UUIDNames) {
        append(ConversationText.arrow(key.direction).0)
        append(" ")
        append(key.opcode.shortName)
        guard let attribute = key.attribute else { return }
        append(" ")
        append(attribute, names)
    }
}

extension CaptureInfo {
    /// The program, the system and the hardware, as far as the format has a place for them.
    fileprivate var recordedWith: String {
        if !recorder.isEmpty { return recorder.joined(separator: ", ") }
        if let recordingDevice { return recordingDevice }
        return switch format {
        case "pcapng": "not named in the file"
        case "PacketLogger": "PacketLogger or a log of Apple's systems, by the format; the file has no other name"
        case "hcidump": "hcidump, by the format; the file has no other name"
        case "btsnooz": "Android, by the format; the file has no other name"
        default: "not recorded in this format"
        }
    }
}

extension Incident {
    /// The event, what preceded it, the cause, and advice.
    var sentences: [String] {
        [what, before.map { "Before: \($0)" }, "Cause (\(cause.certainty.rawValue)): \(cause.text)", "Next: \(next)"]
            .compactMap(\.self)
    }
}
