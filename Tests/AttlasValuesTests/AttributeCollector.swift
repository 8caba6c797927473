import AttlasTestSupport
import AttlasTrace
import AttlasWire

@testable import AttlasValues

/// Keeps each attribute that an event is about as one line: its handle, what it is, and the value that the event gives it.
///
/// ```
/// 0003 value 2A19 read 5A       the whole value, which a definition of 2A19 can read
/// 0003 value 2A19 read 5A …     … of which more may follow, or the rest was not captured
/// 0003 value 2A19 part 5A       octets from somewhere in the value
/// 0003 service 180F             listed by a discovery
/// 0003                          a handle of which nothing is known
/// ```
struct AttributeCollector: EventSink {
    private(set) var lines: [(frame: Int, text: String)] = []

    mutating func receive(_ event: borrowing Event, in trace: borrowing Trace) {
        var texts: [String] = []
        event.forEachAttribute(in: trace) { value in
            precondition(value.index == texts.count, "the indexes of an event's attributes have a gap")
            texts.append(Self.describe(value, in: trace))
            return true
        }
        lines += texts.map { (event.frame, $0) }
    }

    private static func describe(_ value: borrowing AttributeValue, in trace: borrowing Trace) -> String {
        var words: [String] = []
        if let handle = value.handle { words.append(digits(big(handle))) }
        if let role = value.attribute?.role { words.append("\(role)") }
        switch value.listing {
        case .service(let uuid): words.append("service \(uuid)")
        case .characteristic(let uuid): words.append("characteristic \(uuid)")
        case .descriptor(let uuid): words.append("descriptor \(uuid)")
        case nil: break
        }
        if let type = value.type, value.listing == nil || value.isWhole { words.append("\(trace.uuids[type])") }
        if let octets = value.octets {
            words.append(value.isWhole ? "\(value.access)" : "part")
            words.append(digits(octets.copy()))
        }
        if value.isPartial { words.append("…") }
        return words.joined(separator: " ")
    }

    private static func digits(_ octets: [UInt8]) -> String {
        octets.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined()
    }
}
