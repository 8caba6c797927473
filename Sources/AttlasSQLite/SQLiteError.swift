/// What a database could not do, and why.
package struct SQLiteError: Error, CustomStringConvertible {
    let file: String
    package let reason: String

    package var description: String { "\(file): \(reason)" }
}
