import AttlasCapture
import AttlasDissection
import AttlasFilter
import AttlasInput
import AttlasTestSupport
import AttlasTrace
import AttlasValues
import Foundation
import Testing

@testable import AttlasConversation
@testable import AttlasScreen

extension Recording {
    /// A recording that is cut into small pieces, with its index.
    static func indexed(
        _ path: String, columns: Int = 120, showsHCI: Bool = false, spacing: Int = 11, chunkLength: Int = 7
    ) throws -> Recording {
        var options = ConversationText.Options()
        options.width = columns
        options.showsHCI = showsHCI
        let recording = try Recording(
            SeekableCapture(path: path), Trace(), library: .withExamples, options: options, spacing: spacing,
            chunkLength: chunkLength)
        recording.finishIndex()
        return recording
    }

    func finishIndex() {
        while isBusy { advance(records: 5) }
    }

    func find(_ expression: String) throws {
        find(try Filter(expression, library: library), expression)
    }

    /// What the lines say, in the order in which they are asked for.
    func rows(_ numbers: some Sequence<Int>) -> [String] {
        numbers.flatMap { line($0)?.texts ?? ["no line \($0)"] }
    }
}

extension RecordedLine {
    var texts: [String] { rows.map { String(decoding: $0.text, as: UTF8.self) } }
}

/// The lines of a capture, made in one go.
private struct StraightLines: EventSink {
    var text: ConversationText
    var selector: EventSelector
    var rows: [String] = []

    mutating func receive(_ event: borrowing Event, in trace: borrowing Trace) {
        guard selector.isFound(event, in: trace), text.hasLine(event) else { return text.pass(event) }
        text.receive(event, in: trace)
        rows += ScreenLog.entries(&text.line, nil).map { String(decoding: $0.text, as: UTF8.self) }
    }

    static func of(
        _ path: String, columns: Int = 120, showsHCI: Bool = false, filter: String? = nil
    ) throws -> [String] {
        var options = ConversationText.Options()
        options.width = columns
        options.showsHCI = showsHCI
        options.isForScreen = true
        options.showsFrames = true
        var selection = Selection()
        selection.filter = try filter.map { try Filter($0, library: .withExamples) }
        var sink = Interpreted(library: .withExamples) {
            StraightLines(
                text: ConversationText(values: $0, options: options), selector: EventSelector(selection, values: $0))
        }
        var trace = Trace()
        var reader = try CaptureReader(path: path)
        do throws(CaptureError) {
            while let record = try reader.next() {
                sink.sink.text.note(record.comments, of: record.frame)
                trace.decode(record, into: &sink)
            }
        } catch {}
        trace.finish(into: &sink)
        return sink.sink.rows
    }
}

/// A recording gives the lines of the whole conversation wherever it is looked at.
@Suite struct RecordingTests {
    @Test(arguments: Repository.someCaptureNames)
    func anyLineIsTheOneThatReadingFromTheBeginningGives(name: String) throws {
        let path = Repository.capture(name)
        let recording = try Recording.indexed(path, showsHCI: true)
        let expected = try StraightLines.of(path, showsHCI: true)
        expect(recording.rows(0..<recording.lineCount), equals: expected)
        // From the end to the beginning: no line is made from the one before.
        let again = try Recording.indexed(path, showsHCI: true)
        let lines = (0..<again.lineCount).reversed().map { again.line($0)?.texts ?? [] }
        expect(lines.reversed().flatMap(\.self), equals: expected)
    }

    @Test(arguments: SampleFile.all) func everyFormatCanBeReadFromTheMiddle(sample: SampleFile) throws {
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        let path = try folder.write(sample.bytes)
        let recording = try Recording.indexed(path, showsHCI: true, spacing: 1, chunkLength: 1)
        let lines = (0..<recording.lineCount).reversed().flatMap { recording.line($0)?.texts.reversed() ?? [] }
        let expected = try StraightLines.of(path, showsHCI: true)
        expect(Array(lines.reversed()), equals: expected)
    }

    /// In both directions, in more than one piece, with a filter and without.
    @Test(arguments: [nil, "method == notification"], [true, false])
    func aSearchGoesThroughAllLines(filter: String?, isForward: Bool) throws {
        let path = Repository.capture("many-sensors.btsnoop")
        let recording = try Recording.indexed(path, spacing: 50, chunkLength: 1)
        if let filter {
            try recording.find(filter)
            recording.finishIndex()
        }
        let last = recording.lineCount - 1
        var lines: [Int: RecordedLine] = [:]
        #expect(
            Self.nearest(in: recording, from: isForward ? 0 : last, isForward: isForward) {
                lines[$0.number] = $0
                return false
            } == nil)
        expect(lines.keys.sorted(), equals: Array(0...last))
        #expect((0...last).flatMap { lines[$0]?.texts ?? [] } == (try StraightLines.of(path, filter: filter)))
        // The nearest of several, also of those in one piece.
        let wanted = [3, 4, last / 2, last - 4, last - 3]
        for start in [0, 4, last / 2, last - 3, last] {
            let found = Self.nearest(in: recording, from: start, isForward: isForward) { wanted.contains($0.number) }
            expect(found, equals: isForward ? wanted.first { $0 >= start } : wanted.last { $0 <= start })
        }
        for start in [-1, last + 1] {
            #expect(Self.nearest(in: recording, from: start, isForward: isForward) { _ in true } == nil)
        }
    }

    private static func nearest(
        in recording: Recording, from start: Int, isForward: Bool, isFound: @escaping (RecordedLine) -> Bool
    ) -> Int? {
        let search = RecordingSearch(from: start, isForward: isForward, isFound: isFound)
        while true {
            switch search.advance(in: recording, records: 7) {
            case .goesOn: continue
            case .found(let line): return line.number
            case .ended: return nil
            }
        }
    }

    @Test(arguments: ["error", "method == notification", "not known", "field(\"Battery Level\") > 0"])
    func aFilterIsAppliedToTheWholeCapture(expression: String) throws {
        for name in ["heart-rate.btsnoop", "many-sensors.btsnoop"] {
            let path = Repository.capture(name)
            let recording = try Recording.indexed(path)
            try recording.find(expression)
            recording.finishIndex()
            let expected = try StraightLines.of(path, filter: expression)
            expect(recording.rows(0..<recording.lineCount), equals: expected)
            // Those that the list was not made with.
            recording.resize(columns: 200)
            recording.resize(columns: 120)
            expect(recording.filterExpression, equals: expression)
            recording.find(nil, "")
            let everything = try StraightLines.of(path)
            expect(recording.rows(0..<recording.lineCount), equals: everything)
        }
    }

    @Test func theFirstScreenIsThereBeforeTheIndex() throws {
        var options = ConversationText.Options()
        options.width = 120
        let recording = try Recording(
            SeekableCapture(path: Repository.capture("heart-rate.btsnoop")), Trace(), library: .withExamples,
            options: options)
        recording.advance(records: 60)
        #expect(!recording.isComplete)
        #expect(recording.progress > 0.1 && recording.progress < 0.9)
        let line = try #require(recording.line(0))
        #expect(line.texts[0].contains("connected, this host is central"))
        #expect(line.frame > 1)
    }

    @Test func placesAreFoundByFrameTimeAndTrouble() throws {
        let recording = try Recording.indexed(Repository.capture("heart-rate.btsnoop"))
        for number in 0..<recording.lineCount {
            let line = try #require(recording.line(number))
            let found = try #require(recording.line(atFrame: line.frame).flatMap { recording.line($0) })
            expect(found.frame, equals: line.frame)
            let atTime = try #require(recording.line(at: 0, since: line.time).flatMap { recording.line($0) })
            expect(atTime.time, equals: line.time)
            let ofRecord = try #require(recording.line(ofRecord: line.record).flatMap { recording.line($0) })
            expect(ofRecord.record, equals: line.record)
        }
        expect(recording.line(atFrame: 100_000), equals: recording.lineCount - 1)
        expect(recording.line(atFrame: 0), equals: 0)
        // Captures/heart-rate.md: two errors.
        let first = try #require(recording.trouble(isForward: true, from: 0))
        let second = try #require(recording.trouble(isForward: true, from: first))
        #expect(recording.trouble(isForward: true, from: second) == nil)
        expect(recording.trouble(isForward: false, from: second), equals: first)
        #expect(recording.trouble(isForward: false, from: first) == nil)
        let texts = try #require(recording.line(ofRecord: first).flatMap { recording.line($0) }).texts
        #expect(texts[0].contains("✗"))
    }

    @Test func aFileThatGrowsIsFollowed() throws {
        let packets = try Repository.packets(of: "heart-rate.btsnoop")
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        let whole = packets.btsnoop
        // In the middle of a record.
        let path = try folder.write(whole.prefix(3_001), to: "log")
        let recording = try Recording.indexed(path)
        let before = recording.lineCount
        #expect(recording.failure != nil)
        #expect(!recording.follow())
        try folder.write(whole, to: "log")
        #expect(recording.follow())
        recording.finishIndex()
        #expect(recording.failure == nil)
        #expect(recording.lineCount > before)
        let expected = try StraightLines.of(path)
        expect(recording.rows(0..<recording.lineCount), equals: expected)
    }

    @Test func whatIsNoFileIsKeptInMemory() throws {
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        let path = Repository.capture("heart-rate.btsnoop")
        let fifo = folder.path("pipe")
        expect(unsafe mkfifo(fifo, 0o600), equals: 0)
        let octets = [UInt8](try Data(contentsOf: URL(filePath: path)))
        Thread.detachNewThread { FileHandle(forWritingAtPath: fifo)?.write(Data(octets)) }
        let recording = try Recording.indexed(fifo)
        let lines = (0..<recording.lineCount).reversed().flatMap { recording.line($0)?.texts.reversed() ?? [] }
        let expected = try StraightLines.of(path)
        expect(Array(lines.reversed()), equals: expected)
    }

    @Test func checkpointsAndIndexStaySmall() throws {
        // Notifications of one connection, again and again.
        var packets = try Repository.packets(of: "heart-rate.btsnoop")
        let last = try #require(packets.last(where: { $0.direction == .rx && $0.octets.count > 10 }))
        packets += [Packet](repeating: last, count: 40_000)
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        let path = try folder.write(packets.btsnoop)
        let recording = try Recording.indexed(path, spacing: 16, chunkLength: 64)
        #expect(recording.checkpointCount <= 512)
        #expect(recording.indexSize < 4 * recording.recordCount)
        let end = try #require(recording.line(recording.lineCount - 1))
        expect(end.frame, equals: packets.count)
    }
}

/// … in every capture.
@Suite struct RecordingLongTests {
    @Test(arguments: Repository.captureNames)
    func anyLineIsTheOneThatReadingFromTheBeginningGives(name: String) throws {
        try RecordingTests().anyLineIsTheOneThatReadingFromTheBeginningGives(name: name)
    }
}
