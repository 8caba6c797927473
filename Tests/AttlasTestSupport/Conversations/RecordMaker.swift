import AttlasCapture
import AttlasTrace
import AttlasWire

/// Makes the records of a capture out of packets: each has its place in the capture as its number, counted from 1.
public struct RecordMaker: Sendable {
    /// The time from the packet before, in microseconds.
    private let step: Int
    /// As a capture does that does not record who sent a packet.
    private let isUndirected: Bool
    /// The number of the last record.
    public private(set) var frame = 0
    private var time = Timestamp(microseconds: 1_000_000)

    public init(step: Int = 1_000, undirected: Bool = false) {
        self.step = step
        isUndirected = undirected
    }

    public mutating func make(_ packet: Packet, _ body: (borrowing Record) -> Void) {
        frame += 1
        time = packet.time ?? time.later(by: step)
        let header = CollectionOfOne(
            RecordHeader(
                frame: frame, time: time, content: packet.content,
                direction: isUndirected ? .unknown : packet.direction, controller: packet.controller,
                length: packet.octets.count, missing: packet.missing, lost: packet.lost))
        body(Record(header, bytes: Bytes(packet.octets.span)))
    }
}

extension Timestamp {
    /// To the microsecond. Rounded down, as times before 1970 count from the second before them.
    public init(microseconds: Int) {
        let rest = (microseconds % 1_000_000 + 1_000_000) % 1_000_000
        self.init(
            seconds: Int64((microseconds - rest) / 1_000_000), nanoseconds: UInt32(rest) * 1_000, precision: 6)
    }

    fileprivate func later(by microseconds: Int) -> Timestamp {
        let nanoseconds = Int(nanoseconds) + microseconds * 1_000
        return Timestamp(
            seconds: seconds &+ Int64(nanoseconds / 1_000_000_000),
            nanoseconds: UInt32(nanoseconds % 1_000_000_000), precision: precision)
    }
}
