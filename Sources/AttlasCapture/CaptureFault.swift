/// What is wrong with one record, when the records behind it can still be read.
public struct CaptureFault: Sendable, Equatable {
    /// A sentence without a full stop, e.g. "record length 70000 is beyond the format's limit of 65540".
    public let reason: String
    /// Where in the file.
    public let offset: UInt64

    public init(_ reason: String, offset: UInt64) {
        self.reason = reason
        self.offset = offset
    }
}
