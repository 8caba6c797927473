import AttlasCapture
import AttlasTrace
import AttlasWire

/// Collects the ATT PDUs of a capture, to find them in another one of the same session.
package struct HeardPDUs: EventSink {
    /// PDUs that are kept: 48 MB.
    private static let limit = 1 << 20
    private static let connectionLimit = 1 << 16
    /// PDUs of one side that are recognized together.
    private static let runLength = 8

    struct PDU {
        let time: Timestamp
        let isReceived: Bool
        /// Hash of its octets.
        let own: UInt64
        /// Hash of the last `runLength` PDUs of its side; nil for the first ones.
        let run: UInt64?
    }

    private struct Side: Hashable {
        let connection: Int
        let isReceived: Bool
    }

    private(set) var pdus: [PDU] = []
    private var recent: [Side: [UInt64]] = [:]

    package init() {}

    package var wantsPackets: Bool { false }

    package mutating func receive(_ event: borrowing Event, in trace: borrowing Trace) {
        guard case .att(let operation) = event.detail, let slot = event.connection, event.direction != .unknown,
            pdus.count < Self.limit
        else { return }
        var own = Self.start
        let bytes = operation.pdu.bytes
        for index in 0..<bytes.count { Self.mix(&own, UInt64(bytes[index])) }
        let side = Side(connection: trace.connections[slot].number, isReceived: event.direction == .rx)
        var run: UInt64?
        if var last = recent[side] ?? (recent.count < Self.connectionLimit ? [] : nil) {
            last.append(own)
            if last.count > Self.runLength { last.removeFirst() }
            if last.count == Self.runLength { run = last.reduce(into: Self.start) { Self.mix(&$0, $1) } }
            recent[side] = last
        }
        pdus.append(PDU(time: event.time, isReceived: side.isReceived, own: own, run: run))
    }

    // FNV-1a, with 64 bits at a time.
    private static let start: UInt64 = 0xCBF2_9CE4_8422_2325
    private static func mix(_ hash: inout UInt64, _ value: UInt64) { hash = (hash ^ value) &* 0x0000_0100_0000_01B3 }
}
