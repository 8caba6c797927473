/// `120`, `100-200`, `100-`, `-200`.
package struct FrameRange: Sendable {
    package let range: ClosedRange<Int>

    package init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), text != "-" else { return nil }
        guard let first = parts[0].isEmpty ? 1 : Int(parts[0]), let end = parts.last else { return nil }
        guard let last = end.isEmpty ? Int.max : Int(end), first >= 1, first <= last else { return nil }
        range = first...last
    }
}
