import AttlasDissection

/// Scalars of definition files.
extension ScalarText {
    /// `7`, `1..3`, `0xFE..0xFF`.
    static func range(_ text: String) -> ClosedRange<Int64>? {
        if let dots = text.firstRange(of: "..") {
            guard let first = integer(text[..<dots.lowerBound].trimmingSpaces),
                let last = integer(text[dots.upperBound...].trimmingSpaces), first <= last
            else { return nil }
            return first...last
        }
        return integer(text.trimmingSpaces).map { $0...$0 }
    }

    static func boolean(_ text: String) -> Bool? {
        switch text {
        case "true": true
        case "false": false
        default: nil
        }
    }
}
