/// The operation that carried a value. A characteristic may lay its value out differently in each: a control point's write is not its
/// indication.
public enum AttributeAccess: UInt8, CaseIterable, Sendable {
    case read, write, notify, indicate

    /// The word a definition uses for it.
    public var word: String {
        switch self {
        case .read: "read"
        case .write: "write"
        case .notify: "notify"
        case .indicate: "indicate"
        }
    }

    package init?(word: String) {
        guard let operation = Self.allCases.first(where: { $0.word == word }) else { return nil }
        self = operation
    }
}
