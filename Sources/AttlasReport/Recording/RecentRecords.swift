import AttlasCapture
import AttlasDissection
import AttlasTrace
import AttlasValues

/// The last records of what goes on: what a paused screen looks into.
///
/// They lie in pieces, each with what was known before it, so that the oldest piece can give way.
public struct RecentRecords {
    /// Octets of all pieces, and of each.
    private static let limit = 32 << 20
    private static let pieceLimit = 8 << 20
    /// Octets that a batch takes beside those of its records.
    private static let batchSize = 128

    /// What was known at a record.
    private final class Start {
        let trace: Trace
        let sink: Interpreted<ScreenModel>

        init(_ trace: consuming Trace, _ sink: Interpreted<ScreenModel>) {
            self.trace = trace
            self.sink = sink
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
    /// Whether nothing had to give way.
    private var isWhole = true

    public init() { self.init(pieces: Self.limit / Self.pieceLimit, of: Self.pieceLimit) }

    /// - Parameter size: octets of a piece, and no more than one batch beyond them.
    init(pieces: Int, of size: Int) {
        count = pieces
        pieceSize = size
    }

    /// To be told of records before they are decoded.
    public mutating func add(_ batch: RecordBatch, behind trace: borrowing Trace, _ sink: Interpreted<ScreenModel>) {
        guard batch.count > 0 else { return }
        if pieces.last.map({ $0.size >= pieceSize }) ?? true {
            if pieces.count == count {
                pieces.removeFirst()
                isWhole = false
            }
            pieces.append(Piece(start: Start(trace.copy(), sink.copy { $0.ofRecording($1) })))
        }
        pieces[pieces.count - 1].batches.append(batch)
        pieces[pieces.count - 1].size += batch.size + Self.batchSize
    }

    /// These records as they are now, however much comes after them; nil before the first one.
    /// - Parameters:
    ///   - library: the definitions that are in force now.
    ///   - options: how the lines look. Their `width` is that of the screen.
    public func recording(
        _ info: CaptureInfo, library: DissectorLibrary, options: ConversationText.Options
    ) -> Recording? {
        guard let start = pieces.first?.start else { return nil }
        let capture = SeekableCapture(pieces.flatMap(\.batches), info)
        var sink = start.sink.copy { model, values in
            PlayedConversation(
                model: model.ofRecording(values), collector: LineCollector(values: values, options: options))
        }
        // Definitions may have changed since.
        if start.sink.sink.values.library !== library { sink.sink.attach(sink.use(library)) }
        // Nothing is read that could fail.
        return try? Recording(
            capture, Checkpoint(capture.start, start.trace.copy(), sink), isWhole: isWhole, options: options,
            spacing: Recording.usualSpacing, chunkLength: Recording.usualChunkLength)
    }
}
