/// What is proposed for the values of one direction, or for the messages that these are parts of.
package struct InferredLayout: Sendable {
    /// nil if each value is a message.
    package var messages: InferredMessages?
    package var dialect: InferredDialect?
    package var relations: [InferredRelation] = []
    /// Values, or messages, that it was inferred from.
    package let count: Int
    package let distinct: Int
    /// Octets of all of these.
    package let octets: Int
    package let lengths: ClosedRange<Int>
    package let groups: [Group]
    /// About all values.
    package internal(set) var doubts: [String]

    /// Values with one layout.
    package struct Group: Sendable {
        package let selector: GroupSelector
        package let count: Int
        package let distinct: Int
        package let lengths: ClosedRange<Int>
        /// All octets of the shortest value, in their order; of values with several lengths those before the rest, then those after it,
        /// whose places count from the end.
        package let fields: [InferredField]
        /// Values for examples: positions in the series.
        package let examples: [Int]

        package var isVariable: Bool { lengths.count > 1 || lengths.lowerBound > InferenceLimits.longest }
        package var claims: [InferredField] { fields.filter(\.isClaim) }
    }

    /// Whether an octet of the value selects the layout.
    var hasOpcode: Bool { groups.contains { if case .opcode = $0.selector { true } else { false } } }

    package var claims: Int {
        groups.reduce((messages == nil ? 0 : 1) + (dialect == nil ? 0 : 1) + relations.count) { $0 + $1.claims.count }
    }
    /// Octets with a claim that says more than that they are encrypted.
    package var explained: Int {
        if let dialect, !dialect.dialect.hasFields { return dialect.dialect.isText ? octets : 0 }
        return groups.reduce(0) { sum, group in
            sum + group.count * group.claims.reduce(0) { $0 + ($1.kind == .scrambled ? 0 : $1.width) }
        }
    }
    package var hasClaims: Bool { claims > 0 }
}
