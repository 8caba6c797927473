import AttlasTrace

/// A sink that collects the data of a document. At the end of the capture it makes a model, which text, JSON and others print.
public protocol DocumentCollector: EventSink {
    /// It needs no trace any more.
    associatedtype Document: Sendable

    /// Call it once, after `Trace.finish`.
    mutating func finish(in trace: borrowing Trace, _ extent: CaptureExtent) -> Document
}

extension Interpreted: DocumentCollector where Sink: DocumentCollector {
    public mutating func finish(in trace: borrowing Trace, _ extent: CaptureExtent) -> Sink.Document {
        sink.finish(in: trace, extent)
    }
}
