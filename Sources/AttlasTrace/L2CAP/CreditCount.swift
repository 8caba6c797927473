/// Frames that one side may still send on a channel with credits, and its time without any. Core Specification, Vol 3, Part A, 10.1;
/// RFCOMM, 6.5.
package struct CreditCount: Sendable {
    /// A time without credits in which the side had more to send.
    package struct Wait: Sendable {
        /// The record that took the last credit.
        package let begun: Moment
        /// Duration of the wait.
        package let nanoseconds: Int64
    }

    /// Credits that their receiver may ignore. Vol 3, Part A, 4: 0x00 is not a valid identifier.
    package struct Invalid: Sendable, Equatable {
        package fileprivate(set) var credits: Int
        /// The record of the first ones.
        package let first: Moment
    }

    /// Time in which a side that waited sends again.
    private static let prompt: Int64 = 100_000_000

    /// Credits left.
    package private(set) var left: Int
    /// The record that took the last credit; nil if there are some.
    private(set) var exhausted: Moment?
    /// A time without credits that counts if the side sends as soon as it has some, and its end.
    private var recovered: (wait: Wait, at: Moment)?
    /// The last frame of the other side.
    private var heard: Moment?
    /// They are not among those that are left, unless the side uses them.
    private(set) var invalid: Invalid?

    package init(_ left: Int) { self.left = left }

    /// The side sent a frame.
    ///
    /// - Returns: the wait before it, if it had one.
    package mutating func take(at moment: Moment) -> Wait? {
        // It may answer a frame of the other side.
        let isAnswer = heard.map { moment.since($0) <= Self.prompt } ?? false
        let wait = recovered.flatMap { moment.since($0.at) <= Self.prompt && !isAnswer ? $0.wait : nil }
        recovered = nil
        if left <= 0, let invalid {
            left += invalid.credits
            self.invalid = nil
        }
        left -= 1
        if left == 0 { exhausted = moment }
        return wait
    }

    /// The other side sent a frame.
    package mutating func hear(at moment: Moment) { heard = moment }

    mutating func addInvalid(_ credits: Int, at moment: Moment) {
        invalid = Invalid(credits: (invalid?.credits ?? 0) + credits, first: invalid?.first ?? moment)
    }

    /// The other side gave credits.
    ///
    /// - Parameter isWaiting: whether the side is known to have more to send.
    /// - Returns: the wait that ends here, if the side waited.
    @discardableResult
    package mutating func add(_ credits: Int, at moment: Moment, isWaiting: Bool = false) -> Wait? {
        left += credits
        guard let begun = exhausted else { return nil }
        exhausted = nil
        let wait = Wait(begun: begun, nanoseconds: moment.since(begun))
        if isWaiting { return wait }
        recovered = (wait, moment)
        return nil
    }
}
