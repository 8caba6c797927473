import AttlasIncidents

/// Rules that could not be checked, and why.
package struct UncheckedRules: Sendable {
    package let reason: String
    /// Their ids.
    package let rules: [String]

    /// Those that miss something, by the reason, in the order of the conditions.
    static func all(_ rules: [(id: String, requires: CaptureConditions)], _ met: CaptureConditions) -> [UncheckedRules]
    {
        var groups: [String: [String]] = [:]
        for rule in rules {
            if let reason = met.missing(rule.requires) { groups[reason, default: []].append(rule.id) }
        }
        return CaptureConditions.reasons.compactMap { _, reason in
            groups.removeValue(forKey: reason).map { UncheckedRules(reason: reason, rules: $0) }
        }
    }
}
