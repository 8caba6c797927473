import AttlasCapture
import AttlasTrace
import AttlasValues
import AttlasWire

/// What `attlas lint` found in one capture.
public struct LintModel: CaptureDocument {
    /// In the order of their first records.
    public let findings: [LintFinding]
    /// Findings of each rule, by its id, that were not kept.
    public let leftOut: [String: Int]
    /// The UUIDs that findings name by their numbers.
    public let names: UUIDNames
    public let integrity: CaptureIntegrity
    /// Ids of the rules that said nothing of the whole capture, or of what followed a gap, because of what is missing.
    public let silent: [String]
    /// Rules that were to be checked, and those that could not be.
    public let ruleCount: Int
    public let unchecked: [UncheckedRules]
    private let peerNames: [BluetoothAddress: String]

    init(
        _ findings: LintFindings, _ names: UUIDNames, _ integrity: CaptureIntegrity, _ conditions: LintConditions,
        disabled: Set<String>, hasGap: Bool, in trace: borrowing Trace
    ) {
        self.integrity = integrity
        let isOneSided = integrity.onlySide != nil
        silent = LintRule.all.filter { isOneSided && $0.needsBothSides || hasGap && $0.needsNoGap }.map(\.id)
        let mute = Set(LintRule.all.filter { isOneSided && $0.needsBothSides }.map(\.id))
        self.findings = findings.sorted.filter { !mute.contains($0.rule.id) }
        leftOut = findings.leftOut.filter { !mute.contains($0.key) }
        let rules = LintRule.all.filter { !disabled.contains($0.id) }
        ruleCount = rules.count
        unchecked = conditions.unchecked(rules, mute: mute)
        self.names = names
        var peerNames: [BluetoothAddress: String] = [:]
        for address in Set(self.findings.compactMap(\.place.peer)) {
            peerNames[address] = trace.name(of: address)
        }
        self.peerNames = peerNames
    }

    public var checkedCount: Int { ruleCount - unchecked.reduce(0) { $0 + $1.rules.count } }

    /// What the peer of a finding called itself in the end.
    public func peerName(_ address: BluetoothAddress) -> String? { peerNames[address] }

    /// The most severe one; nil if there is none.
    public var highestSeverity: LintRule.Severity? { findings.lazy.map(\.rule.severity).max() }

    public func count(of severity: LintRule.Severity) -> Int { findings.count { $0.rule.severity == severity } }
}

extension Trace {
    /// What the device of this address called itself in the end.
    fileprivate func name(of address: BluetoothAddress) -> String? {
        let address = identity(of: address) ?? address
        return peers.lazy.compactMap { $0.address == address ? $0.name : nil }.first
    }
}
