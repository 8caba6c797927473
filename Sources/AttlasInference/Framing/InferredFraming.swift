import AttlasDissection

/// How a device splits its messages over values, or joins them in one.
package struct InferredFraming: Sendable {
    package enum Delimiter: Sendable {
        /// All values until the next request.
        case request
        case pause(milliseconds: Int)
        /// The first octet of each part is its number in the message.
        case number(first: UInt8)
        /// A value has one message or several, and each has its length.
        case size(MessageSize)
    }

    /// The rule of definitions; nil if they have none for it.
    package let assembly: AssemblyDefinition?
    package var rule: AssemblyDefinition.Rule? { assembly?.rule }
    /// nil if the octets say where a message ends.
    package let delimiter: Delimiter?
    package let evidence: Evidence
    /// Values before the first message; of messages with a start, all that belong to none.
    package let skipped: Int

    /// `messages in parts: their length is in octet 2`
    package var sentence: String {
        switch delimiter {
        case .request:
            return "messages in parts: all values until the next request, because the joined octets are whole"
        case .pause(let pause):
            return "messages in parts: all values until a pause of \(pause) ms, because the joined octets are whole"
        case .number(let first):
            return "messages in parts, each with an octet before it that numbers the parts of a message from \(first)"
        case .size(let size): return "several messages in one value: the number of octets of each is \(size.text)"
        case nil: break
        }
        switch assembly?.rule {
        case .length(let offset, let octets, let isBigEndian, let plus):
            let size = MessageSize(offset: offset, octets: octets, isBigEndian: isBigEndian, plus: plus)
            return "messages in parts: \(start)their number of octets is \(size.text)"
        case .terminator(let end):
            let escape = assembly?.escape.map {
                "; \(InferredField.hex([$0.octet])) is before octets that have the bits \(Self.hex(UInt64($0.mask))) changed"
            }
            return "messages in parts: \(start)they end with \(InferredField.hex(end))\(escape ?? "")"
        case .total(let total) where !start.isEmpty: return "messages in parts: \(start)they have \(total) octets"
        case .stuffed: return "messages in frames, which are decoded"
        case .header(let header):
            let sequence = header.sequence == 0 ? "" : ", bits \(Self.hex(header.sequence)) number the parts"
            let first = header.first == header.middle ? "" : "\(Self.hex(header.first)) in the first, "
            return "messages in parts, each with an octet before it: bits \(Self.hex(header.mask)) are "
                + "\(first)\(Self.hex(header.last)) in the last\(sequence)"
        case .total, .kind, .value, nil: return "messages in parts"
        }
    }

    /// `they begin with 55 AA, `
    private var start: String {
        let octets = assembly?.start ?? []
        return octets.isEmpty ? "" : "they begin with \(InferredField.hex(octets)), "
    }

    private static func hex(_ number: UInt64) -> String {
        "0x\(InferredField.hex([UInt8(truncatingIfNeeded: number)]))"
    }

    package var doubts: [String] {
        guard skipped > 0 else { return [] }
        if assembly?.start.isEmpty == false {
            return ["\(skipped == 1 ? "1 value belongs" : "\(skipped) values belong") to no message"]
        }
        return ["the first \(skipped == 1 ? "value belongs" : "\(skipped) values belong") to an earlier message"]
    }
}

/// The messages that values are parts of.
package struct InferredMessages: Sendable {
    package let framing: InferredFraming
    /// With the time and the frame of the last part of each.
    package let series: ValueSeries
    /// Indexes of the values that have each message.
    package let parts: [[Int]]

    /// The octets of frames, which are messages or values.
    init(
        _ stuffing: AssemblyDefinition.OctetStuffing, _ frames: InferredMessages?, of values: ValueSeries,
        _ evidence: Evidence
    ) {
        framing = InferredFraming(
            assembly: AssemblyDefinition(.stuffed(stuffing)), delimiter: frames?.framing.delimiter, evidence: evidence,
            skipped: frames?.framing.skipped ?? 0)
        series = (frames?.series ?? values).mapping { stuffing.decode(Array($0)) }
        parts = frames?.parts ?? values.frames.indices.map { [$0] }
    }

    init(framing: InferredFraming, series: ValueSeries, parts: [[Int]]) {
        self.framing = framing
        self.series = series
        self.parts = parts
    }

    package var valueCount: Int { Set(parts.joined()).count }
    /// Messages of several values.
    package var joined: Int { parts.count { $0.count > 1 } }
}
