import AttlasCapture
import AttlasDissection
import AttlasMetrics
import AttlasTrace

/// One pass over a capture that decodes everything and prints nothing.
package struct DecodeRun: Sendable {
    package private(set) var records = 0
    package private(set) var operations = 0
    package private(set) var fields = 0

    /// - Parameter reader: at the capture's beginning.
    package init(_ reader: consuming CaptureReader, library: DissectorLibrary) throws(CaptureError) {
        var trace = Trace()
        var sink = FullSink(first: DissectingSink(library: library), second: ConversationTotals())
        while let row = try reader.nextRow() {
            records += row.count
            trace.decode(row, into: &sink)
        }
        trace.finish(into: &sink)
        operations = sink.second.operations
        fields = sink.first.fields
    }
}
