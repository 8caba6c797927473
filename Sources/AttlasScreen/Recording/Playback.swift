import AttlasCapture
import AttlasConversation
import AttlasFilter
import AttlasTrace
import AttlasValues
import AttlasWire

/// State of a conversation up to a record, and the lines that are made of it.
struct PlayedConversation: EventSink {
    var model: ScreenModel
    var collector: LineCollector
    /// The line whose layers are wanted, by its record and its place among the record's lines; and its record.
    var inspected: (record: Int, ordinal: Int)?
    private var inspectedRecord: KeptRecord?
    private(set) var layers: PacketLayers?

    init(model: ScreenModel, collector: LineCollector) {
        self.model = model
        self.collector = collector
    }

    mutating func note(_ record: borrowing Record) {
        model.note(record)
        collector.note(record)
        if let inspected, inspected.record == collector.record { inspectedRecord = KeptRecord(record) }
    }

    var wantsPackets: Bool { collector.text.wantsPackets }

    mutating func receive(_ event: borrowing Event, in trace: borrowing Trace) {
        model.receive(event, in: trace)
        if let inspected, let inspectedRecord, inspected.record == collector.record,
            inspected.ordinal == collector.ordinal, collector.isNumbered(event)
        {
            layers = PacketLayers(inspectedRecord, event, &model.values, in: trace)
        }
        collector.receive(event, in: trace)
    }

    mutating func attach(_ values: ValueInterpreter) {
        model.attach(values)
        collector.attach(values)
    }

    /// The same as part of another conversation with the same past.
    func attached(to values: ValueInterpreter) -> PlayedConversation {
        var other = self
        other.attach(values)
        return other
    }
}

/// A state from which a conversation can be decoded again.
final class Checkpoint {
    let position: CapturePosition
    let trace: Trace
    let sink: Interpreted<PlayedConversation>

    init(_ position: CapturePosition, _ trace: consuming Trace, _ sink: Interpreted<PlayedConversation>) {
        self.position = position
        self.trace = trace
        self.sink = sink
    }

    /// Records before it.
    var record: Int { sink.sink.collector.record }
}

/// Decodes a capture from a checkpoint on.
struct Playback: ~Copyable {
    private var reader: CaptureReader
    private(set) var trace: Trace
    var sink: Interpreted<PlayedConversation>
    /// Nothing comes after it, as far as the file goes now.
    private(set) var isAtEnd = false
    /// Why it cannot be read to its end.
    private(set) var failure: CaptureError?
    private let isOver: Bool

    init(_ checkpoint: Checkpoint, _ capture: SeekableCapture) throws(CaptureError) {
        reader = try capture.reader(at: checkpoint.position)
        isOver = capture.isOver
        trace = checkpoint.trace.copy()
        sink = checkpoint.sink.copy { $0.attached(to: $1) }
    }

    var record: Int { sink.sink.collector.record }
    var offset: UInt64 { reader.position.offset }
    var info: CaptureInfo { reader.info }

    /// Between two records.
    borrowing func checkpoint() -> Checkpoint {
        Checkpoint(reader.position, trace.copy(), sink.copy { $0.attached(to: $1) })
    }

    /// Decodes one record; at the end, reports unfinished data. False when there is nothing more.
    mutating func step() -> Bool {
        guard !isAtEnd else { return false }
        do throws(CaptureError) {
            if let record = try reader.next() {
                sink.sink.note(record)
                trace.decodeUnspecialized(record, into: &sink)
                return true
            }
        } catch {
            failure = error
        }
        isAtEnd = true
        if isOver { trace.finish(into: &sink) }
        return false
    }

    /// Decodes records, and notes where their lines are.
    /// - Returns: whether there may be more.
    mutating func index(records: Int, into listing: inout Listing) -> Bool {
        var none: [UInt32] = []
        return index(records: records, into: &listing, &none)
    }

    /// - Parameter trouble: gets the records with an error, a fault or a loss.
    mutating func index(records: Int, into listing: inout Listing, _ trouble: inout [UInt32]) -> Bool {
        for _ in 0..<records {
            let isOn = step()
            let (frame, time) = sink.sink.collector.last
            listing.note(record, lines: sink.sink.collector.count, frame: frame, time)
            if sink.sink.collector.hasTrouble, trouble.last != UInt32(clamping: record) {
                trouble.append(UInt32(clamping: record))
            }
            guard isOn else { return false }
        }
        return true
    }
}
