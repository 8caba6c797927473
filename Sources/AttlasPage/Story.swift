import AttlasIncidents
import AttlasLint

/// An incident on the page, with the rules of `lint` that its packets break.
struct Story {
    let incident: Incident
    /// `i3`: the end of its id.
    let id: String
    let rules: [LintRule]

    static func all(of model: ReportModel) -> [Story] {
        let rulesOfFrames = Dictionary(grouping: model.lint.findings.filter(\.isFact), by: \.frame)
        return ReportSummary(model: model).incidents.enumerated().map { index, incident in
            var rules: [LintRule] = []
            for frame in incident.toldFrames {
                for finding in rulesOfFrames[frame] ?? [] where !rules.contains(where: { $0.id == finding.rule.id }) {
                    rules.append(finding.rule)
                }
            }
            return Story(incident: incident, id: "i\(index + 1)", rules: rules)
        }
    }
}

extension Incident {
    /// Frames whose findings are the same fact.
    var toldFrames: [Int] { weight == .noted ? [] : occurrences }
}

extension LintFinding {
    /// Whether it is more than a hint.
    var isFact: Bool { rule.severity != .info }
}
