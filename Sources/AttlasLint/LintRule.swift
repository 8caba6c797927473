import AttlasIncidents

/// A rule of `attlas lint`: its texts and its conditions. Its check is with those of its group.
package struct LintRule: Sendable {
    package enum Severity: String, CaseIterable, Sendable, Comparable {
        /// Worth knowing; nothing is broken.
        case info
        /// Works by luck, or costs time, energy or safety.
        case warning
        /// The specification forbids it, or a value is invalid.
        case error

        package static func < (first: Severity, second: Severity) -> Bool { first.rank < second.rank }

        private var rank: Int {
            switch self {
            case .info: 0
            case .warning: 1
            case .error: 2
            }
        }
    }

    /// Never changes: scripts and `--disable` name it. `group/what-is-wrong`.
    package let id: String
    package internal(set) var severity: Severity
    package let title: String
    /// Why it matters, in a sentence or two.
    package let explanation: String
    /// Section of the specification that requires it.
    package let section: String
    package let advice: String
    /// Data that the capture must have: otherwise the rule is silent.
    package let needs: String
    /// The part of `needs` that can be checked.
    let requires: CaptureConditions
    /// Whether a loss makes it silent about earlier state: open, exchanged or written.
    let needsNoGap: Bool

    init(
        _ id: String, _ severity: Severity, title: String, explanation: String, section: String, advice: String,
        needs: String, requires: CaptureConditions = [], needsNoGap: Bool = false
    ) {
        self.id = id
        self.severity = severity
        self.title = title
        self.explanation = explanation
        self.section = section
        self.advice = advice
        self.needs = needs
        self.requires = requires
        self.needsNoGap = needsNoGap
    }

    /// A rule of a project.
    package init(
        expectation id: String, _ severity: Severity, title: String, explanation: String, section: String
    ) {
        self.init(
            id, severity, title: title, explanation: explanation, section: section, advice: "", needs: "", requires: [])
    }

    /// Every rule, in the order in which they are listed.
    package static let all: [LintRule] =
        att + gatt + subscription + value + connecting + link + security + audio + practice
}
