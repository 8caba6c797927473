import AttlasDefinitions
import AttlasDissection
import AttlasInput
import AttlasTrace
import AttlasValues

extension CaptureReader {
    /// - Parameter capture: the name of a file in Captures/.
    public init(capture: String) throws(CaptureError) {
        try self.init(path: Repository.capture(capture))
    }
}

extension Trace {
    /// Decodes packets one after the other.
    @discardableResult
    public mutating func decode(
        _ packets: some Sequence<Packet>, as maker: RecordMaker = RecordMaker(), into sink: inout some EventSink
    ) -> CaptureExtent {
        var maker = maker
        var extent = CaptureExtent()
        for packet in packets {
            maker.make(packet) { record in
                extent.note(record)
                decode(record, into: &sink)
            }
        }
        return extent
    }

    /// Decodes a capture as far as it has not been read.
    @discardableResult
    public mutating func decode(
        _ reader: inout CaptureReader, into sink: inout some EventSink
    ) throws(CaptureError) -> CaptureExtent {
        var extent = CaptureExtent()
        while let record = try reader.next() {
            extent.note(record)
            decode(record, into: &sink)
        }
        return extent
    }
}

/// What a sink that reads values has of a conversation.
public func decoded<Sink: EventSink>(
    _ packets: some Sequence<Packet>, as maker: RecordMaker = RecordMaker(), library: DissectorLibrary = .shipped,
    into makeSink: (ValueInterpreter) -> Sink
) -> Sink {
    var trace = Trace()
    var sink = Interpreted(library: library, makeSink)
    trace.decode(packets, as: maker, into: &sink)
    trace.finish(into: &sink)
    return sink.sink
}

/// … and of a capture of the project.
public func decoded<Sink: EventSink>(
    capture: String, library: DissectorLibrary = .withExamples, into makeSink: (ValueInterpreter) -> Sink
) throws -> Sink {
    var trace = Trace()
    var sink = Interpreted(library: library, makeSink)
    var reader = try CaptureReader(capture: capture)
    try trace.decode(&reader, into: &sink)
    trace.finish(into: &sink)
    return sink.sink
}

/// The document that is made of a conversation.
public func document<Collector: DocumentCollector>(
    of packets: some Sequence<Packet>, as maker: RecordMaker = RecordMaker(), library: DissectorLibrary = .shipped,
    by makeCollector: (ValueInterpreter) -> Collector
) -> Collector.Document {
    var trace = Trace()
    var collector = Interpreted(library: library, makeCollector)
    let extent = trace.decode(packets, as: maker, into: &collector)
    trace.finish(into: &collector)
    return collector.finish(in: trace, CaptureIntegrity(extent, in: trace))
}

/// … and of a capture of the project.
public func document<Collector: DocumentCollector>(
    ofCapture capture: String, library: DissectorLibrary = .withExamples,
    by makeCollector: (ValueInterpreter) -> Collector
) throws -> Collector.Document {
    var trace = Trace()
    var collector = Interpreted(library: library, makeCollector)
    var reader = try CaptureReader(capture: capture)
    let extent = try trace.decode(&reader, into: &collector)
    trace.finish(into: &collector)
    return collector.finish(in: trace, CaptureIntegrity(extent, in: trace))
}
