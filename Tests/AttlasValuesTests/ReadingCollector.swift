import AttlasDissection
import AttlasTestSupport
import AttlasTrace
import AttlasWire

@testable import AttlasValues

/// Keeps what happens to the values of a conversation.
struct ReadingCollector: EventSink {
    struct Reading {
        let frame: Int
        /// Its name, and its number when it has one: `Battery Level = 90.0`.
        let fields: [String]
        let hasFault: Bool
        /// Octets that no field explains.
        let unexplained: Int
        /// `part 1`, `complete of 2, 3`, `stray`; nil when it is no part of a message.
        let message: String?
        /// The octets of the message that it completes.
        let octets: [UInt8]
        let loss: MessageAssembler.Loss?
        let rates: [(name: String, value: Double, since: Int)]

        var names: [String] { fields.map { String($0.prefix { $0 != "=" }).trimmingSuffix(" ") } }
    }

    private(set) var readings: [Reading] = []
    private var values: ValueInterpreter

    init(values: ValueInterpreter) {
        self.values = values
    }

    mutating func receive(_ event: borrowing Event, in trace: borrowing Trace) {
        let frame = event.frame
        event.forEachAttribute(in: trace) { value in
            guard let reading = values.read(value, in: trace) else { return true }
            let dissection = values.dissection
            let dissector = reading.dissector
            let fields = reading.isDissected ? (0..<dissection.count).map { dissection[$0] } : []
            readings.append(
                Reading(
                    frame: frame, fields: fields.map { Self.describe($0, dissector) },
                    hasFault: reading.isDissected && dissection.fault != nil && !reading.isPartial,
                    unexplained: reading.isDissected ? dissection.unexplained.count : 0,
                    message: reading.message.map { Self.describe($0) },
                    octets: reading.octets.copy(), loss: reading.loss,
                    rates: reading.rates.map { ($0.field.name, $0.value, $0.sinceFrame) }))
            return true
        }
    }

    private static func describe(_ field: DissectedField, _ dissector: Dissector) -> String {
        let name = dissector.fields[Int(field.field)].name
        return dissector.number(of: field).map { "\(name) = \($0.double)" } ?? name
    }

    private static func describe(_ message: MessageState) -> String {
        switch message {
        case .part(let number, _, _): "part \(number)"
        case .complete(_, let frames): "complete of \(frames.map(String.init).joined(separator: ", "))"
        case .stray: "stray"
        }
    }
}

extension String {
    fileprivate func trimmingSuffix(_ suffix: Character) -> String {
        var text = self
        while text.last == suffix { text.removeLast() }
        return text
    }
}

/// What happens to the values of a conversation, a packet a second.
func readings(_ packets: [Packet]) -> [ReadingCollector.Reading] {
    decoded(packets, as: RecordMaker(step: 1_000_000)) { ReadingCollector(values: $0) }.readings
}
