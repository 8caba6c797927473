import AttlasCapture
import AttlasDefinitions
import AttlasFilter
import AttlasTrace
import AttlasValues
import AttlasWire

@testable import AttlasReport

/// Shows a conversation that a test writes down: a connection that this host made, then ATT PDUs in hexadecimal, one a second.
enum Talking {
    /// - Parameter event: an HCI event behind the connection's.
    static func show<Sink: LineSink>(
        _ event: String?, _ pdus: [(Direction, String)], _ makeSink: (ValueInterpreter) -> Sink
    ) -> String {
        var sink = Interpreted(library: .shipped, makeSink)
        _ = decode(event, pdus, into: &sink)
        return sink.sink.lines.string
    }

    static func document<Collector: DocumentCollector>(
        _ event: String?, _ pdus: [(Direction, String)], _ makeCollector: (ValueInterpreter) -> Collector
    ) -> Collector.Document {
        var collector = Interpreted(library: .shipped, makeCollector)
        let trace = decode(event, pdus, into: &collector)
        return collector.finish(in: trace, CaptureExtent())
    }

    private static func decode<Sink: EventSink>(
        _ event: String?, _ pdus: [(Direction, String)], into sink: inout Sink
    ) -> Trace {
        var trace = Trace()
        forEachRecord(event, pdus) { trace.decode($0, into: &sink) }
        trace.finish(into: &sink)
        return trace
    }

    static func forEachRecord(
        _ event: String?, _ pdus: [(Direction, String)], _ body: (borrowing Record) -> Void
    ) {
        // LE Connection Complete: handle 0x0040, central.
        var packets: [(HCIPacketType, Direction, [UInt8])] = [
            (.event, .rx, hex("3E 13 01 00 4000 00 01 F2F2F2F2F2F2 1800 0000 4800 00"))
        ]
        if let event { packets.append((.event, .rx, hex(event))) }
        for (direction, pdu) in pdus {
            let pdu = hex(pdu)
            let frame = [UInt8(pdu.count), 0, 4, 0] + pdu
            packets.append((.acl, direction, [0x40, direction == .tx ? 0 : 0x20, UInt8(frame.count), 0] + frame))
        }
        for (index, packet) in packets.enumerated() {
            let header = CollectionOfOne(
                RecordHeader(
                    frame: index + 1, time: Timestamp(seconds: Int64(index), nanoseconds: 0, precision: 6),
                    content: .packet(packet.0), direction: packet.1, controller: 0, length: packet.2.count,
                    missing: 0, lost: 0))
            body(Record(header, bytes: Bytes(packet.2.span)))
        }
    }

    private static func hex(_ text: String) -> [UInt8] {
        let digits = text.filter { !$0.isWhitespace }.compactMap(\.hexDigitValue)
        return stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }
}
