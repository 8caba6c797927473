import AttlasCapture
import AttlasFilter
import AttlasReport
import Glibc

/// The full screen of `attlas open`: the index is made between two keys.
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

    init(_ recording: Recording, _ terminal: Terminal) {
        self.recording = recording
        self.terminal = terminal
        view = RecordingView(isASCII: !Terminal.isUTF8)
    }

    /// Shows the recording until the user wants no more of it.
    mutating func run() {
        var (painted, followed): (Int64, Int64) = (0, 0)
        var size = terminal.size
        recording.resize(columns: size.columns)
        var isWanted = true
        // Enough for the first screen.
        recording.advance(records: 1_000)
        while !TerminalRescue.isEndAsked {
            let isWorking = recording.isBusy || view.isBusy
            var key = isWanted ? nil : terminal.key(within: isWorking ? 0 : Self.rest)
            while let next = key {
                isWanted = true
                view.layOut(recording, size)
                guard handle(next) else { return }
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
            while recording.isBusy || view.isBusy, now < end {
                view.advance(recording)
                recording.advance(records: 500)
                now = SystemCalls.nanoseconds(CLOCK_MONOTONIC)
                if !recording.isBusy, !view.isBusy { isWanted = true }
            }
            if now - followed > Self.followPause {
                followed = now
                if recording.follow() { isWanted = true }
            }
        }
    }

    /// - Returns: whether to go on.
    private mutating func handle(_ key: ScreenKey) -> Bool {
        switch view.handle(key, recording) {
        case .none: return true
        case .quit: return false
        case .filter(let expression):
            filter(expression)
            return true
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
