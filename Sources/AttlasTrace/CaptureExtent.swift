import AttlasCapture

/// How long a capture is.
public struct CaptureExtent: Sendable {
    public private(set) var records = 0
    public private(set) var first: Timestamp?
    public private(set) var last: Timestamp?

    public init() {}

    public mutating func note(_ record: Record) {
        let time = record.time
        if records == 0 { first = time }
        records += 1
        last = time
    }
}
