/// What is wrong with one record, when the records behind it can still be read.
public struct CaptureFault: Sendable, Equatable {
    /// A sentence without a full stop, e.g. "packet of 300000 bytes is beyond the limit of 262144".
    public let reason: String
    /// Where in the file.
    public let offset: UInt64

    public init(_ reason: String, offset: UInt64) {
        self.reason = reason
        self.offset = offset
    }
}
