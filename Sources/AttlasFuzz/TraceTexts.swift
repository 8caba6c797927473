import AttlasText

/// The texts of a Perfetto trace, each on a line. Stops the program when the trace is not one.
struct TraceTexts {
    private(set) var texts = TextBuffer()
    private let octets: [UInt8]
    private var place = 0

    /// The types of a message's length-delimited fields: other messages, by their fields, or texts.
    private indirect enum Form {
        case text
        case message([UInt64: Form])
    }

    private static let annotation = Form.message([6: .text, 10: .text])
    private static let event = Form.message([4: annotation, 22: .text, 23: .text])
    private static let descriptor = Form.message([2: .text, 8: .message([6: .text])])
    private static let clocks = Form.message([1: .message([:])])
    private static let trace = Form.message([1: .message([6: clocks, 11: event, 60: descriptor])])

    init(_ octets: [UInt8]) {
        self.octets = octets
        read(Self.trace, octets.count)
    }

    private mutating func read(_ form: Form, _ end: Int) {
        guard case .message(let fields) = form else {
            for octet in octets[place..<end] { texts.append(byte: octet) }
            texts.append(byte: UInt8(ascii: "\n"))
            place = end
            return
        }
        while place < end {
            let key = varint()
            switch key & 7 {
            case 0: _ = varint()
            case 1: place += 8
            case 2:
                let length = Int(varint())
                precondition(length <= end - place, "a trace with a field that is longer than its message")
                guard let field = fields[key >> 3] else { preconditionFailure("a trace with a field \(key >> 3)") }
                read(field, place + length)
            default: preconditionFailure("a trace with the wire type \(key & 7)")
            }
        }
        precondition(place == end, "a trace with a message that is too short")
    }

    private mutating func varint() -> UInt64 {
        var number: UInt64 = 0
        var shift: UInt64 = 0
        while true {
            let octet = octets[place]
            place += 1
            number |= UInt64(octet & 0x7F) << shift
            if octet < 0x80 { return number }
            shift += 7
        }
    }
}
