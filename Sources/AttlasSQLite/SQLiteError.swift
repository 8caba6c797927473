/// What a database could not do, and why.
public struct SQLiteError: Error, CustomStringConvertible {
    public let file: String
    public let reason: String

    public var description: String { "\(file): \(reason)" }
}
