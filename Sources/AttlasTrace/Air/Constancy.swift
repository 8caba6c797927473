/// Whether the sequence numbers of a side ever change. Programs that are not controllers write headers in which they do not. With a real
/// side that would take missed packets of both sides between any two.
struct Constancy: Sendable {
    private enum State: Sendable {
        /// They have not changed so far.
        case possible
        /// They did not in other connections.
        case presumed
        case certain
        case told
        /// They change.
        case refuted
    }

    private var state = State.possible
    /// Those of the first packet.
    private var numbers: SequenceNumbers?
    /// The last packet.
    private var fingerprint: UInt64 = 0
    /// Packets after the first that have its numbers and are not the packet before again, and packets with other numbers.
    private var same = 0
    private var different = 0

    /// Packets with the same numbers by which it becomes certain.
    private static let certainty = 3
    /// The number that another connection counts.
    private static let presumption = 8

    /// Whether packets were heard, all with the same numbers.
    var isOpen: Bool { state == .possible && numbers != nil }

    var isAssumed: Bool { state != .possible && state != .refuted }

    mutating func presume() {
        state = .presumed
        same = Self.presumption
    }

    mutating func takeNews() -> Bool {
        guard state == .certain else { return false }
        state = .told
        return true
    }

    /// - Parameter isAnother: Whether it is not the packet before again, even if it has the same contents.
    @inline(__always)
    mutating func note(_ received: SequenceNumbers, _ print: UInt64, isAnother: Bool) {
        guard state != .refuted else { return }
        defer { fingerprint = print }
        guard let numbers else {
            numbers = received
            return
        }
        if numbers != received {
            different += 1
            // A program that tests how devices react may write another header now and then.
            if state == .possible || different * 4 > same { state = .refuted }
        } else if isAnother || fingerprint != print {
            same += 1
            if state == .possible, same == Self.certainty { state = .certain }
            if state == .presumed, same == Self.presumption + Self.certainty { state = .certain }
        }
    }
}
