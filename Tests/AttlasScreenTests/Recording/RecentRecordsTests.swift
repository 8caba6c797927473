import AttlasCapture
import AttlasDissection
import AttlasFilter
import AttlasInput
import AttlasTestSupport
import AttlasTrace
import AttlasValues
import Testing

@testable import AttlasConversation
@testable import AttlasScreen
@testable import AttlasText

/// A live session, and its last records.
private final class Session {
    var recent: RecentRecords
    private var interpreted: Interpreted<ScreenModel>
    private var trace = Trace()
    private var reader: CaptureReader

    init(_ capture: String, _ recent: RecentRecords, showsHCI: Bool = false) throws {
        self.recent = recent
        reader = try CaptureReader(path: Repository.capture(capture))
        var options = ConversationText.Options()
        options.showsHCI = showsHCI
        interpreted = Interpreted(library: .withExamples) {
            ScreenModel(values: $0, selection: Selection(), options: options)
        }
    }

    /// - Returns: whether there may be more.
    @discardableResult
    func play(records: Int) -> Bool {
        var batch = RecordBatch()
        var isOn = true
        do throws(CaptureError) {
            while isOn, batch.count < records {
                if let record = try reader.next() { batch.append(record) } else { isOn = false }
            }
        } catch {
            isOn = false
        }
        recent.add(batch, after: trace, interpreted)
        batch.visit {
            interpreted.sink.note($0)
            trace.decode($0, into: &interpreted)
            return true
        }
        return isOn
    }

    var info: CaptureInfo { reader.info }

    func recording(
        columns: Int = 120, showsHCI: Bool = false, scope: Selection = Selection(), isOver: Bool = true
    ) throws -> Recording {
        var options = ConversationText.Options()
        options.width = columns
        options.showsHCI = showsHCI
        let recording = try #require(
            recent.recording(reader.info, scope: scope, isOver: isOver, library: .withExamples, options: options))
        recording.finishIndex()
        return recording
    }
}

/// A paused screen looks into what came last as `attlas open` looks into a capture.
@Suite struct RecentRecordsTests {
    @Test(arguments: Repository.someCaptureNames) func theirLinesAreTheLastOnesOfTheCapture(name: String) throws {
        let all = try Recording.indexed(Repository.capture(name), showsHCI: true)
        let session = try Session(name, RecentRecords(pieces: 2, of: 3_000), showsHCI: true)
        while session.play(records: 5) {}
        let recent = try session.recording(showsHCI: true)
        let count = recent.lineCount
        #expect(count > 0 && count <= all.lineCount)
        expect(recent.rows(0..<count), equals: all.rows(all.lineCount - count..<all.lineCount))
        // What was known before them.
        let (line, same) = (try #require(recent.line(0)), try #require(all.line(all.lineCount - count)))
        expect(line.frame, equals: same.frame)
        #expect(line.owner == same.owner && line.place == same.place && line.request == same.request)
    }

    /// Also of records that gave way.
    @Test(arguments: [true, false]) func whatBrokeInTheWholeSession(isOver: Bool) throws {
        let session = try Session("heart-rate.btsnoop", RecentRecords(pieces: 2, of: 1_000))
        while session.play(records: 5) {}
        let recent = try session.recording(isOver: isOver)
        #expect(recent.line(0)?.frame ?? 0 > 136)
        let overview = try #require(recent.overview)
        expect(overview.incidents.incidents.map(\.frame), equals: [136, 162])
        expect(overview.connectionLanes.count, equals: 1)
        var view = RecordingView(isASCII: false, isOfLive: true)
        let size = Grid.Size(columns: 80, rows: 24)
        for key in ["w", "\r"] {
            view.layOut(recent, size)
            _ = view.handle(key == "w" ? .character("w") : .enter, recent)
        }
        #expect(view.message?.text.hasPrefix("No line for frame 136: Read Request of System ID") == true)
    }

    @Test func allOfAShortSessionIsThereWithItsFindings() throws {
        let all = try Recording.indexed(Repository.capture("heart-rate.btsnoop"))
        let session = try Session("heart-rate.btsnoop", RecentRecords())
        while session.play(records: 100) {}
        let recent = try session.recording()
        expect(recent.lineCount, equals: all.lineCount)
        #expect(recent.findingFrames == all.findingFrames && !recent.findingFrames.isEmpty)
    }

    /// Of what gave way, the rules know what they need; what it had is told again when it comes again.
    @Test(arguments: Repository.someCaptureNames) func findingsAreThoseOfTheWholeSession(name: String) throws {
        let all = try Recording.indexed(Repository.capture(name))
        let session = try Session(name, RecentRecords(pieces: 2, of: 3_000))
        while session.play(records: 5) {}
        let recent = try session.recording()
        let first = recent.line(0)?.frame ?? .max
        for (frame, findings) in all.findings where frame >= first {
            #expect(recent.findings[frame]?.count ?? 0 >= findings.count, "frame \(frame)")
        }
        let known = all.findings.values.flatMap(\.self)
        for finding in recent.findings.values.flatMap(\.self) where finding.frame >= first {
            #expect(
                known.contains {
                    $0.rule.id == finding.rule.id
                        && ($0.frame == finding.frame || $0.frame < first && $0.lastFrame >= finding.frame)
                }, "frame \(finding.frame): \(finding.sentence)")
        }
    }

    @Test func findingsAreThereWhenTheBeginningIsNot() throws {
        let session = try Session("many-sensors.btsnoop", RecentRecords(pieces: 2, of: 5_000))
        while session.play(records: 5) {}
        let recent = try session.recording()
        #expect(try #require(recent.line(0)).frame > 50)
        expect(recent.findings[151]?.map(\.rule.id), equals: ["value/wrong-crc"])
    }

    /// What the end of a conversation settles is not known before it.
    @Test func whatGoesOnHasNoFindingsOfItsEnd() throws {
        let session = try Session("many-sensors.btsnoop", RecentRecords())
        session.play(records: 200)
        #expect(try session.recording().findingFrames.contains { $0 > 190 })
        #expect(try !session.recording(isOver: false).findingFrames.contains { $0 > 190 })
        try expect(session.recording(isOver: false).findings[151]?.count, equals: 1)
    }

    @Test func onlyWhatIsSelectedIsShown() throws {
        let session = try Session("two-peripherals.btsnoop", RecentRecords())
        while session.play(records: 100) {}
        var scope = Selection()
        scope.peer = "oven"
        scope.frames = 1...9_999
        let recording = try session.recording(columns: 200, scope: scope)
        var view = RecordingView(isASCII: false, isOfLive: true)
        let size = Grid.Size(columns: 200, rows: 40)
        func heading() -> String {
            recording.finishIndex()
            view.layOut(recording, size)
            return view.paint(recording, size).text(row: 1)
        }
        #expect(heading().contains("· only --frames 1-9999 and --peer \"oven\""))
        let count = recording.lineCount
        #expect(count >= 70)
        let rows = recording.rows(0..<count)
        #expect(rows.contains { $0.contains("Oven Probe") } && !rows.contains { $0.contains("HRM") })
        // A filter comes on top of it, and goes.
        try recording.find("method == notification")
        #expect(heading().contains("filter method == notification · only --frames 1-9999"))
        #expect(recording.lineCount > 0 && recording.lineCount < count)
        recording.find(nil, "")
        #expect(heading().contains(" of \(count) · only "))
        // What is exported is what is shown: 70 operations, as filter.md counts them.
        let export = try recording.export(.json, frames: nil)
        while !export.isComplete { export.advance(records: 100) }
        let lines = String(decoding: export.lines.bytes, as: UTF8.self).split(separator: "\n")
        expect(lines.count { $0.hasPrefix("{\"type\":\"att\"") }, equals: 70)
    }

    @Test func whatComesAfterwardsChangesNothing() throws {
        let session = try Session("heart-rate.btsnoop", RecentRecords(pieces: 2, of: 3_000))
        session.play(records: 100)
        let recent = try session.recording()
        let before = recent.rows(0..<recent.lineCount)
        while session.play(records: 5) {}
        #expect(!recent.follow())
        recent.resize(columns: 300)
        recent.resize(columns: 120)
        expect(recent.rows(0..<recent.lineCount), equals: before)
        #expect(try session.recording().lineCount > 0)
    }

    @Test(arguments: [(60, 16), (80, 23), (120, 40)])
    func theScreenBeginsAtTheEndWithLayersOctetsAndTheTable(columns: Int, rows: Int) throws {
        let session = try Session("heart-rate.btsnoop", RecentRecords(pieces: 1, of: 6_000))
        session.play(records: 150)
        let recording = try session.recording(columns: columns)
        var view = RecordingView(isASCII: false, isOfLive: true)
        view.place = "PAUSED, 1 newer record"
        let size = Grid.Size(columns: columns, rows: rows)
        func text() -> String {
            view.layOut(recording, size)
            let grid = view.paint(recording, size)
            return (0..<rows).map { grid.text(row: $0) }.joined(separator: "\n")
        }
        let screen = text()
        #expect(screen.contains("attlas live"))
        #expect(screen.contains("line \(recording.lineCount) of \(recording.lineCount)"))
        #expect(screen.contains("q resume"))
        #expect(screen.contains("Layers of frame 150"))
        // A table that was discovered before.
        _ = view.handle(.backTab, recording)
        #expect(text().contains("GATT of HRM-7"))
        _ = view.handle(.home, recording)
        #expect(text().contains(#/0x0003   Device Name +"HRM-7"/#))
        expect(view.handle(.character("p"), recording), equals: .none)
        recording.finishIndex()
        #expect(text().contains("Plot of "))
        expect(view.handle(.character(" "), recording), equals: .quit)
    }

    @Test func nothingHasComeYet() throws {
        let session = try Session("heart-rate.btsnoop", RecentRecords())
        #expect(
            session.recent.recording(
                session.info, scope: Selection(), isOver: false, library: .withExamples, options: .init()) == nil)
    }
}

/// … of every capture.
@Suite struct RecentRecordsLongTests {
    @Test(arguments: Repository.captureNames) func theirLinesAreTheLastOnesOfTheCapture(name: String) throws {
        try RecentRecordsTests().theirLinesAreTheLastOnesOfTheCapture(name: name)
    }

    @Test(arguments: Repository.captureNames) func findingsAreThoseOfTheWholeSession(name: String) throws {
        try RecentRecordsTests().findingsAreThoseOfTheWholeSession(name: name)
    }
}
