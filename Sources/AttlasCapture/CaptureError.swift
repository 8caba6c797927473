/// The reason why a capture cannot be read to its end. Records read before the error stay valid.
public struct CaptureError: Error, Sendable, Equatable {
    /// The kind of failure.
    public enum Kind: Sendable, Equatable {
        /// An error of the system; the C `errno`.
        case system(Int32)
        /// The file has no octets.
        case empty
        /// An unknown format, or one that is only known by name.
        case unknownFormat
        /// A supported format with unsupported contents.
        case unsupported
        /// The file ends inside a record or header. Both numbers count octets from its beginning.
        case cutShort(need: Int, have: Int)
        /// The compressed data is damaged or ends early.
        case damaged
        /// The file changed while it was read, and records are missing.
        case changed
        /// A record's length is impossible, and no record was found after it.
        case unreadable
    }

    /// The kind of failure.
    public let kind: Kind
    /// The path as it was given; "standard input" for `-`.
    public let file: String
    /// The offset in the file, if the error has one.
    public let offset: UInt64?
    /// The cause: a clause without a full stop.
    public let reason: String
    /// Advice: a sentence with its full stop.
    public let advice: String?

    package static let damagedAdvice = "The file is damaged, or was copied incompletely."
    private static let changedAdvice = "Read it again, or use a copy of the file."

    /// A file was read twice with different contents.
    public init(changed file: String) {
        self.init(
            .changed, file: file, "the file changed while it was read, and lines are missing",
            advice: Self.changedAdvice)
    }

    /// The file lost its end while it was read.
    init(shortened file: String, at offset: UInt64) {
        self.init(
            .changed, file: file, offset: offset, "the file became shorter while it was read, and records are missing",
            advice: Self.changedAdvice)
    }

    package init(_ kind: Kind, file: String, offset: UInt64? = nil, _ reason: String, advice: String? = nil) {
        self.kind = kind
        self.file = file
        self.offset = offset
        self.reason = reason
        self.advice = advice
    }
}

extension CaptureError: CustomStringConvertible {
    /// One line: the file, the cause, the offset, the advice.
    public var detailedDescription: String {
        var text = "\(file): \(reason)"
        if let offset { text += " (at offset \(offset))" }
        if let advice { text += ". \(advice)" }
        return text
    }

    public var description: String { detailedDescription }
}
