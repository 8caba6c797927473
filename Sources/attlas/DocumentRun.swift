import ArgumentParser
import AttlasCapture
import AttlasText
import AttlasTrace
import AttlasValues

/// The shared steps of `tree`, `devices`, `stats`, `lint` and `diff` for a capture: decode all of it, then finish the trace and the
/// document, in that order.
///
/// - Parameters:
///   - isOver: whether to stop.
///   - complete: gets the document, also before an error is thrown: it has the data decoded until then.
func gather<Collector: DocumentCollector>(
    _ reader: inout CaptureReader, _ collector: consuming Collector, _ trace: consuming Trace,
    isOver: () -> Bool = { false }, _ complete: (Collector.Document, CaptureInfo, borrowing Trace) -> Void
) throws(CaptureError) {
    var trace = trace
    var extent = CaptureExtent()
    var failure: CaptureError?
    do throws(CaptureError) {
        try trace.settleOrigin(&reader)
        while !isOver(), let row = try reader.nextRow() {
            extent.note(row)
            collector.note(row)
            trace.decode(row, into: &collector)
        }
    } catch {
        failure = error
    }
    trace.finish(into: &collector)
    let info = reader.info
    let integrity = CaptureIntegrity(extent, info, in: trace, endedBy: failure)
    complete(finish(consume collector, trace, integrity), info, trace)
    if let failure { throw failure }
}

/// Frees data gathered only for the document before it is printed.
private func finish<Collector: DocumentCollector>(
    _ collector: consuming Collector, _ trace: borrowing Trace, _ integrity: CaptureIntegrity
) -> Collector.Document {
    collector.finish(in: trace, integrity)
}

extension CaptureOptions {
    /// Makes each capture a document and prints it when its turn has come.
    ///
    /// - Parameters:
    ///   - print: gets the capture's name where there are several, and whether nothing was shown before.
    func forEachDocument<Collector: DocumentCollector & SendableMetatype>(
        _ databases: ImportedDatabases, joinsPieces: Bool = true,
        _ makeCollector: @escaping @Sendable (CaptureInfo) -> Collector,
        print: @escaping @Sendable (Collector.Document, CaptureInfo, String?, Bool, inout Output) -> Void
    ) throws {
        try forEachCapture(hasFailed: databases.hasFailed, joinsPieces: joinsPieces) {
            reader, file, turn throws(CaptureError) in
            try gather(&reader, makeCollector(reader.info), databases.makeTrace()) { document, info, trace in
                turn.note(document.integrity)
                turn.write { output, isFirst in
                    print(document, info, file, isFirst, &output)
                    databases.report(trace, info)
                }
            }
        }
    }
}
