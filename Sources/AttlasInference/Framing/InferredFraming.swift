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

    /// nil if definitions have none for it.
    package let rule: AssemblyDefinition.Rule?
    /// nil if the octets say where a message ends.
    package let delimiter: Delimiter?
    package let evidence: Evidence
    /// Values before the first message.
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
        switch rule {
        case .length(let offset, let octets, let isBigEndian, let plus):
            let size = MessageSize(offset: offset, octets: octets, isBigEndian: isBigEndian, plus: plus)
            return "messages in parts: their number of octets is \(size.text)"
        case .terminator(let end): return "messages in parts: they end with \(InferredField.hex(end))"
        case .header(let header):
            let sequence = header.sequence == 0 ? "" : ", bits \(Self.hex(header.sequence)) number the parts"
            let first = header.first == header.middle ? "" : "\(Self.hex(header.first)) in the first, "
            return "messages in parts, each with an octet before it: bits \(Self.hex(header.mask)) are "
                + "\(first)\(Self.hex(header.last)) in the last\(sequence)"
        case .total, .kind, .value, .stuffed, nil: return "messages in parts"
        }
    }

    private static func hex(_ number: UInt64) -> String {
        "0x\(InferredField.hex([UInt8(truncatingIfNeeded: number)]))"
    }

    package var doubts: [String] {
        skipped == 0
            ? [] : ["the first \(skipped == 1 ? "value belongs" : "\(skipped) values belong") to an earlier message"]
    }
}

/// The messages that values are parts of.
package struct InferredMessages: Sendable {
    package let framing: InferredFraming
    /// With the time and the frame of the last part of each.
    package let series: ValueSeries
    /// Indexes of the values that have each message.
    package let parts: [[Int]]
    package var valueCount: Int { Set(parts.joined()).count }
    /// Messages of several values.
    package var joined: Int { parts.count { $0.count > 1 } }
}
