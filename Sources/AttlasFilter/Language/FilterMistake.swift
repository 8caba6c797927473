/// What is wrong with a filter expression, and where.
package struct FilterMistake: Error, Sendable {
    package let expression: String
    /// Counted from 1, in Unicode scalars; one after the last for what is missing at the end.
    package let column: Int
    /// What is wrong and what is possible instead, without a full stop.
    package let message: String
}

extension FilterMistake: CustomStringConvertible {
    package var description: String { "column \(column): \(message)" }
}
