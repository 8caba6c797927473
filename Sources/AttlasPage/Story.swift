import AttlasIncidents
import AttlasLint
import AttlasWire

/// An incident on the page, with the findings of `lint` that are about the same packet and attribute.
struct Story {
    let incident: Incident
    /// `i3`: the end of its id.
    let id: String
    let findings: [LintFinding]

    private static let findingLimit = 50

    static func all(of model: ReportModel) -> [Story] {
        let findings = Dictionary(grouping: model.lint.findings.filter(\.canBeTold), by: \.frame)
        return ReportSummary(model: model).incidents.enumerated().map { index, incident in
            let told = incident.toldFrames.flatMap { findings[$0] ?? [] }
                .filter { $0.place.handle == incident.place.handle }.prefix(findingLimit)
            return Story(incident: incident, id: "i\(index + 1)", findings: Array(told))
        }
    }
}

extension Incident {
    /// Frames with which it became true.
    var toldFrames: [Int] { weight == .noted ? [] : occurrences }
}

extension LintFinding {
    /// Whether it is more than a hint, and about an attribute: others of one packet may be different facts.
    fileprivate var canBeTold: Bool { rule.severity != .info && place.handle != nil }

    /// Its identity among the others.
    var key: Key { Key(rule: rule.id, frame: frame, handle: place.handle) }

    struct Key: Hashable {
        let rule: String
        let frame: Int
        let handle: AttributeHandle?
    }
}
