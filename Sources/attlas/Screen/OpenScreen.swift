import AttlasCapture
import AttlasFilter
import AttlasScreen
import Glibc

/// The full screen of `attlas open`, and for the records so far of `attlas live`: the index is made between two keys.
struct OpenScreen: ~Copyable {
    /// Nanoseconds of indexing between two looks at the keyboard.
    private static let slice: Int64 = 20_000_000
    /// Nanoseconds between two looks at the size of the file, and between two pictures while the index is made.
    private static let followPause: Int64 = 500_000_000
    private static let paintPause: Int64 = 100_000_000
    /// Milliseconds to wait for a key when there is nothing to do.
    private static let rest: Int = 100

    private let recording: Recording
    private let terminal: Terminal
    private var view: RecordingView
    private let marks: MarksFile
    /// Where exports go; nil: nowhere.
    private let folder: String?
    private var export: ExportFile?
    /// The number of records that have come since, in a live session.
    private var news: (() -> Int)?

    /// - Parameters:
    ///   - files: those that were given, and which of them it is.
    ///   - folder: the only one where something may be written.
    init(_ recording: Recording, _ terminal: Terminal, _ files: [String], _ index: Int, folder: String) {
        self.recording = recording
        self.terminal = terminal
        self.folder = folder
        marks = MarksFile(beside: files[index])
        view = RecordingView(
            isASCII: !Terminal.isUTF8, showsOverview: recording.filterExpression.isEmpty, marks: marks.read())
        if files.count > 1 { view.place = "file \(index + 1) of \(files.count)" }
    }

    /// A live session up to now: at its end.
    /// - Parameter key: pressed already.
    init(
        of recording: Recording, _ terminal: Terminal, folder: String?, _ key: ScreenKey?, news: @escaping () -> Int
    ) {
        self.recording = recording
        self.terminal = terminal
        self.folder = folder
        self.news = news
        marks = MarksFile(beside: "")
        view = RecordingView(isASCII: !Terminal.isUTF8, isOfLive: true)
        while !recording.isComplete { recording.advance(records: 1_000) }
        tellNews()
        guard let key else { return }
        view.layOut(recording, terminal.size)
        _ = view.handle(key, recording)
    }

    private mutating func tellNews() {
        if let count = news?() { view.place = "PAUSED, \(count) newer record\(count == 1 ? "" : "s")" }
    }

    private var isBusy: Bool { recording.isBusy || view.isBusy || export != nil }

    mutating func say(_ text: String) { view.say(text, isBad: true) }

    /// Shows the recording until the user quits.
    /// - Returns: how many files on the next one is; nil: none.
    mutating func run() -> Int? {
        var (painted, followed): (Int64, Int64) = (0, 0)
        var size = terminal.size
        recording.resize(columns: size.columns)
        var isWanted = true
        // Enough for the first screen.
        recording.advance(records: 1_000)
        while !TerminalRescue.isEndAsked {
            let isWorking = isBusy
            var key = isWanted ? nil : terminal.key(within: isWorking ? 0 : Self.rest)
            while let next = key {
                isWanted = true
                view.layOut(recording, size)
                switch handle(next) {
                case .on: break
                case .quit: return nil
                case .file(let step): return step
                }
                key = terminal.key(within: 0)
            }
            if TerminalRescue.takeStop() {
                terminal.stop()
                isWanted = true
            }
            if terminal.size != size {
                size = terminal.size
                recording.resize(columns: size.columns)
                isWanted = true
            }
            var now = SystemCalls.nanoseconds(CLOCK_MONOTONIC)
            if isWanted || isWorking && now - painted > Self.paintPause {
                view.layOut(recording, size)
                terminal.show(view.paint(recording, size))
                (painted, isWanted) = (now, false)
            }
            let end = now + Self.slice
            while isBusy, now < end {
                view.advance(recording)
                if export != nil {
                    goOnWithExport()
                } else if !view.isBusy || !recording.isComplete {
                    // Findings and plots wait for a search.
                    recording.advance(records: 500)
                }
                now = SystemCalls.nanoseconds(CLOCK_MONOTONIC)
                if !isBusy { isWanted = true }
            }
            if now - followed > Self.followPause {
                followed = now
                if recording.follow() || news != nil { isWanted = true }
                tellNews()
            }
        }
        return nil
    }

    private enum Outcome {
        case on, quit
        case file(Int)
    }

    private mutating func handle(_ key: ScreenKey) -> Outcome {
        switch view.handle(key, recording) {
        case .none: break
        case .quit: return .quit
        case .file(let step): return .file(step)
        case .filter(let expression): filter(expression)
        case .marked:
            if let message = marks.write(view.marks) { view.say(message, isBad: true) }
        case .export(let name, let format, let frames): beginExport(name, format, frames)
        case .copy(let text): terminal.copy(text)
        case .endExport:
            export?.cancel()
            export = nil
            view.exportProgress = nil
            view.say("the export was ended; there is no file")
        }
        return .on
    }

    private mutating func beginExport(_ name: String, _ format: RecordingExport.Format, _ frames: ClosedRange<Int>?) {
        guard let folder else {
            return view.refuse(export: name, "attlas live writes next to its recording only: start it with --write")
        }
        do throws(CaptureError) {
            let path = folder == "." ? name : "\(folder)/\(name)"
            export = try ExportFile(
                path, recording.export(format, frames: frames), recording.capture, ofRecords: format == .records)
            view.exportProgress = 0
        } catch {
            view.refuse(export: name, error.reason)
        }
    }

    private mutating func goOnWithExport() {
        guard let export else { return }
        export.advance(records: 500)
        view.exportProgress = export.progress
        guard export.isComplete else { return }
        self.export = nil
        view.exportProgress = nil
        if let failure = export.failure {
            view.say("\(failure.file): \(failure.reason)", isBad: true)
        } else {
            view.say("wrote \(export.path)")
        }
    }

    private mutating func filter(_ expression: String) {
        do throws(FilterMistake) {
            let isNone = expression.allSatisfy(\.isWhitespace)
            let filter = isNone ? nil : try Filter(expression, library: recording.library)
            recording.find(filter, expression)
            view.follow(filterOf: recording)
        } catch {
            view.refuse(filter: expression, "\(error)")
        }
    }
}
