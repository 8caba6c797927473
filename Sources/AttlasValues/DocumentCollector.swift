import AttlasCapture
import AttlasTrace

/// A sink that collects the data of a document. At the end of the capture it makes a model, which text, JSON and others print.
public protocol DocumentCollector: EventSink {
    associatedtype Document: CaptureDocument

    /// Called before the events of a record.
    mutating func note(_ record: Record)
    /// The same for records in a row.
    mutating func note(_ row: RecordRow)
    /// Call it once, after `Trace.finish`.
    mutating func finish(in trace: borrowing Trace, _ integrity: CaptureIntegrity) -> Document
}

extension DocumentCollector {
    /// Ignores the record.
    @inlinable public mutating func note(_ record: Record) {}

    /// Notes each record.
    @inlinable public mutating func note(_ row: RecordRow) {
        for index in 0..<row.count { note(row[index]) }
    }
}

/// The model of a document. It needs no trace any more.
public protocol CaptureDocument: Sendable {
    /// Missing data of the capture that it describes.
    var integrity: CaptureIntegrity { get }
}

extension Interpreted: DocumentCollector where Sink: DocumentCollector {
    /// Passes the record on.
    public mutating func note(_ record: Record) { sink.note(record) }
    /// Passes the records on.
    public mutating func note(_ row: RecordRow) { sink.note(row) }

    public mutating func finish(in trace: borrowing Trace, _ integrity: CaptureIntegrity) -> Sink.Document {
        sink.finish(in: trace, integrity)
    }
}
