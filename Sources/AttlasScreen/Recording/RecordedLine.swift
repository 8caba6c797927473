import AttlasCapture
import AttlasFilter
import AttlasMetrics
import AttlasTrace
import AttlasValues
import AttlasWire

/// A recorded conversation's line for one event.
struct RecordedLine {
    /// Counted from 0, among those of its listing.
    let number: Int
    /// How many records there were when it came, and the number of the last of them.
    let record: Int
    let frame: Int
    /// Which of the lines of its record it is.
    let ordinal: Int
    let time: Timestamp
    /// Usually one.
    let rows: [ScreenLog.Entry]
    /// Index into `Trace.peers`: with whom the connection is.
    let peer: Int?
    /// Whose table it is about, and which of its attributes.
    let owner: TableOwner?
    let place: AttributePlace?
    /// The frame of the request that it answers.
    let request: Int?
    /// An error, a fault, a loss.
    let isTrouble: Bool
}
