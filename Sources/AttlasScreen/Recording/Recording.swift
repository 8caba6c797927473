import AttlasCapture
import AttlasConversation
import AttlasDissection
import AttlasFilter
import AttlasIncidents
import AttlasInference
import AttlasLint
import AttlasMetrics
import AttlasText
import AttlasTrace
import AttlasValues
import AttlasWire

/// A recorded conversation of any length that can be looked at anywhere.
///
/// A line can be made only by decoding from a known state. So there are checkpoints: copies of the state at a record, which share unchanged
/// storage. They are first set close together; when there are many, or when they may take too much memory, every other one is dropped.
/// Besides them the index only has a mark for every 256 lines.
package final class Recording {
    private static let checkpointLimit = 512
    /// Octets of the process beyond those at the beginning and the index, until checkpoints are dropped; and until they are again,
    /// as their memory is reused.
    private static let octetLimit = 24 << 20
    private static let octetStep = 1 << 20
    /// Checkpoints at places that were looked at last.
    private static let recentLimit = 8
    private static let quietEnough = 10
    /// Records between two checkpoints at first, and lines between two marks.
    static let usualSpacing = 16_384
    static let usualChunkLength = 256

    package let capture: SeekableCapture
    package let library: DissectorLibrary
    /// State of the rules, and of the incidents, before the first record.
    private let lintStart: LintCollector
    private let incidentStart: IncidentCollector
    /// All lines.
    private var everything: Listing
    /// Those that are selected.
    private var filtered: Listing?
    /// Which conversation it is, whatever the filter.
    private let scope: Selection
    private var checkpoints: [Checkpoint]
    private var recent: [Checkpoint] = []
    private var spacing: Int
    private var octetCeiling = SystemCalls.peakMemory + octetLimit
    /// The pass that makes the index, or the list of lines that meet the filter.
    private var pass: Pass?
    /// The size of the file when it was read to its end.
    private var endSize: UInt64 = 0
    /// The numbers of the records with an error, a fault or a loss, in order.
    private(set) var trouble: [UInt32] = []
    /// Why the capture cannot be read to its end.
    package private(set) var failure: CaptureError?
    /// Metadata of the part that was read.
    private(set) var info: CaptureInfo
    private var options: ConversationText.Options
    /// Gathers the findings and the overview.
    private var judgement: RecordingReplay<SinkPair<LintCollector, OverviewCollector>>?
    private var plot: RecordingReplay<PlotCollector>?
    private var values: RecordingReplay<ValuesCollector>?
    /// Whose values are gathered, and those of the last time.
    private var gatheredHandle: AttributeHandle?
    private(set) var gatheredValues: ValuesModel?
    /// How often they were gathered.
    private(set) var gatherings = 0
    /// How often the file was looked at since it grew last; nil before that.
    private var quiet: Int?
    /// By their frames; and the frames, in order.
    private(set) var findings: [Int: [LintFinding]] = [:]
    private(set) var findingFrames: [Int] = []
    /// nil until the capture was read.
    private(set) var overview: RecordingOverview?

    private final class Pass {
        var playback: Playback
        let isFiltered: Bool

        init(_ playback: consuming Playback, isFiltered: Bool) {
            self.playback = playback
            self.isFiltered = isFiltered
        }
    }

    /// - Parameter options: how the lines look. Their `width` is that of the screen.
    package convenience init(
        _ capture: SeekableCapture, _ trace: consuming Trace, library: DissectorLibrary,
        options: ConversationText.Options
    ) throws(CaptureError) {
        try self.init(
            capture, trace, library: library, options: options, spacing: Self.usualSpacing,
            chunkLength: Self.usualChunkLength)
    }

    convenience init(
        _ capture: SeekableCapture, _ trace: consuming Trace, library: DissectorLibrary,
        options: ConversationText.Options, spacing: Int, chunkLength: Int
    ) throws(CaptureError) {
        var trace = trace
        var reader = try capture.reader(at: capture.start)
        try trace.settleOrigin(&reader)
        let sink = Interpreted(library: library) { values in
            PlayedConversation(
                model: ScreenModel(values: values, selection: Selection(), options: options, isLive: false),
                collector: LineCollector(values: values, options: options))
        }
        try self.init(
            capture, Checkpoint(capture.start, trace, sink), LintCollector(values: sink.sink.model.values),
            IncidentCollector(values: sink.sink.model.values), options: options, spacing: spacing,
            chunkLength: chunkLength)
    }

    /// - Parameters:
    ///   - start: before the first record.
    ///   - lint: the rules' state there.
    ///   - incidents: the incidents there.
    ///   - scope: the part of the conversation that is shown, whatever the filter.
    ///   - spacing: records between two checkpoints at first.
    ///   - chunkLength: lines between two marks.
    init(
        _ capture: SeekableCapture, _ start: Checkpoint, _ lint: LintCollector, _ incidents: IncidentCollector,
        scope: Selection = Selection(), options: ConversationText.Options, spacing: Int, chunkLength: Int
    ) throws(CaptureError) {
        self.spacing = spacing
        everything = Listing(nil, chunkLength: chunkLength)
        self.capture = capture
        lintStart = lint
        incidentStart = incidents
        self.scope = scope
        library = start.sink.sink.model.values.library
        self.options = options
        info = capture.info
        checkpoints = [start]
        var playback = try Playback(start, capture)
        // The first screen.
        playback.sink.sink.collector.wanted = 0..<chunkLength
        pass = Pass(playback, isFiltered: false)
        list(scope)
    }

    // MARK: Looking

    private var listing: Listing {
        get { filtered ?? everything }
        set { if filtered != nil { filtered = newValue } else { everything = newValue } }
    }

    /// Lines that are shown, as far as they are known.
    var lineCount: Int { listing.count }
    /// Lines that a filter without a match leaves out; nil while one is found, or may be.
    var hiddenLines: Int? { filterExpression.isEmpty || !isComplete || lineCount > 0 ? nil : everything.count }
    /// Records that were read.
    var recordCount: Int { everything.records }
    package private(set) var filterExpression = ""
    /// Further limits of the scope, as they are written on a command line.
    var scopeOptions: String? { scope.scopeOptions }
    /// Whether all lines are known.
    package var isComplete: Bool { pass == nil }
    /// Whether there is something to `advance`.
    package var isBusy: Bool { pass != nil || isPlotting || judgement != nil }
    /// Whether a plot has not seen all of the capture.
    var isPlotting: Bool { plot.map { !$0.isComplete } ?? (values != nil) }
    /// Octets that the index takes, without the checkpoints.
    var indexSize: Int { everything.footprint + (filtered?.footprint ?? 0) + 4 * trouble.count }
    var checkpointCount: Int { checkpoints.count }

    /// The share of the capture that the index, the filter or the plot has read: 0 to 1.
    var progress: Double { share(pass?.playback.offset ?? values?.offset ?? plot?.offset) }

    /// The same for the overview, which is gathered after the index.
    var overviewProgress: Double {
        pass == nil ? 0.5 + share(judgement?.offset) / 2 : progress / 2
    }

    private func share(_ offset: UInt64?) -> Double {
        let size = capture.size
        guard let offset, size > 0 else { return 1 }
        return min(1, Double(offset) / Double(size))
    }

    func line(_ number: Int) -> RecordedLine? {
        guard 0..<listing.count ~= number else { return nil }
        let chunk = listing.chunk(of: number)
        let lines = lines(ofChunk: chunk)
        let place = number - chunk * listing.chunkLength
        return place < lines.count ? lines[place] : nil
    }

    private func lines(ofChunk chunk: Int) -> [RecordedLine] {
        if let lines = listing.lines(ofChunk: chunk) { return lines }
        let mark = listing.marks[chunk]
        let wanted = listing.range(ofChunk: chunk)
        // The chunk before it is often the next one needed.
        guard var playback = play(to: listing.marks[max(0, chunk - 1)].record) else { return [] }
        note(playback.checkpoint())
        while playback.record < mark.record, playback.step() {}
        note(playback.checkpoint())
        let lines = lines(wanted, from: mark, &playback)
        listing.keep(lines, ofChunk: chunk)
        return lines
    }

    /// - Parameter playback: at the mark of the first of them; then after the last one.
    private func lines(_ wanted: Range<Int>, from mark: Listing.Mark, _ playback: inout Playback) -> [RecordedLine] {
        playback.sink.sink.collector.choose(filtered?.selection, from: mark.lines, width: options.width)
        playback.sink.sink.collector.wanted = wanted
        while playback.sink.sink.collector.count < wanted.upperBound, playback.step() {}
        let lines = playback.sink.sink.collector.takeLines()
        if !playback.isAtEnd {
            playback.sink.sink.collector.wanted = 0..<0
            note(playback.checkpoint())
        }
        return lines
    }

    /// This line and its neighbours, if they are made already.
    func keptLines(with number: Int) -> [RecordedLine]? { listing.lines(ofChunk: listing.chunk(of: number)) }

    /// To make the lines from this one on; or, backwards, those from the checkpoint before it to this one.
    func piece(from number: Int, isForward: Bool) -> RecordingSearch.Piece? {
        let (chunk, marks) = (listing.chunk(of: number), listing.marks)
        var first = chunk
        if !isForward {
            let start = checkpoint(before: marks[chunk].record).record
            first = listing.chunk { $0.record <= start }
            if marks[first].record < start { first += 1 }
        }
        guard var playback = play(to: marks[first].record) else { return nil }
        playback.sink.sink.collector.choose(filtered?.selection, from: marks[first].lines, width: options.width)
        return RecordingSearch.Piece(
            playback, isForward ? number..<Int.max : first * listing.chunkLength..<number + 1)
    }

    /// The conversation up to a number of records.
    func play(to record: Int) -> Playback? {
        let best = checkpoint(before: record)
        guard var playback = try? Playback(best, capture) else { return nil }
        while playback.record < record {
            // The screen shows only the last values.
            if playback.record == max(best.record, record - 2_000) { playback.sink.sink.model.beginSamples() }
            guard playback.step() else { break }
        }
        return playback
    }

    /// The last one with at most this number of records.
    private func checkpoint(before record: Int) -> Checkpoint {
        var best = checkpoints[0]
        for checkpoint in checkpoints + recent where best.record < checkpoint.record && checkpoint.record <= record {
            best = checkpoint
        }
        return best
    }

    /// The state at a line, with the layers of its packet.
    func moment(of line: RecordedLine) -> Playback? {
        guard var playback = play(to: line.record - 1) else { return nil }
        playback.sink.sink.inspected = (line.record, line.ordinal)
        _ = playback.step()
        // The line is reported at the end of the capture.
        if playback.sink.sink.layers == nil { _ = playback.step() }
        return playback
    }

    /// Whether the times of lines are UTC, and not those of this machine's zone.
    var showsUTC: Bool { options.time == .absolute }

    private func note(_ checkpoint: Checkpoint) {
        recent.removeAll { $0.record == checkpoint.record }
        recent.append(checkpoint)
        while recent.count > Self.recentLimit { recent.removeFirst() }
    }

    /// The first line at or after a place, of which `isBefore` is true for the lines before it; the last line if there is none.
    private func firstLine(
        markIsBefore: (Listing.Mark) -> Bool, lineIsBefore: (RecordedLine) -> Bool
    ) -> Int? {
        guard listing.count > 0 else { return nil }
        let chunk = listing.chunk(where: markIsBefore)
        if let line = lines(ofChunk: chunk).first(where: { !lineIsBefore($0) }) { return line.number }
        return min(listing.count - 1, listing.range(ofChunk: chunk).upperBound)
    }

    func line(atFrame frame: Int) -> Int? {
        firstLine {
            $0.frame < frame
        } lineIsBefore: {
            $0.frame < frame
        }
    }

    /// - Parameter record: counted from 1.
    func line(ofRecord record: Int) -> Int? {
        firstLine {
            $0.record + 1 < record
        } lineIsBefore: {
            $0.record < record
        }
    }

    /// - Parameter time: nanoseconds since `start`.
    func line(at time: Int64, since start: Timestamp) -> Int? {
        firstLine {
            $0.time.nanoseconds(since: start) < time
        } lineIsBefore: {
            $0.time.nanoseconds(since: start) < time
        }
    }

    /// The next record with trouble after a number of records, or the one before them.
    func trouble(isForward: Bool, from record: Int) -> Int? {
        var (low, high) = (0, trouble.count)
        while low < high {
            let middle = (low + high) / 2
            if Int(trouble[middle]) < record + (isForward ? 1 : 0) { low = middle + 1 } else { high = middle }
        }
        let place = isForward ? low : low - 1
        return trouble.indices.contains(place) ? Int(trouble[place]) : nil
    }

    // MARK: Indexing

    /// Continues the index, and then the findings, by at most this number of records. To be called again as long as `isBusy`.
    package func advance(records: Int) {
        guard let pass else {
            if let plot, !plot.isComplete {
                plot.advance(records: records)
            } else if let values {
                values.advance(records: records)
                guard values.isComplete else { return }
                gatheredValues = values.finish { collector, integrity, _, trace in
                    collector.finish(in: trace, integrity)
                }
                gatherings += 1
                self.values = nil
            } else if let judgement {
                judgement.advance(records: records)
                if judgement.isComplete { finish(judgement) }
            }
            return
        }
        let size = capture.size
        var left = records
        var isOn = true
        while left > 0, isOn {
            let (before, limit) = (pass.playback.record, (checkpoints.last?.record ?? 0) + spacing)
            let most = pass.isFiltered ? left : min(left, max(1, limit - before))
            // The listing is the pass's meanwhile: a check for each access to it is a twentieth of the time.
            if pass.isFiltered, var listing = filtered {
                filtered = nil
                isOn = pass.playback.index(records: most, into: &listing)
                filtered = listing
            } else {
                isOn = pass.playback.index(records: most, into: &everything, &trouble)
                if isOn, pass.playback.record >= limit { addCheckpoint(pass) }
            }
            left -= most
        }
        if pass.playback.sink.sink.collector.hasLines {
            let lines = pass.playback.sink.sink.collector.takeLines()
            if pass.isFiltered { filtered?.keep(lines) } else { everything.keep(lines) }
        }
        guard !isOn else { return }
        self.pass = nil
        if pass.isFiltered { return }
        failure = pass.playback.failure
        info = pass.playback.info
        endSize = size
        if quiet == nil { startJudgement() }
        if let selection = filtered?.selection { list(selection) }
        if let plot { self.plot(plot.sink.subject) }
        if let gatheredHandle { gatherValues(of: gatheredHandle) }
    }

    private func startJudgement() {
        judgement = try? RecordingReplay(checkpoints[0], capture) {
            SinkPair(first: lintStart.goingOn($0), second: OverviewCollector(incidentStart.goingOn($0)))
        }
    }

    private func finish(_ pass: RecordingReplay<SinkPair<LintCollector, OverviewCollector>>) {
        judgement = nil
        let isOver = capture.isOver
        let model = pass.finish { sink, integrity, _, trace in
            let model = isOver ? sink.first.finish(in: trace, integrity) : sink.first.findings(integrity, in: trace)
            overview = sink.second.finish(model, integrity, isOver: isOver, in: trace)
            return model
        }
        findings = Dictionary(grouping: model.findings, by: \.frame)
        findingFrames = findings.keys.sorted()
    }

    private func addCheckpoint(_ pass: Pass) {
        checkpoints.append(pass.playback.checkpoint())
        let peak = SystemCalls.peakMemory - indexSize
        if checkpoints.count > Self.checkpointLimit || checkpoints.count > 2 && peak > octetCeiling {
            octetCeiling = max(octetCeiling, peak + Self.octetStep)
            checkpoints = checkpoints.enumerated().filter { $0.offset.isMultiple(of: 2) }.map(\.element)
            spacing *= 2
        }
    }

    /// Reads data added to the file since it was read to its end.
    /// - Returns: whether there is something.
    package func follow() -> Bool {
        guard pass == nil, capture.size > endSize, let last = checkpoints.last,
            let playback = try? Playback(last, capture)
        else {
            // A file that was written to a moment ago will be written to again.
            quiet = quiet.map { $0 + 1 }
            if quiet == Self.quietEnough { startJudgement() }
            return false
        }
        quiet = 0
        // Lines of the former end of the file no longer apply.
        everything.truncate(records: last.record, lines: last.sink.sink.collector.count)
        while let record = trouble.last, Int(record) > last.record { trouble.removeLast() }
        recent.removeAll { $0.record > last.record }
        pass = Pass(playback, isFiltered: false)
        return true
    }

    // MARK: What the user asks for

    /// Names that filters can use in this capture, as far as it was read.
    func filterCompletion() -> FilterCompletion {
        var (characteristics, services, peers): (Set<String>, Set<String>, Set<String>) = ([], [], [])
        if let playback = play(to: recordCount) {
            var values = playback.sink.sink.model.values
            for (index, peer) in playback.trace.peers.enumerated() {
                if let name = playback.trace.peerName(index) { peers.insert(name) }
                for service in peer.table.services {
                    services.insert(values.name(service.uuid, .service, in: playback.trace))
                }
                for characteristic in peer.table.characteristics {
                    characteristics.insert(values.name(characteristic.uuid, .characteristic, in: playback.trace))
                }
            }
        }
        return FilterCompletion(
            characteristics: characteristics.sorted(), services: services.sorted(), peers: peers.sorted(),
            fields: library.fieldNames.sorted())
    }

    /// From now on the lines are those that meet the filter.
    package func find(_ filter: Filter?, _ expression: String) {
        filterExpression = filter == nil ? "" : expression
        var selection = scope
        selection.filter = filter
        list(selection)
    }

    /// Looks for the lines that a selection holds.
    private func list(_ selection: Selection) {
        if pass?.isFiltered ?? false { pass = nil }
        filtered = selection.isEverything ? nil : Listing(selection, chunkLength: everything.chunkLength)
        guard filtered != nil, pass == nil, var playback = try? Playback(checkpoints[0], capture) else { return }
        playback.sink.sink.collector.choose(selection, from: 0, width: options.width)
        playback.sink.sink.collector.wanted = 0..<Listing.keptChunks * everything.chunkLength
        pass = Pass(playback, isFiltered: true)
    }

    /// Gathers numbers over time, from the beginning; nil: no more.
    func plot(_ subject: PlotSubject?) {
        plot = subject.flatMap { subject in
            try? RecordingReplay(checkpoints[0], capture) { PlotCollector(subject, values: $0) }
        }
    }

    /// Gathers the values of an attribute, from the beginning; nil: no more.
    func gatherValues(of handle: AttributeHandle?) {
        if handle != gatheredHandle { gatheredValues = nil }
        gatheredHandle = handle
        values = handle.flatMap { handle in
            var name = TextBuffer()
            name.append("\(hex: handle)")
            return try? RecordingReplay(checkpoints[0], capture) { ValuesCollector(name.text, values: $0) }
        }
    }

    /// The series that `plot` requested, as far as they were read.
    var plotted: [TimeSeries]? { plot?.sink.series }

    /// The shown lines, or those of these records, for a file.
    package func export(
        _ format: RecordingExport.Format, frames: ClosedRange<Int>?
    ) throws(CaptureError) -> RecordingExport {
        var selection = filtered?.selection ?? Selection()
        if let frames { selection.frames = selection.frames.map { frames.clamped(to: $0) } ?? frames }
        return try RecordingExport(format, checkpoints[0], capture, selection, options)
    }

    /// The screen has another width. Lines that change are rebuilt.
    package func resize(columns: Int) {
        let former = options.width
        options.width = columns
        let collector = checkpoints[0].sink.sink.collector
        guard collector.columns(for: columns) != collector.columns(for: former) else { return }
        everything.forgetLines()
        pass?.playback.sink.sink.collector.layOut(width: columns)
        if let selection = filtered?.selection { list(selection) }
    }
}
