import AttlasTestSupport
import Testing

@testable import AttlasInference

/// Framing and checks that public sources document, in streams of parts.
@Suite struct PublicProtocolTests {
    @Test func framingAndChecks() { PublicProtocols.framingAndChecks(seeds: 1...1) }
    @Test func noFalseClaims() { PublicProtocols.noFalseClaims(20) }
}

@Suite struct PublicProtocolLongTests {
    @Test func framingAndChecks() { PublicProtocols.framingAndChecks(seeds: 2...6) }
    @Test func noFalseClaims() { PublicProtocols.noFalseClaims(1_000) }
}

private enum PublicProtocols {
    private static func series(_ values: [(octets: [UInt8], time: Int64)]) -> ValueSeries {
        var series = ValueSeries()
        for (frame, value) in values.enumerated() { series.append(value.octets, time: value.time, frame: frame + 1) }
        return series
    }

    static func framingAndChecks(seeds: ClosedRange<UInt64>) {
        var (asked, right) = (0, 0)
        var mistakes: [String] = []
        for device in PublicProtocol.all {
            for seed in seeds {
                let (values, messages) = device.values(seed: seed)
                let layout = LayoutInference.layout(of: series(values))
                let framed = layout.messages?.series ?? series(values)
                let found = (0..<framed.count).map { Array(framed[$0]) }
                asked += 1
                // The last one may have no end.
                if found.count >= messages.count - 1, zip(found, messages).allSatisfy({ $0 == $1 }) {
                    right += 1
                } else {
                    mistakes.append(
                        "\(device.name): \(found.count) of \(messages.count) messages: "
                            + (layout.messages?.framing.sentence ?? "each value is one"))
                }
                guard let check = device.check else { continue }
                asked += 1
                let claims = layout.groups.flatMap(\.claims).compactMap { field -> InferredCheck? in
                    if case .check(let check) = field.kind { check } else { nil }
                }
                let isFound = claims.contains { claim in
                    let place = claim.place < 0 ? claim.place : claim.place - framed.lengths.lowerBound
                    return claim.title.hasPrefix(check.title) && place == check.place && claim.start == check.start
                }
                // Modbus is a format with its check.
                if isFound || check.title == layout.dialect.flatMap({ $0.dialect == .modbus ? "CRC-16/MODBUS" : nil }) {
                    right += 1
                } else {
                    mistakes.append("\(device.name): \(check.title): \(claims.map(\.title))")
                }
            }
        }
        #expect(right * 10 >= asked * 9, "\(right) of \(asked) right: \(mistakes.joined(separator: "\n"))")
    }

    /// Values of random lengths and contents, some of which begin alike, are no stream.
    static func noFalseClaims(_ streams: Int) {
        var random = SplitMix64(seed: 99)
        var mistakes: [String] = []
        for number in 0..<streams {
            let marks: [[UInt8]] = [[0x55, 0xAA], [0xA5], [0x01], [0x02]]
            let values = (0..<Int.random(in: 20...200, using: &random)).map { index -> (octets: [UInt8], time: Int64) in
                let mark = marks[number % 3 == 0 ? index % 4 : Int.random(in: 0..<4, using: &random)]
                let count = number % 2 == 0 ? 18 : Int.random(in: 1...18, using: &random)
                let rest = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
                return (mark + rest, Int64(index) * 50_000_000)
            }
            if let messages = FramingSearch(series(values), requests: nil).result() {
                mistakes.append("\(number): \(messages.framing.sentence)")
            }
        }
        let text = "\(mistakes.count): \(mistakes.prefix(5).joined(separator: "\n"))"
        expect(mistakes.count, equals: 0, "\(text)")
    }
}
