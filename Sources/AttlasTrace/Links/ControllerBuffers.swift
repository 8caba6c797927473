import AttlasCapture

/// ACL packets of one connection on their way through the controller's buffers, as far as the capture shows. Core
/// Specification, Vol 4, Part E, 4.1.1.
public struct ControllerBuffers: Sendable, Equatable {
    /// A time in which packets were in flight and the controller reported none.
    public struct Wait: Sendable, Equatable {
        /// The record with which it began: the report before it, or the first packet.
        public let frame: Int
        /// Duration of the wait.
        public let nanoseconds: Int64
        /// In flight at its end.
        public let packets: Int
    }

    /// Reports of one packet each in a row, after each of which more were in flight.
    package struct Run: Sendable, Equatable {
        /// The record of the first report.
        package let frame: Int
        package let begun: Timestamp
        /// The time of the last report.
        package fileprivate(set) var ended: Timestamp
        package fileprivate(set) var packets = 1
    }

    /// Packets that the host gave to the controller.
    public private(set) var sent = 0
    /// Packets that the controller reported in Number Of Completed Packets events.
    public private(set) var completed = 0
    /// Packets of the peer.
    package private(set) var received = 0
    /// Packets given and not yet reported.
    public private(set) var inFlight = 0
    /// The most that `inFlight` was.
    public private(set) var mostInFlight = 0
    /// The frame in which that number was reached.
    public private(set) var fullestFrame = 0
    /// The last report, or the packet after which one was due.
    private var progress = Timestamp.epoch
    private var progressFrame = 0
    private var longest: Wait?
    private var run: Run?
    private var longestEnded: Run?

    @inline(__always)
    mutating func receive() { received += 1 }

    @inline(__always)
    mutating func send(_ context: PDUContext) {
        sent += 1
        if inFlight == 0 { (progress, progressFrame) = (context.time, context.frame) }
        inFlight += 1
        if inFlight > mostInFlight { (mostInFlight, fullestFrame) = (inFlight, context.frame) }
    }

    /// More than were in flight were given before the capture began, or were lost to it.
    @inline(__always)
    mutating func complete(_ packets: Int, _ context: PDUContext) {
        completed += packets
        // Waits of less than a second mean nothing.
        if inFlight > 0, context.time.seconds &- progress.seconds > 1 { noteWait(until: context.time) }
        inFlight = max(0, inFlight - packets)
        if packets == 1, inFlight > 0 {
            if run == nil {
                run = Run(frame: context.frame, begun: context.time, ended: context.time)
            } else {
                run?.packets += 1
                run?.ended = context.time
            }
        } else if run != nil {
            endRun()
        }
        (progress, progressFrame) = (context.time, context.frame)
    }

    @inline(never)
    private mutating func noteWait(until time: Timestamp) { longest = longestWait(until: time) }

    @inline(never)
    private mutating func endRun() {
        longestEnded = longestRun
        run = nil
    }

    /// The one with the most packets.
    package var longestRun: Run? {
        guard let run, run.packets > longestEnded?.packets ?? 0 else { return longestEnded }
        return run
    }

    /// The longest wait for a report, until a time after all packets.
    public func longestWait(until time: Timestamp) -> Wait? {
        guard let last = wait(until: time) else { return longest }
        return last.nanoseconds > longest?.nanoseconds ?? 0 ? last : longest
    }

    /// The wait that is not over; nil if nothing is in flight, or the clock jumped.
    public func wait(until time: Timestamp) -> Wait? {
        guard inFlight > 0, let nanoseconds = time.duration(since: progress) else { return nil }
        return Wait(frame: progressFrame, nanoseconds: nanoseconds, packets: inFlight)
    }
}
