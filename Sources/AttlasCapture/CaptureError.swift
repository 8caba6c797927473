/// Why a capture cannot be read, or not to its end. What was read before it stays valid.
public struct CaptureError: Error, Sendable, Equatable {
    public enum Kind: Sendable, Equatable {
        /// The system refused; the C `errno`.
        case system(Int32)
        /// There is not a single octet.
        case empty
        /// A format that attlas does not know, or knows by name only.
        case unknownFormat
        /// A format that attlas reads, holding something that it does not read.
        case unsupported
        /// The file ends inside a record or header. Octets from its beginning.
        case cutShort(need: Int, have: Int)
        /// What is compressed is broken or ends early.
        case damaged
        /// A record's length makes no sense and no record was found behind it.
        case unreadable
    }

    public let kind: Kind
    /// The path as it was given; "standard input" for `-`.
    public let file: String
    /// Where in the file, when a place is to blame.
    public let offset: UInt64?
    /// What is wrong: a clause without a full stop.
    public let reason: String
    /// What to try: a sentence with its full stop.
    public let advice: String?

    package static let damagedAdvice = "The file is damaged, or was copied incompletely."

    /// What was read of a file twice was not the same.
    public init(changed file: String) {
        self.init(
            .damaged, file: file, "the file changed while it was read, and lines are missing",
            advice: "Run the command again, or use a copy of the file.")
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
    /// One line: which file, what is wrong, at which octet, what to try.
    public var detailedDescription: String {
        var text = "\(file): \(reason)"
        if let offset { text += " (at offset \(offset))" }
        if let advice { text += ". \(advice)" }
        return text
    }

    public var description: String { detailedDescription }
}
