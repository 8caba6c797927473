/// What is wrong with a filter expression, and where.
public struct FilterMistake: Error, Sendable {
    public let expression: String
    /// Counted from 1, in Unicode scalars; one after the last for what is missing at the end.
    public let column: Int
    /// What is wrong and what is possible instead, without a full stop.
    public let message: String
}

extension FilterMistake: CustomStringConvertible {
    public var description: String { "column \(column): \(message)" }
}
