/// ACL packets of one connection on their way through the controller's buffers, as far as the capture shows. Core
/// Specification, Vol 4, Part E, 4.1.1.
public struct ControllerBuffers: Sendable, Equatable {
    /// Packets that the host gave to the controller.
    public private(set) var sent = 0
    /// Packets that the controller reported in Number Of Completed Packets events.
    public private(set) var completed = 0
    /// Packets given and not yet reported.
    public private(set) var inFlight = 0
    /// The most that `inFlight` was.
    public private(set) var mostInFlight = 0
    /// The frame that made them so many.
    public private(set) var fullestFrame = 0

    mutating func send(frame: Int) {
        sent += 1
        inFlight += 1
        if inFlight > mostInFlight { (mostInFlight, fullestFrame) = (inFlight, frame) }
    }

    /// More than were in flight were given before the capture began, or were lost to it.
    mutating func complete(_ packets: Int) {
        completed += packets
        inFlight = max(0, inFlight - packets)
    }
}
