import AttlasCapture
import AttlasDissection
import AttlasFilter
import AttlasInput
import AttlasTestSupport
import AttlasTrace
import AttlasValues
import Testing

@testable import AttlasReport

/// What goes on, and its last records.
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
        recent.add(batch, behind: trace, interpreted)
        batch.visit {
            interpreted.sink.note($0)
            trace.decode($0, into: &interpreted)
            return true
        }
        return isOn
    }

    var info: CaptureInfo { reader.info }

    func recording(columns: Int = 120, showsHCI: Bool = false) throws -> Recording {
        var options = ConversationText.Options()
        options.width = columns
        options.showsHCI = showsHCI
        let recording = try #require(recent.recording(reader.info, library: .withExamples, options: options))
        recording.finishIndex()
        return recording
    }
}

/// A paused screen looks into what came last as `attlas open` looks into a capture.
@Suite struct RecentRecordsTests {
    @Test(arguments: Repository.captureNames) func theirLinesAreTheLastOnesOfTheCapture(name: String) throws {
        let all = try Recording.indexed(Repository.capture(name), showsHCI: true)
        let session = try Session(name, RecentRecords(pieces: 2, of: 3_000), showsHCI: true)
        while session.play(records: 5) {}
        let recent = try session.recording(showsHCI: true)
        let count = recent.lineCount
        #expect(count > 0 && count <= all.lineCount)
        #expect(recent.rows(0..<count) == all.rows(all.lineCount - count..<all.lineCount))
        // What was known before them.
        let (line, same) = (try #require(recent.line(0)), try #require(all.line(all.lineCount - count)))
        #expect(line.frame == same.frame)
        #expect(line.owner == same.owner && line.place == same.place && line.request == same.request)
    }

    @Test func allOfAShortSessionIsThereWithItsFindings() throws {
        let all = try Recording.indexed(Repository.capture("heart-rate.btsnoop"))
        let session = try Session("heart-rate.btsnoop", RecentRecords())
        while session.play(records: 100) {}
        let recent = try session.recording()
        #expect(recent.lineCount == all.lineCount)
        #expect(recent.findingFrames == all.findingFrames && !recent.findingFrames.isEmpty)
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
        #expect(recent.rows(0..<recent.lineCount) == before)
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
        #expect(screen.contains("q goes on"))
        #expect(screen.contains("Layers of frame 150"))
        // A table that was discovered before.
        _ = view.handle(.backTab, recording)
        #expect(text().contains("GATT of HRM-7"))
        _ = view.handle(.home, recording)
        #expect(text().contains(#/0x0003   Device Name +"HRM-7"/#))
        #expect(view.handle(.character("p"), recording) == .none)
        recording.finishIndex()
        #expect(text().contains("Plot of "))
        #expect(view.handle(.character(" "), recording) == .quit)
    }

    @Test func nothingHasComeYet() throws {
        let session = try Session("heart-rate.btsnoop", RecentRecords())
        #expect(session.recent.recording(session.info, library: .withExamples, options: .init()) == nil)
    }
}
