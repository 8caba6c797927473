/// What a capture has, so that rules can be checked at all.
///
/// A new condition has a bit, a reason, and a place that meets it (`met.insert`).
struct LintConditions: OptionSet, Hashable, Sendable {
    let rawValue: UInt64

    static let pdus = LintConditions(rawValue: 1 << 0)
    static let directions = LintConditions(rawValue: 1 << 1)
    static let whole = LintConditions(rawValue: 1 << 2)
    static let ended = LintConditions(rawValue: 1 << 3)
    static let knownMTU = LintConditions(rawValue: 1 << 4)
    static let exchangedMTU = LintConditions(rawValue: 1 << 5)
    static let errors = LintConditions(rawValue: 1 << 6)
    static let indications = LintConditions(rawValue: 1 << 7)
    static let preparedWrites = LintConditions(rawValue: 1 << 8)
    static let enhancedBearers = LintConditions(rawValue: 1 << 9)
    static let listed = LintConditions(rawValue: 1 << 10)
    static let declared = LintConditions(rawValue: 1 << 11)
    static let discovered = LintConditions(rawValue: 1 << 12)
    static let databaseHash = LintConditions(rawValue: 1 << 13)
    static let configured = LintConditions(rawValue: 1 << 14)
    static let reconnected = LintConditions(rawValue: 1 << 15)
    static let values = LintConditions(rawValue: 1 << 16)
    static let preferred = LintConditions(rawValue: 1 << 18)
    static let dataLength = LintConditions(rawValue: 1 << 19)
    static let paired = LintConditions(rawValue: 1 << 21)
    static let publicKeys = LintConditions(rawValue: 1 << 22)
    static let privateAddresses = LintConditions(rawValue: 1 << 23)
    static let encryptionTried = LintConditions(rawValue: 1 << 29)
    static let features = LintConditions(rawValue: 1 << 30)
    static let privacy = LintConditions(rawValue: 1 << 17)
    static let attempts = LintConditions(rawValue: 1 << 24)
    static let parameters = LintConditions(rawValue: 1 << 25)
    static let requests = LintConditions(rawValue: 1 << 26)
    static let scans = LintConditions(rawValue: 1 << 27)
    static let commandResults = LintConditions(rawValue: 1 << 28)
    static let passkeys = LintConditions(rawValue: 1 << 20)
    static let buffers = LintConditions(rawValue: 1 << 31)

    /// What to say when it is missing. Of a rule that misses several, the first is said.
    static let reasons: [(condition: LintConditions, reason: String)] = [
        (.pdus, "there is no ATT PDU"),
        (.directions, "the capture does not say who sent a packet"),
        (.whole, "no connection was captured from its start"),
        (.ended, "no connection ended in the capture"),
        (.reconnected, "no device connected twice"),
        (.listed, "nothing was discovered"),
        (.declared, "no attribute in use has its declaration in the capture (--gatt-db gives a table)"),
        (.discovered, "no discovery of all services to its end"),
        (.knownMTU, "the MTU is not known"),
        (.exchangedMTU, "no MTU exchange"),
        (.errors, "no Error Response"),
        (.indications, "no indication"),
        (.preparedWrites, "no prepared write"),
        (.enhancedBearers, "no Enhanced ATT bearer"),
        (.databaseHash, "no Database Hash was read"),
        (.configured, "no Client Characteristic Configuration was written"),
        (.values, "no value has a definition of confidence A"),
        (.attempts, "no command to connect"),
        (.parameters, "no connection parameters"),
        (.requests, "no Connection Parameter Update Request"),
        (.features, "the features of the two controllers are not in the capture"),
        (.scans, "no scan command"),
        (.commandResults, "no result of an HCI command"),
        (.preferred, "no Peripheral Preferred Connection Parameters were read"),
        (.dataLength, "the controller was not asked to report changes of the data length"),
        (.paired, "no pairing led to encryption"),
        (.publicKeys, "no Pairing Public Key"),
        (.passkeys, "no pairing by Passkey Entry with LE Secure Connections"),
        (.buffers, "the controller did not say how many packets it holds, or which of them it has sent"),
        (.encryptionTried, "no encryption was started"),
        (.privacy, "the host did not switch address resolution on"),
        (.privateAddresses, "no advertising with a resolvable private address"),
    ]
}

/// Rules that could not be checked, and why.
package struct UncheckedRules: Sendable {
    package let reason: String
    /// Their ids.
    package let rules: [String]
}

extension LintConditions {
    /// Those of the rules that miss something, by what they miss.
    ///
    /// - Parameter mute: ids of rules that need both sides, in a log of one.
    func unchecked(_ rules: [LintRule], mute: Set<String>) -> [UncheckedRules] {
        var groups: [String: [String]] = [:]
        for rule in rules {
            if mute.contains(rule.id) {
                groups[Self.oneSide, default: []].append(rule.id)
            } else if let missing = Self.reasons.first(where: {
                rule.requires.contains($0.condition) && !contains($0.condition)
            }) {
                groups[missing.reason, default: []].append(rule.id)
            }
        }
        return ([Self.oneSide] + Self.reasons.map(\.reason)).compactMap { reason in
            groups[reason].map { UncheckedRules(reason: reason, rules: $0) }
        }
    }

    private static let oneSide = "the log holds one direction only"
}
