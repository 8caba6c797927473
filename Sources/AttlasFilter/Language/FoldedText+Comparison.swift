import AttlasValues

extension FoldedText {
    /// Whether this equals, contains or begins with `other`.
    func meets(_ comparison: FilterComparison, _ other: FoldedText) -> Bool {
        switch comparison {
        case .equal: self == other
        case .contains: contains(other)
        case .begins: begins(with: other)
        default: false
        }
    }
}
