/// Values with one message or several, each of which has its length.
struct JoinedMessages {
    private let series: ValueSeries

    /// Values of several messages that a claim needs.
    private static let fewest = 8
    /// Values that are looked at before all are, and octets at the start of a message that may have its length.
    private static let sampleCount = 200
    private static let reach = 10

    init(_ series: ValueSeries) {
        self.series = series
    }

    func result() -> InferredMessages? {
        guard series.count >= 2 * InferenceLimits.fewest, series.lengths.upperBound >= 4 else { return nil }
        let distinct = series.distinctIndexes()
        let sample = series.selecting(
            stride(from: 0, to: distinct.count, by: max(1, distinct.count / Self.sampleCount)).map { distinct[$0] })
        var (best, rules): (MessageSize?, Int) = (nil, 0)
        var most = 0.0
        for offset in 0..<Self.reach {
            for (octets, isBigEndian) in [(1, false), (2, false), (2, true)] {
                for plus in -4...offset + octets + 8 {
                    rules += 1
                    let size = MessageSize(offset: offset, octets: octets, isBigEndian: isBigEndian, plus: plus)
                    guard let bits = evidence(size, sample), bits > most else { continue }
                    (best, most) = (size, bits)
                }
            }
        }
        most -= Chance.cost(of: rules)
        guard let best, most >= Chance.limit else { return nil }
        var (messages, parts) = (ValueSeries(), [[Int]]())
        var support = 0
        for index in 0..<series.count {
            guard let found = Self.messages(of: series[index], best) else { continue }
            support += 1
            for message in found {
                messages.append(Array(message), time: series.times[index], frame: series.frames[index])
                parts.append([index])
            }
        }
        guard support * 20 >= series.count * 19 else { return nil }
        return InferredMessages(
            framing: InferredFraming(
                assembly: nil, delimiter: .size(best),
                evidence: Evidence(
                    support: support, of: series.count, distinct: messages.distinctIndexes().count, bits: most),
                skipped: 0),
            series: messages, parts: parts)
    }

    /// A wrong rule ends with the value as often as one octet is its last one, unless all messages have one length.
    private func evidence(_ size: MessageSize, _ sample: ValueSeries) -> Double? {
        var (several, wrong, bits) = (0, 0, 0.0)
        var lengths: Set<Int> = []
        for index in 0..<sample.count {
            guard let messages = Self.messages(of: sample[index], size) else {
                wrong += 1
                if wrong * 20 > sample.count { return nil }
                continue
            }
            lengths.formUnion(messages.map(\.count))
            guard messages.count > 1 else { continue }
            several += 1
            bits += Chance.log2(Double(sample.length(index)) / Double(messages.count))
        }
        return several >= Self.fewest && lengths.count >= 3 ? bits : nil
    }

    /// nil if the value does not end where a message does.
    private static func messages(of value: ArraySlice<UInt8>, _ size: MessageSize) -> [ArraySlice<UInt8>]? {
        var (rest, messages) = (value, [ArraySlice<UInt8>]())
        while !rest.isEmpty {
            guard let count = size.octets(in: rest), size.end...rest.count ~= count else { return nil }
            // Zeros fill a value.
            guard rest.prefix(count).contains(where: { $0 != 0 }) else { return nil }
            messages.append(rest.prefix(count))
            rest = rest.dropFirst(count)
        }
        return messages
    }
}

/// Where a message has its number of octets.
package struct MessageSize: Sendable, Equatable {
    package let offset: Int
    package let octets: Int
    package let isBigEndian: Bool
    package let plus: Int

    fileprivate var end: Int { offset + octets }

    fileprivate func octets(in message: ArraySlice<UInt8>) -> Int? {
        guard message.count >= end else { return nil }
        return message.number(at: offset, width: octets, isBigEndian: isBigEndian) + plus
    }

    /// `in octet 1, and 2 more`
    var text: String {
        let place =
            octets == 1
            ? "octet \(offset)"
            : "the \(octets) octets at \(offset), \(isBigEndian ? "most" : "least") significant octet first"
        return "in \(place)\(plus == 0 ? "" : plus > 0 ? ", and \(plus) more" : ", less \(-plus)")"
    }
}
