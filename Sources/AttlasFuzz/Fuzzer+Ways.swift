import AttlasConversation
import AttlasInput
import AttlasText
import AttlasTrace
import AttlasValues
import AttlasWire

/// Frequent packets as straight code, and the general way of all packets.
extension Fuzzer {
    /// Decodes records as always, and in the general way alone: the same is reported of them, with and without their packets.
    func compareWays(_ list: RecordList) {
        for showsPackets in [false, true] {
            func told(generally: Bool) -> [UInt8] {
                lines(generally, showsPackets) { trace, sink in list.forEachRecord { trace.decode($0, into: &sink) } }
            }
            precondition(told(generally: false) == told(generally: true), "frequent packets are decoded differently")
        }
    }

    /// The same for a capture, whose records come in a row one time, and one by one the other.
    package func compareWays(_ capture: [UInt8]) {
        for showsPackets in [false, true] {
            let inRow = lines(false, showsPackets) { trace, sink in
                guard var reader = try? CaptureReader(bytes: capture, name: "fuzz") else { return }
                while let row = try? reader.nextRow() { trace.decode(row, into: &sink) }
            }
            let single = lines(true, showsPackets) { trace, sink in
                guard var reader = try? CaptureReader(bytes: capture, name: "fuzz") else { return }
                while let record = try? reader.next() { trace.decode(record, into: &sink) }
            }
            precondition(inRow == single, "frequent packets are decoded differently")
        }
    }

    private func lines(
        _ generally: Bool, _ showsPackets: Bool, _ decode: (inout Trace, inout Interpreted<ConversationJSON>) -> Void
    ) -> [UInt8] {
        var trace = Trace()
        trace.takesGeneralWay = generally
        var sink = Interpreted(library: library) { ConversationJSON(values: $0, showsHCI: showsPackets, file: nil) }
        decode(&trace, &sink)
        trace.finish(into: &sink)
        return Array(sink.sink.lines.bytes)
    }
}
