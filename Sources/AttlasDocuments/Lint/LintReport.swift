import AttlasConversation
import AttlasLint
import AttlasText

/// The findings of one capture in a document that may have several: the formats for CI.
package struct LintReport: Sendable {
    /// Relative to the current folder, where the capture is in it or below.
    let file: String
    let model: LintModel
    /// Where the records of findings begin in the file, as far as that is known.
    package var offsets: [Int: UInt64]

    package init(file: String, _ model: LintModel, offsets: [Int: UInt64] = [:]) {
        self.file = file
        self.model = model
        self.offsets = offsets
    }
}

extension [LintReport] {
    /// The rules of all captures, each once.
    var rules: [LintRule] {
        var known: Set<String> = []
        return flatMap(\.model.rules).filter { known.insert($0.id).inserted }
    }

    /// The most severe findings of all captures first; those of one severity as the captures have them.
    package var mostSevereFirst: [(report: LintReport, finding: LintFinding)] {
        let all = flatMap { report in report.model.findings.map { (report, $0) } }
        return LintRule.Severity.allCases.reversed().flatMap { severity in
            all.filter { $0.1.rule.severity == severity }
        }
    }
}

extension LintRule {
    /// Notes on a finding.
    var help: [String] {
        [explanation, advice, needs.isEmpty ? "" : "Needs in the capture: \(needs).", section].filter { !$0.isEmpty }
    }
}

extension LintModel {
    package var suppressedSentences: [String] {
        suppressed.map { "Left out: \($0.count) of \($0.rule) (\($0.reason))." }
    }

    /// `1 error · 2 warnings`
    package var counts: String {
        if isOfExpectations {
            let failed = Set(findings.map(\.rule.id)).count
            return failed == 0
                ? "Expectations met: \(rules.count) of \(rules.count)."
                : "Expectations not met: \(failed) of \(rules.count)."
        }
        if findings.isEmpty { return "Nothing found." }
        return LintRule.Severity.allCases.reversed().map { ($0, count(of: $0)) }.filter { $0.1 > 0 }
            .map { "\($1) \($0.rawValue)\($1 > 1 && $0 != .info ? "s" : "")" }.joined(separator: " · ")
    }
}

extension TextBuffer {
    /// `by the host · HRM-7 · Heart Rate › Heart Rate Measurement`
    package mutating func append(_ place: LintFinding.Place, in model: LintModel) {
        switch place.party {
        case .host: append("by the host")
        case .peer: append("by the peer")
        case .central: append("by the central")
        case .peripheral: append("by the peripheral")
        case nil: break
        }
        // A host and its controller have no peer.
        if place.party != nil, place.peer != nil || place.connection != nil || place.handle != nil { append(" · ") }
        if let peer = place.peer {
            if let name = model.peerName(peer) {
                append(display: name)
            } else {
                append(peer)
            }
        } else if let connection = place.connection {
            append("connection \(connection)")
        }
        if let attribute = place.attribute {
            let isHeard = place.party == .central || place.party == .peripheral
            append(place.server != .local ? " · " : isHeard ? " · the central's " : " · this host's ")
            if let service = attribute.service {
                append("\(display: model.names.name(service, .service)) › ")
            }
            if let characteristic = attribute.characteristic {
                append(display: model.names.name(characteristic, .characteristic))
            }
            if attribute.role != .value {
                if attribute.characteristic != nil { append(" › ") }
                append(display: model.names.name(attribute.type, .descriptor))
            }
        } else if let handle = place.handle, handle != 0 {
            append(" · \(hex: handle)")
        }
    }

    /// The event and its place, in one line without anything that could steer a terminal.
    init(_ finding: LintFinding, in model: LintModel) {
        self.init()
        append(sentenceOf: finding)
        let start = count
        append(" (")
        append(finding.place, in: model)
        if count == start + 2 { truncate(to: start) } else { append(")") }
    }
}
