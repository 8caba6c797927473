/// A failed operation on a database, with the reason.
package struct SQLiteError: Error, CustomStringConvertible {
    let file: String
    package let reason: String

    package var description: String { "\(file): \(reason)" }
}
