import AttlasCapture
import AttlasConversation
import AttlasDissection
import AttlasFilter
import AttlasInput
import AttlasMetrics
import AttlasRecords
import AttlasScreen
import AttlasText
import AttlasTrace
import AttlasValues
import Glibc

/// The full screen of `attlas live`: one thread decodes, this one paints and reads keys. Received records are browsed on the screen of
/// `attlas open`.
final class LiveScreen {
    /// Milliseconds between two pictures.
    private static let pause = 50
    /// Milliseconds between two pictures when nothing happens: clocks are updated.
    private static let rest = 1_000

    let session: LiveSession<Interpreted<ScreenModel>>
    private let lock = HandoverLock()
    private let decoder: DecodingThread
    private let messages: ScreenMessages
    private let terminal: Terminal
    private var view: ScreenView
    private var library: DissectorLibrary
    private var watch: DissectorWatch
    private let selection: Selection
    /// Options of lines.
    private let lineOptions: ConversationText.Options
    private var meter = ProcessMeter()
    private var status = ScreenStatus()
    /// When the picture was painted that is on the screen, and of how many records.
    private var painted: (time: Int64, records: Int, isEnded: Bool) = (.min, -1, false)
    /// The source could not be opened.
    private var hasNothing = false
    /// There is a change without a record.
    private var isWanted = true
    private var arrival: (records: Int, time: Int64) = (0, 0)
    private var marks = RecordingMarks()
    /// The record that came last when the user began a mark.
    private var markedFrame = 0

    /// - Parameters:
    ///   - selection: the selection of the log.
    ///   - filter: the expression of its filter.
    init(
        _ session: LiveSession<Interpreted<ScreenModel>>, _ terminal: Terminal, _ messages: ScreenMessages,
        library: DissectorLibrary, dissectors: [String], _ selection: Selection, filter: String,
        lineOptions: ConversationText.Options
    ) {
        self.selection = selection
        self.lineOptions = lineOptions
        self.messages = messages
        self.session = session
        self.terminal = terminal
        self.library = library
        decoder = DecodingThread(session, lock, messages)
        view = ScreenView(isASCII: !Terminal.isUTF8, filter: filter, scope: selection.scopeOptions)
        watch = DissectorWatch(dissectors, showsKeys: !library.withholdsKeys)
        status.source = session.options.source.name
        status.recording = session.options.write.map {
            session.options.flight.window == nil ? $0 : "incidents to \($0)"
        }
    }

    /// Shows the live source until the user quits.
    func run() {
        decoder.start()
        var lastLook = SystemCalls.nanoseconds(CLOCK_MONOTONIC)
        var size = terminal.size
        lock.withLock {
            session.sink.sink.resize(columns: size.columns)
            sayMistakes()
        }
        while !TerminalRescue.isEndAsked {
            var key = terminal.key(within: Self.pause)
            while let next = key {
                isWanted = true
                if !handle(next) { return }
                key = terminal.key(within: 0)
            }
            if TerminalRescue.takeStop() {
                terminal.stop()
                isWanted = true
            }
            if terminal.size != size {
                size = terminal.size
                lock.withLock { session.sink.sink.resize(columns: size.columns) }
                isWanted = true
            }
            let now = SystemCalls.nanoseconds(CLOCK_MONOTONIC)
            if now - lastLook > 1_000_000_000 {
                lastLook = now
                if reload() { isWanted = true }
            }
            paint(size, now)
            // There is nothing to look at.
            if hasNothing { return }
        }
    }

    /// Takes the session from the thread that decodes, for good, and finishes it.
    func end() {
        lock.lockForGood()
        session.reception.stop()
        session.reception.endTriggers()
        session.reception.finishRecording { true }
        session.finish()
    }

    /// The error that ended the decoding, other than the end of the source. To be asked after the end.
    var failure: CaptureError? { decoder.failure }

    // MARK: Painting

    /// Paints when there is something new, and not more often than an eye can follow.
    private func paint(_ size: Grid.Size, _ now: Int64) {
        let age = painted.time == .min ? Int64.max : (now - painted.time) / 1_000_000
        guard age >= Int64(Self.pause) else { return }
        let grid: Grid? = lock.withLock {
            let records = session.extent.records
            guard
                isWanted || records != painted.records || decoder.isEnded != painted.isEnded || age >= Int64(Self.rest)
            else { return nil }
            hasNothing = decoder.failure != nil && session.info == nil
            if records != arrival.records { arrival = (records, now) }
            isWanted = false
            painted = (now, records, decoder.isEnded)
            update(now)
            view.layOut(&session.sink.sink, size, in: session.trace)
            return view.paint(session.sink.sink, status, size, in: session.trace)
        }
        if let grid { terminal.show(grid) }
    }

    private func update(_ now: Int64) {
        meter.update(records: session.extent.records, decoding: decoder.decodingTime)
        status.format = session.info.map { [$0.format, $0.linkType].joined(separator: " ") } ?? ""
        status.isEnded = decoder.isEnded
        status.idle = arrival.records > 0 ? now - arrival.time : 0
        status.recordCost = meter.recordCost
        status.recordsPerSecond = meter.recordsPerSecond
        status.processorPercent = meter.processorPercent
        status.memory = meter.memory
        if let median = decoder.lag.percentile(50), let high = decoder.lag.percentile(99) {
            status.lag = (median, high)
        }
        for message in messages.take() { say(message) }
    }

    private func say(_ message: String) {
        session.sink.sink.say(message, .bad)
        view.say(message, isBad: true)
    }

    // MARK: Keys

    /// - Returns: whether to continue.
    private func handle(_ key: ScreenKey) -> Bool {
        let action = lock.withLock {
            let action = view.handle(key, in: session.trace)
            if case .filter(let expression) = action { filter(expression) }
            if action == .marking { markedFrame = session.extent.records }
            if action == .follow { decoder.recent.follow(view, in: &session.sink.sink) }
            return action
        }
        if case .look(let key) = action { look(key) }
        if case .mark(let note) = action { mark(note) }
        return action != .quit
    }

    private func mark(_ note: String) {
        guard markedFrame > 0 else { return view.say("nothing has come yet", isBad: true) }
        guard let recording = session.options.write else {
            return view.say("marks are kept next to a recording: attlas live --write FILE", isBad: true)
        }
        guard marks.set(markedFrame, note) else {
            return view.say("there are \(RecordingMarks.limit) marks: no room for one more", isBad: true)
        }
        if let message = MarksFile(beside: recording).write(marks) {
            view.say(message, isBad: true)
        } else {
            view.say("marked record \(markedFrame)")
        }
    }

    /// Shows the records so far, while more come.
    private func look(_ key: ScreenKey?) {
        var options = lineOptions
        options.width = terminal.size.columns
        // A line may be looked at without the line before.
        if options.time == .delta { options.time = .clock }
        let begun: (recording: Recording, records: Int, expression: String)? = lock.withLock {
            guard let info = session.info,
                let recording = decoder.recent.recording(
                    info, scope: selection, isOver: decoder.isEnded, library: library, options: options)
            else { return nil }
            return (recording, session.extent.records, view.expression(in: session.trace))
        }
        guard let (recording, records, expression) = begun else { return view.say("nothing has come yet", isBad: true) }
        if let filter = try? Filter(expression, library: library) { recording.find(filter, expression) }
        var screen = OpenScreen(
            of: recording, terminal, folder: session.options.write.flatMap { OutputPath($0, .recording).folder }, key
        ) { [self] in lock.withLock { session.extent.records } - records }
        terminal.takesMouse = true
        _ = screen.run()
        terminal.takesMouse = false
    }

    private func filter(_ expression: String) {
        guard !expression.allSatisfy(\.isWhitespace) else {
            session.sink.sink.find(nil, "")
            return view.accept(filter: "")
        }
        do throws(FilterMistake) {
            session.sink.sink.find(try Filter(expression, library: library), expression)
            view.accept(filter: expression)
        } catch {
            view.refuse(filter: expression, "\(error)")
        }
    }

    /// Definitions that have changed. Reading them takes time: it is not the decoder's.
    private func reload() -> Bool {
        guard let changed = watch.change() else { return false }
        library = changed
        lock.withLock {
            let values = session.sink.use(changed)
            session.sink.sink.use(values)
            if watch.mistakes.isEmpty { view.say("definitions read again") } else { sayMistakes() }
        }
        return true
    }

    private func sayMistakes() {
        for mistake in watch.mistakes { session.sink.sink.say("definitions as before: \(mistake)", .bad) }
        // Its place is at the beginning, also where a line is short.
        guard var first = watch.mistakes.first else { return }
        first.file = first.file.split(separator: "/").last.map(String.init) ?? first.file
        view.say("\(first)", isBad: true)
    }
}
