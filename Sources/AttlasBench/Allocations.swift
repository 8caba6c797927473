import AttlasDissection
import AttlasInput
import AttlasMetrics
import AttlasTrace
import CAllocations

/// Heap allocations of a run.
struct Allocations: Sendable {
    private(set) var records = 0
    private(set) var total = 0
    /// Records that held one ATT PDU whole, in the second half of the capture: buffers have their size by then.
    private(set) var wholePDUs = 0
    private(set) var inWholePDUs = 0

    /// - Parameter records: of the capture.
    init(_ bytes: [UInt8], name: String, records: Int, library: DissectorLibrary) throws(CaptureError) {
        var reader = try CaptureReader(bytes: bytes, name: name)
        var trace = Trace()
        var sink = WholePDUSink(
            full: FullSink(first: DissectingSink(library: library), second: ConversationTotals()))
        while true {
            sink.beginRecord()
            let before = attlas_allocations()
            guard let record = try reader.next() else { break }
            trace.decodeUnspecialized(record, into: &sink)
            let count = Int(attlas_allocations() - before)
            total += count
            self.records += 1
            if sink.isWholePDU, self.records > records / 2 {
                wholePDUs += 1
                inWholePDUs += count
            }
        }
    }

    /// Whether this build can count them.
    static var areCounted: Bool { attlas_allocations() >= 0 }
}
