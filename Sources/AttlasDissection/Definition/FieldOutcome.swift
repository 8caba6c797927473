/// The numbers of a field that report the end of a procedure, or announce the end of the connection.
public struct FieldOutcome: Hashable, Sendable {
    /// The procedure was refused or failed.
    public var refused: [ClosedRange<Int64>] = []
    /// Some of these: a healthy session has them, too.
    public var harmless: [ClosedRange<Int64>] = []
    /// The device restarts or leaves.
    public var restarts: [ClosedRange<Int64>] = []
    /// The earlier field that names the procedure; nil if only the request names it.
    public var asked: String?

    package init() {}

    /// Whether the number reports a procedure that was refused or failed.
    public func isRefusal(_ raw: Int64) -> Bool { refused.contains { $0.contains(raw) } }

    /// Whether a healthy session has this refusal, too.
    public func isHarmless(_ raw: Int64) -> Bool { harmless.contains { $0.contains(raw) } }

    /// Whether the number announces that the device restarts or leaves.
    public func isRestart(_ raw: Int64) -> Bool { restarts.contains { $0.contains(raw) } }
}
