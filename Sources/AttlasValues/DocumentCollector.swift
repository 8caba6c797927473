import AttlasTrace

/// A sink that collects the data of a document. At the end of the capture it makes a model, which text, JSON and others print.
public protocol DocumentCollector: EventSink {
    associatedtype Document: CaptureDocument

    /// Call it once, after `Trace.finish`.
    mutating func finish(in trace: borrowing Trace, _ integrity: CaptureIntegrity) -> Document
}

/// The model of a document. It needs no trace any more.
public protocol CaptureDocument: Sendable {
    /// What is missing from the capture that it stands for.
    var integrity: CaptureIntegrity { get }
}

extension Interpreted: DocumentCollector where Sink: DocumentCollector {
    public mutating func finish(in trace: borrowing Trace, _ integrity: CaptureIntegrity) -> Sink.Document {
        sink.finish(in: trace, integrity)
    }
}
