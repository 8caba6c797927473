import AttlasDissection
import AttlasMetrics
import AttlasTrace
import AttlasWire

/// The sink that measures the decode path: every value dissected, every operation counted, nothing printed.
typealias FullSink = SinkPair<DissectingSink, ConversationTotals>

/// Dissects the value of every ATT PDU that carries one whole.
struct DissectingSink: EventSink {
    private let library: DissectorLibrary
    /// By the trace's numbers for UUIDs.
    private var dissectors: [Dissector??] = []
    private var dissection = Dissection()
    /// Fields of all values.
    private(set) var fields = 0

    init(library: DissectorLibrary) {
        self.library = library
    }

    @inlinable var wantsPackets: Bool { false }

    mutating func receive(_ event: borrowing Event, in trace: borrowing Trace) {
        guard case .att(let operation) = event.detail, let attribute = operation.attribute,
            let value = operation.pdu.attributeValue
        else { return }
        let place = Int(attribute.type.value)
        if place >= dissectors.count || dissectors[place] == nil { look(up: attribute.type, in: trace) }
        guard case .some(.some(let dissector)) = dissectors[place] else { return }
        dissector.dissect(value, operation: AttributeAccess(operation.opcode), into: &dissection)
        fields &+= dissection.count
    }

    private mutating func look(up type: UUIDIndex, in trace: borrowing Trace) {
        let place = Int(type.value)
        while dissectors.count <= place { dissectors.append(nil) }
        dissectors[place] = .some(library.dissector(for: trace.uuids[type]))
    }
}

/// Receives events up to a depth and drops them.
struct FrameSink: EventSink {
    static var depth: DecodingDepth { .frames }
    var wantsPackets: Bool { false }
    mutating func receive(_ event: borrowing Event, in trace: borrowing Trace) {}
}

struct OperationSink: EventSink {
    static var depth: DecodingDepth { .operations }
    var wantsPackets: Bool { false }
    mutating func receive(_ event: borrowing Event, in trace: borrowing Trace) {}
}

struct AttributeSink: EventSink {
    var wantsPackets: Bool { false }
    mutating func receive(_ event: borrowing Event, in trace: borrowing Trace) {}
}

/// Notes whether a record held one whole ATT PDU.
struct WholePDUSink: EventSink {
    var full: FullSink
    private(set) var operations = 0
    private(set) var isWholePDU = false

    init(full: FullSink) {
        self.full = full
    }

    mutating func beginRecord() {
        isWholePDU = false
    }

    var wantsPackets: Bool { false }

    mutating func receive(_ event: borrowing Event, in trace: borrowing Trace) {
        if case .att = event.detail {
            operations += 1
            isWholePDU = event.frames.isEmpty
        }
        full.receive(event, in: trace)
    }
}
