import AttlasWire

/// One capture format: the file's octets become record headers.
///
/// A class, because a struct that is held as `any FormatReader` is asked at every record whether it is shared.
protocol FormatReader: AnyObject, SendableMetatype {
    /// Whether a file that begins with `bytes` is of this format: from at most 17 octets, so that nothing behind the first
    /// packet's header has to be waited for. False when there are too few.
    static func recognizes(_ bytes: borrowing Bytes) -> Bool

    /// Reads the file header.
    init(_ input: inout InputBuffer) throws(CaptureError)

    /// The next record, whose octets stay in the buffer until the next call; nil at the end of the file.
    func next(_ input: inout InputBuffer) throws(CaptureError) -> RecordHeader?

    var info: CaptureInfo { get }

    /// Frames so far, those included that gave no record.
    var frame: Int { get }

    /// Takes over what goes on from the file before in a log that was rotated. Called before the first record.
    func follow(_ previous: any FormatReader)
}

extension FormatReader {
    func follow(_ previous: any FormatReader) {}
}

/// A `Record` whose octets are named by their place in the buffer. Plain memory: one is made for every record.
struct RecordHeader {
    var frame: Int
    var offset: UInt64
    var time: Timestamp
    var content: Record.Content
    var direction: Direction = .unknown
    var controller: UInt16 = 0
    /// Where in the buffer; empty when there are no octets to show.
    var place: Range<Int> = 0..<0
    var missing: Int = 0
    var lost: UInt32 = 0
    /// Where the options of its block are in the buffer (pcapng only).
    var options: Range<Int> = 0..<0
    var order = ByteOrder.little

    /// A record that cannot be read.
    init(frame: Int, offset: UInt64, time: Timestamp, broken reason: FaultReason) {
        self.frame = frame
        self.offset = offset
        self.time = time
        content = .broken(CaptureFault(reason, offset: offset))
    }

    /// A record with a packet at `place`, of which `head` was read; nil means that the packet is too short for it.
    init(
        frame: Int, offset: UInt64, time: Timestamp, head: PacketHead?, controller: UInt16 = 0, place: Range<Int>,
        missing: UInt32, lost: UInt32
    ) {
        self.frame = frame
        self.offset = offset
        self.time = time
        if let head {
            content = head.content
            direction = head.direction
        } else {
            content = .broken(CaptureFault(.packetTooShort(UInt32(clamping: place.count)), offset: offset))
        }
        self.controller = head?.controller ?? controller
        self.place = place.lowerBound + (head?.length ?? 0)..<place.upperBound
        self.missing = Int(missing)
        self.lost = lost
    }
}

/// Octets of a packet beyond which a record's length is not believed. HCI packets end at 65 540; Wireshark has this limit.
let packetLimit: UInt32 = 256 << 10

/// Why the two lengths of a packet cannot be true.
@inline(__always)
func contradiction(captured: UInt32, original: UInt32) -> FaultReason? {
    guard captured > packetLimit || captured > original else { return nil }
    return captured > packetLimit
        ? .packetBeyondLimit(captured) : .moreCaptured(captured, ofPacket: original)
}

extension Timestamp {
    /// For records without a time that come before any with one.
    static let epoch = Timestamp(seconds: 0, nanoseconds: 0, precision: 0)

    /// Whether a record of this time may well come near one of the time `other`. Only the search for the next record
    /// after a broken one asks this.
    func isWithinADay(of other: Timestamp) -> Bool {
        let day: Int64 = 86_400_000_000_000
        return (-day...day).contains(nanoseconds(since: other))
    }
}
