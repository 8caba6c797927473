/// A mistake in a filter expression, and its place.
package struct FilterMistake: Error, Sendable {
    package let expression: String
    /// Counted from 1, in Unicode scalars; one after the last if the end is missing.
    package let column: Int
    /// The mistake and what is possible instead, without a full stop.
    package let message: String
}

extension FilterMistake: CustomStringConvertible {
    package var description: String { "column \(column): \(message)" }
}
