import AttlasDissection
import AttlasTestSupport
import Testing

@testable import AttlasInference

/// Messages that a device splits over values, by each rule.
@Suite struct FramingTests {
    private var random = SplitMix64(seed: 21)

    private mutating func octets(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
    }

    /// Parts every 5 ms, messages every second.
    private func series(_ messages: [[[UInt8]]]) -> ValueSeries {
        var (series, frame) = (ValueSeries(), 0)
        for (number, parts) in messages.enumerated() {
            for (place, part) in parts.enumerated() {
                frame += 1
                series.append(part, time: Int64(number) * 1_000_000_000 + Int64(place) * 5_000_000, frame: frame)
            }
        }
        return series
    }

    private func chunks(_ message: [UInt8], of size: Int) -> [[UInt8]] {
        stride(from: 0, to: message.count, by: size).map { Array(message[$0..<min($0 + size, message.count)]) }
    }

    @Test mutating func aLengthInTheMessage() throws {
        let messages = (0..<60).map { _ -> [UInt8] in
            let body = octets(Int.random(in: 3...70, using: &random))
            return [0xAA, 0x01, UInt8(body.count >> 8), UInt8(body.count & 0xFF)] + body
        }
        // The capture begins within a message.
        let values = [[octets(20)], [octets(7)]] + messages.map { chunks($0, of: 20) }
        let found = try #require(FramingSearch(series(values), requests: nil).result())
        #expect(
            found.framing.rule == .length(offset: 3, octets: 1, isBigEndian: false, plus: 4)
                || found.framing.rule == .length(offset: 2, octets: 2, isBigEndian: true, plus: 4))
        expect(found.framing.skipped, equals: 2)
        expect((0..<found.series.count).map { Array(found.series[$0]) }, equals: messages)
    }

    /// A clock in milliseconds that advances by 40: its lowest octet is 0x28 in every 32nd value of 8 octets.
    @Test func aClockIsNoMark() {
        let values = (0..<2_000).map { number -> [UInt8] in
            let time = UInt32(number * 40)
            return (0..<4).map { UInt8(truncatingIfNeeded: time >> ($0 * 8)) } + [UInt8(number % 251), 0, 7, 0]
        }
        #expect(FramingSearch(series([values]), requests: nil).result() == nil)
    }

    /// As a treadmill has it: a mark, a number, a length at octet 6, a CRC of what follows it at octet 8, up to 741 octets in 38 parts.
    @Test mutating func aHeaderWithALengthAndACheck() throws {
        let messages = (0..<60).map { number -> [UInt8] in
            let body = octets([2, 25, 89, 146, 731][number / 3 % 5])
            var crc: UInt16 = 0xFFFF
            for octet in body {
                crc ^= UInt16(octet) << 8
                for _ in 0..<8 { crc = crc & 0x8000 != 0 ? crc << 1 ^ 0x1021 : crc << 1 }
            }
            let length = UInt16(body.count)
            return [0x55, 0xAA, UInt8(number), 0, 1, 2, UInt8(length & 0xFF), UInt8(length >> 8)]
                + [UInt8(crc & 0xFF), UInt8(crc >> 8)] + body
        }
        let layout = LayoutInference.layout(of: series(messages.map { chunks($0, of: 20) }))
        #expect(
            layout.messages?.framing.rule == .length(offset: 6, octets: 2, isBigEndian: false, plus: 10)
                || layout.messages?.framing.rule == .length(offset: 6, octets: 1, isBigEndian: false, plus: 10))
        let check = try #require(layout.groups.flatMap(\.claims).first { $0.word == "check" })
        expect(check.place, equals: 8)
        #expect(check.sentence.hasPrefix("CRC-16/IBM-3740 of the octets from 10 on"))
        // The rest of a long message is not lost.
        #expect(layout.groups.contains { $0.lengths.lowerBound > 512 && $0.isVariable })
    }

    /// One in four has no room for the check: the length is right for it, too.
    @Test mutating func shortMessagesWithoutTheCheck() throws {
        let messages = (0..<60).map { number -> [UInt8] in
            if number % 4 == 0 { return [0x55, 0xAA, 0, 1, 0, 3, 1, 0, 0, 0, UInt8(number)] }
            let body = octets([25, 89, 146][number % 3])
            var crc: UInt16 = 0xFFFF
            for octet in body {
                crc ^= UInt16(octet) << 8
                for _ in 0..<8 { crc = crc & 0x8000 != 0 ? crc << 1 ^ 0x1021 : crc << 1 }
            }
            return [0x55, 0xAA, 0, 0, 1, 2, UInt8(body.count), 0, UInt8(crc & 0xFF), UInt8(crc >> 8)] + body
        }
        let found = try #require(FramingSearch(series(messages.map { chunks($0, of: 20) }), requests: nil).result())
        expect((0..<found.series.count).map { Array(found.series[$0]) }, equals: messages)
    }

    @Test mutating func textInPiecesOfAnySize() throws {
        let lines = (0..<60).map { Array("temperature \($0 * 37 % 100), humidity \($0 * 11 % 90)\n".utf8) }
        let values = lines.map { line in
            let cut = Int.random(in: 3...line.count - 3, using: &random)
            return [Array(line[..<cut]), Array(line[cut...])]
        }
        let found = try #require(FramingSearch(series(values), requests: nil).result())
        expect(found.framing.rule, equals: .terminator([0x0A]))
        expect((0..<found.series.count).map { Array(found.series[$0]) }, equals: lines)
        expect(LayoutInference.layout(of: series(values)).dialect?.dialect, equals: .lines)
    }

    @Test mutating func aHeaderBeforeEachPart() throws {
        let messages = (0..<60).map { _ in octets(Int.random(in: 5...90, using: &random)) }
        var sequence: UInt8 = 0
        let values = messages.map { message in
            let parts = chunks(message, of: 19)
            return parts.indices.map { index -> [UInt8] in
                defer { sequence = (sequence + 1) & 0x0F }
                let state: UInt8 = parts.count == 1 ? 0xC0 : index == 0 ? 0x40 : index == parts.count - 1 ? 0x80 : 0x00
                return [state | sequence] + parts[index]
            }
        }
        let found = try #require(FramingSearch(series(values), requests: nil).result())
        guard case .header(let header) = try #require(found.framing.rule) else {
            Issue.record("\(found.framing.sentence)")
            return
        }
        expect(
            [header.complete, header.first, header.middle, header.last].map { $0 & 0xC0 },
            equals: [0xC0, 0x40, 0x00, 0x80])
        #expect(header.sequence & 0x0F == 0x0F || header.sequence & 0x0F == header.sequence)
        expect((0..<found.series.count).map { Array(found.series[$0]) }, equals: messages)
    }

    /// One to four messages of a kind, a length and an exclusive or, in each value.
    @Test mutating func severalMessagesInOneValue() throws {
        let messages = (0..<120).map { _ -> [UInt8] in
            let body = octets(Int.random(in: 1...7, using: &random))
            let head = [0x5A, UInt8.random(in: 1...3, using: &random), UInt8(body.count)]
            return head + body + [(head + body).reduce(0, ^)]
        }
        var (rest, values) = (messages[...], [[UInt8]]())
        while !rest.isEmpty {
            let count = Int.random(in: 1...4, using: &random)
            values.append(Array(rest.prefix(count).joined()))
            rest = rest.dropFirst(count)
        }
        let layout = LayoutInference.layout(of: series(values.map { [$0] }))
        let found = try #require(layout.messages)
        expect((0..<found.series.count).map { Array(found.series[$0]) }, equals: messages)
        expect(
            found.framing.sentence,
            equals: "several messages in one value: the number of octets of each is in octet 2, and 4 more")
        #expect(layout.groups.flatMap(\.claims).contains { $0.sentence.hasPrefix("exclusive or") })
    }

    @Test mutating func numberedParts() throws {
        let messages = (0..<40).map { _ in octets(Int.random(in: 5...70, using: &random)) }
        let values = messages.map { message in
            chunks(message, of: 19).enumerated().map { [UInt8($0.offset)] + $0.element }
        }
        let found = try #require(FramingSearch(series(values), requests: nil).result())
        #expect(found.framing.sentence.hasSuffix("numbers the parts of a message from 0"))
        expect((0..<found.series.count).map { Array(found.series[$0]) }, equals: messages)
    }

    /// Answers to requests, cut anywhere, with a CRC that only the joined octets have.
    @Test mutating func allUntilTheNextRequest() throws {
        var (requests, responses, frame) = (ValueSeries(), ValueSeries(), 0)
        for number in 0..<40 {
            let body = [UInt8(1 + number % 8), 3, 0x20] + octets(32)
            var crc: UInt16 = 0xFFFF
            for octet in body {
                crc ^= UInt16(octet)
                for _ in 0..<8 { crc = crc & 1 != 0 ? crc >> 1 ^ 0xA001 : crc >> 1 }
            }
            let time = Int64(number) * 1_000_000_000
            frame += 1
            requests.append([1, 3, UInt8(number), 0, 0, 16], time: time, frame: frame)
            for part in chunks(body + [UInt8(crc & 0xFF), UInt8(crc >> 8)], of: 9) {
                frame += 1
                responses.append(part, time: time + 50_000_000, frame: frame)
            }
        }
        let layout = LayoutInference.layout(of: responses, InferenceContext(requests: requests))
        expect(layout.messages?.series.count, equals: 40)
        expect(layout.messages?.framing.rule, equals: .total(37))
        expect(layout.dialect?.dialect, equals: .modbus)
        // Without the requests the pauses show it.
        let alone = LayoutInference.layout(of: responses)
        expect(alone.messages?.series.count, equals: 40)
        #expect(alone.messages?.framing.sentence.contains("until a pause of") == true)
    }

    /// A transfer of text between requests: what is joined is too long to be looked at whole, and is not.
    @Test mutating func aTransferBetweenRequests() {
        var (requests, responses, frame) = (ValueSeries(), ValueSeries(), 0)
        for _ in 0..<12 {
            frame += 1
            requests.append([1], time: Int64(frame) * 1_000_000, frame: frame)
            for line in 0..<2_000 {
                frame += 1
                responses.append(
                    Array("line \(line % 97) of the log\n".utf8), time: Int64(frame) * 1_000_000, frame: frame)
            }
        }
        let layout = LayoutInference.layout(of: responses, InferenceContext(requests: requests))
        #expect(layout.messages == nil)
        expect(layout.dialect?.dialect, equals: .lines)
    }

    /// Levels in steps of the value's length, and samples whose low bits are 0: multiples of one length end with a value, whatever they count.
    @Test(arguments: 0..<8) mutating func stepsOfTheLength(_ seed: Int) {
        random = SplitMix64(seed: UInt64(300 + seed))
        let levels = (0..<200).map { _ in
            [[0x10, UInt8.random(in: 1...10, using: &random) * 10] + octets(8)]
        }
        #expect(FramingSearch(series(levels), requests: nil).result() == nil)
        let samples = (0..<200).map { _ in
            [(0..<4).flatMap { _ in [UInt8.random(in: 0...15, using: &random) << 4, octets(1)[0]] }]
        }
        #expect(FramingSearch(series(samples), requests: nil).result() == nil)
        // An octet that is 0A now and then is no end.
        let flags = (0..<200).map { _ in [octets(7).map { $0 | 0x10 } + [Bool.random(using: &random) ? 0x0A : 0x11]] }
        #expect(FramingSearch(series(flags), requests: nil).result() == nil)
    }

    /// Telemetry in values of two lengths: each is a message.
    @Test(arguments: 0..<3) mutating func wholeMessages(_ seed: Int) {
        random = SplitMix64(seed: UInt64(100 + seed))
        let values = (0..<300).map { index -> [[UInt8]] in
            let number = UInt8(index & 0xFF)
            if index % 5 == 4 { return [[0x02, number] + octets(6) + [0]] }
            return [[0x01, number] + octets(18)]
        }
        #expect(FramingSearch(series(values), requests: nil).result() == nil)
        // A counter of values of one length is no number of a part.
        let counted = (0..<300).map { [[UInt8($0 & 0x0F)] + octets(9)] }
        #expect(FramingSearch(series(counted), requests: nil).result() == nil)
        let random = (0..<300).map { _ in [octets(20)] }
        #expect(FramingSearch(series(random), requests: nil).result() == nil)
        let several = (0..<300).map { _ in [octets(Int.random(in: 1...20, using: &self.random))] }
        #expect(FramingSearch(series(several), requests: nil).result() == nil)
    }
}

@Suite struct FramingLongTests {
    @Test(arguments: 0..<20) func wholeMessages(_ seed: Int) {
        var tests = FramingTests()
        tests.wholeMessages(seed)
    }
}
