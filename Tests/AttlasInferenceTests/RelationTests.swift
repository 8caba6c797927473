import AttlasTestSupport
import Testing

@testable import AttlasInference

/// Octets that depend on the request before a value, or on what the user does.
@Suite struct RelationTests {
    private var random = SplitMix64(seed: 31)

    private mutating func octets(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
    }

    @Test mutating func anOpcodeAndANumberOfTheRequest() throws {
        var (requests, responses) = (ValueSeries(), ValueSeries())
        for number in 0..<60 {
            let opcode = UInt8([1, 4, 9].randomElement(using: &random) ?? 1)
            requests.append([0x55, opcode, UInt8.random(in: 0...255, using: &random)], time: 0, frame: 3 * number + 1)
            responses.append([opcode | 0x80] + octets(2) + [requests[number, 2]], time: 0, frame: 3 * number + 2)
            // Only the first value after the request answers it.
            responses.append([0x77] + octets(3), time: 0, frame: 3 * number + 3)
        }
        let relations = LayoutInference.layout(of: responses, InferenceContext(requests: requests)).relations
        expect(
            relations.map(\.sentence),
            equals: [
                "octet 0 is octet 1 exclusive or 0x80, of the value written before",
                "octet 3 repeats octet 2 of the value written before",
            ])
        #expect(relations.allSatisfy { $0.evidence.support == 60 && $0.evidence.total == 60 })
    }

    @Test mutating func theRequestSelectsTheLayout() throws {
        var (requests, responses) = (ValueSeries(), ValueSeries())
        for number in 0..<80 {
            let kind = Int.random(in: 0...3, using: &random)
            requests.append([0xA5, UInt8(kind)], time: 0, frame: 2 * number + 1)
            responses.append(octets([3, 5, 8, 13][kind]), time: 0, frame: 2 * number + 2)
        }
        let relations = LayoutInference.layout(of: responses, InferenceContext(requests: requests)).relations
        expect(relations.map(\.sentence), equals: ["octet 1 of the value written before selects one of 4 layouts"])
    }

    @Test mutating func requestsThatSayNothing() { expectNoRelation(ofSeries: 8) }

    fileprivate mutating func expectNoRelation(ofSeries count: Int) {
        for _ in 0..<count {
            var (requests, responses) = (ValueSeries(), ValueSeries())
            for number in 0..<80 {
                requests.append(octets(8), time: 0, frame: 2 * number + 1)
                responses.append(octets(8), time: 0, frame: 2 * number + 2)
            }
            #expect(LayoutInference.layout(of: responses, InferenceContext(requests: requests)).relations.isEmpty)
        }
    }

    // MARK: Marks

    private static let start: Int64 = 1_795_000_000_000_000_000

    /// A lamp that reports its state each second. Someone switches it every 20 seconds.
    private mutating func lamp() -> (ValueSeries, [(time: Int64, note: String)]) {
        var (series, marks, isOn) = (ValueSeries(), [(time: Int64, note: String)](), false)
        for second in 0..<240 {
            let time = Self.start + Int64(second) * 1_000_000_000
            if second % 20 == 10 {
                isOn.toggle()
                marks.append((time - 700_000_000, isOn ? "lights on" : "lights off"))
            }
            series.append([0xA0, isOn ? 1 : 0] + octets(2), time: time, frame: second + 1)
        }
        return (series, marks)
    }

    @Test mutating func anOctetThatFollowsTheMarks() throws {
        let (series, marks) = lamp()
        let relations = LayoutInference.layout(of: series, InferenceContext(marks: marks)).relations
        expect(relations.map(\.sentence), equals: ["octet 1 changes at the marks: lights on → 01, lights off → 00"])
        let evidence = try #require(relations.first?.evidence)
        #expect(evidence.text.hasPrefix("12 of 12 marks, by chance < 10"))
    }

    @Test mutating func marksAtOtherTimes() {
        let (series, marks) = lamp()
        let shifted = marks.map { (time: $0.time + 9_000_000_000, note: $0.note) }
        #expect(LayoutInference.layout(of: series, InferenceContext(marks: shifted)).relations.isEmpty)
        // Two marks are too few.
        #expect(LayoutInference.layout(of: series, InferenceContext(marks: Array(marks.prefix(2)))).relations.isEmpty)
        // Before the first and after the last value, at the ends of time, without a note.
        for time in [Int64.min, .max, 0] {
            let odd = (0..<5).map { _ in (time: time, note: "") }
            #expect(LayoutInference.layout(of: series, InferenceContext(marks: odd)).relations.isEmpty)
        }
    }

    @Test(arguments: [
        ("12:03:05 lights on", "lights on"), ("37.5 lights on", "lights on"), ("512 lights on", "lights on"),
        ("2026-11-21T09:55:20Z off", "off"), ("512", ""),
    ])
    func linesOfMarks(_ line: String, _ note: String) {
        expect(UserMark(line[...])?.note, equals: note)
    }

    @Test(arguments: ["", "lights on", "25:00:00 on", "-3 on", "# 12", "12:03 on"]) func whatIsNoMark(
        _ line: String
    ) {
        #expect(UserMark(line[...]) == nil)
    }
}

@Suite struct RelationLongTests {
    @Test func requestsThatSayNothing() {
        var tests = RelationTests()
        tests.expectNoRelation(ofSeries: 40)
    }
}
