import AttlasCapture
import AttlasIncidents
import AttlasTrace
import AttlasValues
import AttlasWire

/// The findings of `attlas lint` in one capture.
public struct LintModel: CaptureDocument {
    /// Those that were to be checked.
    package var rules: [LintRule]
    /// In the order of their first records.
    package private(set) var findings: [LintFinding]
    /// Findings of each rule, by its id, that were not kept.
    package private(set) var leftOut: [String: Int]
    /// Findings that the project knows and ignores.
    package private(set) var suppressed: [Suppression] = []

    /// Findings of one rule, and why they are left out.
    package struct Suppression: Sendable {
        package let rule: String
        package let reason: String
        package internal(set) var count: Int
    }
    /// The UUIDs that findings name by their numbers.
    package let names: UUIDNames
    public let integrity: CaptureIntegrity
    /// Incidents that break no rule; nil if they were not collected.
    package var incidents: IncidentsModel?
    /// Ids of the rules that were silent about the whole capture, or about the part after a gap, because of missing data.
    package private(set) var silent: [String]
    /// Whether its rules are the expectations of a project and nothing else.
    package internal(set) var isOfExpectations = false
    /// Rules that could not be checked, by the reason.
    package private(set) var unchecked: [UncheckedRules]
    private var peerNames: [BluetoothAddress: String]

    init(
        _ findings: LintFindings, _ names: UUIDNames, _ integrity: CaptureIntegrity, _ conditions: CaptureConditions,
        disabled: Set<String>, hasGap: Bool, in trace: borrowing Trace
    ) {
        self.integrity = integrity
        let met = conditions.union(CaptureConditions(of: trace))
        let mute = Set(LintRule.all.filter { !met.allow($0.requires) }.map(\.id))
        silent = LintRule.all.filter { mute.contains($0.id) || hasGap && $0.needsNoGap }.map(\.id)
        self.findings = findings.sorted.filter { !mute.contains($0.rule.id) }.identified(in: trace)
        leftOut = findings.leftOut.filter { !mute.contains($0.key) }
        rules = LintRule.all.filter { !disabled.contains($0.id) }
        unchecked = UncheckedRules.all(rules.map { ($0.id, $0.requires) }, met)
        self.names = names
        peerNames = [:]
        namePeers(of: self.findings, in: trace)
    }

    private mutating func namePeers(of findings: [LintFinding], in trace: borrowing Trace) {
        for address in Set(findings.compactMap(\.place.peer)) { peerNames[address] = trace.name(of: address) }
    }

    package var checkedCount: Int { rules.count - unchecked.reduce(0) { $0 + $1.rules.count } }

    /// The last name of a finding's peer.
    package func peerName(_ address: BluetoothAddress) -> String? { peerNames[address] }

    /// Gives rules other severities.
    ///
    /// - Parameter severity: gets the id of a rule; nil leaves it as it is.
    package mutating func rank(by severity: (String) -> LintRule.Severity?) {
        for index in rules.indices { rules[index].severity = severity(rules[index].id) ?? rules[index].severity }
        for index in findings.indices {
            let rule = findings[index].rule
            findings[index].rule.severity = severity(rule.id) ?? rule.severity
        }
    }

    /// Leaves findings out for which there is a reason.
    ///
    /// - Parameter reason: gets the id of a rule and a finding; nil instead of those that were counted only.
    package mutating func suppress(_ reason: (String, LintFinding?) -> String?) {
        func note(_ rule: String, _ reason: String, _ count: Int) {
            let known = suppressed.firstIndex { $0.rule == rule && $0.reason == reason }
            if known == nil { suppressed.append(Suppression(rule: rule, reason: reason, count: 0)) }
            suppressed[known ?? suppressed.count - 1].count += count
        }
        findings.removeAll { finding in
            guard let reason = reason(finding.rule.id, finding) else { return false }
            note(finding.rule.id, reason, 1)
            return true
        }
        for (rule, count) in leftOut {
            guard let reason = reason(rule, nil) else { continue }
            note(rule, reason, count)
            leftOut[rule] = nil
        }
    }

    /// Adds a project's rule and its findings.
    ///
    /// - Parameter reason: why it could not be checked.
    package mutating func add(
        _ rule: LintRule, _ found: [LintFinding], unchecked reason: String? = nil, in trace: borrowing Trace
    ) {
        rules.append(rule)
        if let reason { unchecked.append(UncheckedRules(reason: reason, rules: [rule.id])) }
        // A stable sort.
        findings = (findings + found.identified(in: trace)).sorted { $0.frame < $1.frame }
        namePeers(of: found, in: trace)
    }

    /// Leaves out all rules, for expectations.
    package mutating func removeRules() {
        incidents = nil
        (rules, findings, leftOut, silent, unchecked) = ([], [], [:], [], [])
        isOfExpectations = true
    }

    /// The incident of the same fact: of a kind that the rule knows, with a frame of the finding.
    package func incident(of finding: LintFinding) -> Incident? {
        let kinds = finding.rule.incidents
        guard let incidents, !kinds.isEmpty else { return nil }
        let frames = finding.related + [finding.frame, finding.lastFrame]
        return incidents.incidents.first { kinds.contains($0.kind) && frames.contains(where: $0.includes) }
    }

    /// The most severe first, then in the order of their frames.
    package var ranked: [LintFinding] {
        LintRule.Severity.allCases.reversed().flatMap { severity in findings.filter { $0.rule.severity == severity } }
    }

    /// The most severe one; nil if there is none.
    package var highestSeverity: LintRule.Severity? { findings.lazy.map(\.rule.severity).max() }

    package func count(of severity: LintRule.Severity) -> Int { findings.count { $0.rule.severity == severity } }
}
