/// A fault of one record. The records after it can still be read.
public struct CaptureFault: Sendable, Equatable {
    private let text: FaultReason
    /// The offset in the file.
    public let offset: UInt64

    /// A sentence without a full stop, e.g. "packet of 300000 octets is longer than the limit of 262144".
    public var reason: String { text.description }

    init(_ reason: FaultReason, offset: UInt64) {
        text = reason
        self.offset = offset
    }

    /// The same in a record that begins there.
    func moved(to offset: UInt64) -> CaptureFault {
        CaptureFault(text, offset: offset)
    }

    public static func == (one: CaptureFault, other: CaptureFault) -> Bool {
        one.offset == other.offset && one.reason == other.reason
    }
}
