import AttlasConversation
import AttlasText
import Glibc

/// The lines of `live` on standard output. A recording does not end with their reader.
struct LiveOutput {
    private var output = Output()
    private let isRecorded: Bool
    /// Whether requested lines are missing, which has been reported.
    private(set) var hasFailed = false

    /// Called when something was written.
    private let note: () -> Void

    init(isRecorded: Bool, note: @escaping () -> Void = {}) {
        self.isRecorded = isRecorded
        self.note = note
    }

    /// Whether there is a reason to continue. Without a recording, a reader that goes away (`| head`) ends it.
    var isWanted: Bool { isRecorded || !output.isClosed }

    mutating func drain(_ sink: inout some LineSink, isForced: Bool) {
        let waiting = sink.lines.count
        sink.drain(into: &output, isForced: isForced)
        guard sink.lines.count < waiting else { return }
        note()
        guard output.isClosed, !hasFailed, isRecorded || output.failure != nil else { return }
        hasFailed = true
        output.sayFailure(output.failure ?? EPIPE, isRecorded ? "; the recording continues" : "")
    }
}
