import AttlasCapture
import AttlasConversation
import AttlasDissection
import AttlasFilter
import AttlasIncidents
import AttlasLint
import AttlasMetrics
import AttlasTrace
import AttlasValues

/// The last records of a live session, for a paused screen.
///
/// They lie in pieces, each with the state before it, so that the oldest piece can give way.
package struct RecentRecords {
    /// Octets of all pieces, and of each.
    private static let limit = 32 << 20
    private static let pieceLimit = 8 << 20
    /// Octets that a batch takes besides those of its records.
    private static let batchSize = 128

    /// The state at a record.
    private final class Start {
        let trace: Trace
        let sink: Interpreted<ScreenModel>
        let lint: LintCollector
        let incidents: IncidentCollector

        init(
            _ trace: consuming Trace, _ sink: Interpreted<ScreenModel>, _ lint: LintCollector,
            _ incidents: IncidentCollector
        ) {
            self.trace = trace
            self.sink = sink
            self.lint = lint
            self.incidents = incidents
        }
    }

    private struct Piece {
        let start: Start
        var batches: [RecordBatch] = []
        var size = 0
    }

    private let pieceSize: Int
    private let count: Int
    private var pieces: [Piece] = []

    package init() { self.init(pieces: Self.limit / Self.pieceLimit, of: Self.pieceLimit) }

    /// - Parameter size: octets of a piece, and no more than one batch beyond them.
    init(pieces: Int, of size: Int) {
        count = pieces
        pieceSize = size
    }

    /// To be called with records before they are decoded.
    package mutating func add(_ batch: RecordBatch, after trace: borrowing Trace, _ sink: Interpreted<ScreenModel>) {
        guard batch.count > 0 else { return }
        if pieces.last.map({ $0.size >= pieceSize }) ?? true {
            if pieces.count == count { pieces.removeFirst() }
            let start = Start(
                trace.copy(), sink.copy { $0.ofRecording($1) }, sink.sink.lint, sink.sink.incidentCollector)
            pieces.append(Piece(start: start))
        }
        pieces[pieces.count - 1].batches.append(batch)
        pieces[pieces.count - 1].size += batch.size + Self.batchSize
    }

    /// The log of a model is about the attribute that the view follows, with all of its values among these records.
    package func follow(_ view: ScreenView, in model: inout ScreenModel) {
        let lines = view.followed.flatMap { log(about: $0, as: model) }
        model.follow(view.followed, lines)
    }

    /// The lines about an attribute; nil before the first record.
    private func log(about place: AttributePlace, as model: ScreenModel) -> ScreenLog? {
        guard let start = pieces.first?.start else { return nil }
        var trace = start.trace.copy()
        var sink = start.sink.copy { former, values in
            var copy = model.onlyFollowing(place, values)
            copy.begin(with: former)
            return copy
        }
        if start.sink.sink.values.library !== model.values.library {
            let values = sink.use(model.values.library)
            sink.sink.use(values)
        }
        for batch in pieces.flatMap(\.batches) {
            batch.visit { record in
                sink.sink.note(record)
                trace.decodeUnspecialized(record, into: &sink)
                return true
            }
        }
        return sink.sink.followed?.log
    }

    /// These records as they are now, however much comes after them; nil before the first one.
    /// - Parameters:
    ///   - scope: which conversation is shown, whatever the filter.
    ///   - isOver: whether no more will come.
    ///   - library: the definitions that are in force now.
    ///   - options: how the lines look. Their `width` is that of the screen.
    package func recording(
        _ info: CaptureInfo, scope: Selection, isOver: Bool, library: DissectorLibrary,
        options: ConversationText.Options
    ) -> Recording? {
        guard let start = pieces.first?.start else { return nil }
        let capture = SeekableCapture(pieces.flatMap(\.batches), info, isOver: isOver)
        var scope = scope
        scope.filter = nil
        var sink = start.sink.copy { model, values in
            PlayedConversation(
                model: model.ofRecording(values), collector: LineCollector(values: values, options: options))
        }
        // Definitions may have changed since.
        if start.sink.sink.values.library !== library { sink.sink.attach(sink.use(library)) }
        // Nothing is read that could fail.
        return try? Recording(
            capture, Checkpoint(capture.start, start.trace.copy(), sink), start.lint, start.incidents, scope: scope,
            options: options, spacing: Recording.usualSpacing, chunkLength: Recording.usualChunkLength)
    }
}
