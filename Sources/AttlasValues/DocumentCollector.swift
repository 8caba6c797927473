import AttlasTrace

/// A sink that gathers what becomes a document when the capture has ended: a model that text, JSON and others print.
public protocol DocumentCollector: EventSink {
    /// It needs no trace any more.
    associatedtype Document: Sendable

    /// To be called once, after `Trace.finish`.
    mutating func finish(in trace: borrowing Trace, _ extent: CaptureExtent) -> Document
}

extension Interpreted: DocumentCollector where Sink: DocumentCollector {
    public mutating func finish(in trace: borrowing Trace, _ extent: CaptureExtent) -> Sink.Document {
        sink.finish(in: trace, extent)
    }
}
