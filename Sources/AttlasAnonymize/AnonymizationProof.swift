import AttlasCapture
import AttlasTrace
import AttlasWire

/// Searches a written capture for everything that was to be replaced: in each record, and across records.
package struct AnonymizationProof: EventSink {
    private let search: SecretSearch
    /// Frames with something that should not be there; the first of them.
    package private(set) var found: [Int] = []
    private static let limit = 10

    /// - Parameter originals: `Secrets.originals`.
    package init(_ originals: SecretSearch) {
        search = originals
    }

    /// Takes a record, before it is decoded.
    package mutating func note(_ record: borrowing Record) { look(into: record.framedBytes, record.frame) }

    package mutating func receive(_ event: borrowing Event, in trace: borrowing Trace) {
        switch event.detail {
        case .l2cap(let frame) where event.frames.count > 1: look(into: frame.payload, event.frame)
        case .sdu(let sdu): look(into: sdu.bytes, event.frame)
        case .assembled(let value): look(into: value.value, event.frame)
        default: break
        }
    }

    private mutating func look(into bytes: borrowing Bytes, _ frame: Int) {
        guard found.count < Self.limit, found.last != frame, search.next(in: bytes, from: 0) != nil else { return }
        found.append(frame)
    }
}
