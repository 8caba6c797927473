import AttlasCapture
import AttlasConversation
import AttlasFilter
import AttlasMetrics
import AttlasText
import AttlasTrace
import AttlasValues
import AttlasWire

/// A recording's lines for a file, made one piece at a time.
public final class RecordingExport {
    package enum Format: Sendable {
        /// As `attlas show` writes it, also with `--json` and with `--csv`.
        case text, json, csv
        /// The records themselves.
        case records

        /// By the end of a file's name.
        init?(name: String) {
            switch name.split(separator: ".").last {
            case "txt": self = .text
            case "ndjson", "json", "jsonl": self = .json
            case "csv": self = .csv
            case "pcapng": self = .records
            default: return nil
            }
        }
    }

    /// Lines that wait to be written.
    package var lines = TextBuffer()
    package private(set) var isComplete = false
    /// The share of the capture that was read: 0 to 1.
    package private(set) var progress = 0.0
    private let step: (Int, RecordingExport) -> Bool
    private let selection: Selection
    /// The wanted records; nil for all within the selection.
    private var frames: Set<Int>?

    /// - Parameter selection: the part of the recording to export.
    init(
        _ format: Format, _ start: Checkpoint, _ capture: SeekableCapture, _ selection: Selection,
        _ options: ConversationText.Options
    ) throws(CaptureError) {
        var options = options
        options.width = nil
        options.showsFrames = true
        options.isColoured = false
        options.suggestsTree = false
        let showsHCI = options.showsHCI
        self.selection = selection
        var rest = selection
        rest.frames = nil
        let isOfFrames = rest.isEverything
        let origin = start.trace.origin
        switch format {
        case .text:
            step = try Self.writing(start, capture, selection) {
                ConversationText(values: $0, options: options)
            } begin: { sink, info, extent, side in
                sink.begin(info, extent, onlySide: side, origin: origin)
            } end: { sink, totals, integrity, info, trace in
                sink.end(totals, integrity, info, in: trace)
            }
        case .json:
            step = try Self.writing(start, capture, selection) {
                ConversationJSON(values: $0, showsHCI: showsHCI, file: nil)
            } begin: { sink, info, _, side in
                sink.begin(info, onlySide: side)
            } end: { sink, _, integrity, info, _ in
                sink.begin(info, onlySide: integrity.onlySide)
                sink.end(integrity, info)
            }
        case .csv:
            step = try Self.writing(start, capture, selection) {
                ConversationCSV(values: $0, file: nil, hasHeader: true)
            }
        case .records where isOfFrames:
            step = { _, _ in false }
        case .records:
            frames = []
            let pass = try RecordingReplay(start, capture) { FrameCollector(values: $0, selection, options) }
            step = { records, export in
                pass.advance(records: records)
                export.note(pass.offset, of: capture)
                if pass.isComplete { export.frames = pass.sink.frames }
                return !pass.isComplete
            }
        }
    }

    /// To be called again as long as it is not complete.
    package func advance(records: Int) {
        if !isComplete { isComplete = !step(records, self) }
    }

    /// Whether a record itself is wanted. To be asked when it is complete.
    public func wants(_ frame: Int) -> Bool {
        if let frames { return frames.contains(frame) }
        return selection.frames?.contains(frame) ?? true
    }

    /// Whether no later record is wanted.
    public func isPast(_ frame: Int) -> Bool { frame >= selection.recordLimit }

    private func note(_ offset: UInt64, of capture: SeekableCapture) {
        progress = min(1, Double(offset) / Double(max(1, capture.size)))
    }

    // MARK: Lines

    private static func writing<Sink: LineSink>(
        _ start: Checkpoint, _ capture: SeekableCapture, _ selection: Selection,
        _ makeSink: (ValueInterpreter) -> Sink,
        begin: @escaping (inout Sink, CaptureInfo, CaptureExtent, Direction?) -> Void = { _, _, _, _ in },
        end:
            @escaping (inout Sink, ShownTotals, CaptureIntegrity, CaptureInfo, borrowing Trace) -> Void = {
                _, _, _, _, _ in
            }
    ) throws(CaptureError) -> (Int, RecordingExport) -> Bool {
        let pass = try RecordingReplay(start, capture) {
            SinkPair(
                first: Selected(sink: makeSink($0), selection: selection, values: $0), second: ConversationTotals())
        }
        var hasBegun = false
        return { records, export in
            // No further than `show` reads.
            let left = max(0, selection.recordLimit - pass.extent.records)
            pass.advance(records: min(records, left)) { $0.first.sink.note($1.comments, of: $1.frame) }
            export.note(pass.offset, of: capture)
            if !hasBegun, pass.extent.records > 0 {
                hasBegun = true
                begin(&pass.sink.first.sink, pass.info, pass.extent, pass.onlySide)
            }
            let isOn = !pass.isComplete && pass.extent.records < selection.recordLimit
            if !isOn {
                pass.finish { sink, integrity, info, trace in
                    let totals = ShownTotals(all: sink.second, selected: sink.first.totals)
                    end(&sink.first.sink, totals, integrity, info, trace)
                }
            }
            export.lines.append(contentsOf: pass.sink.first.sink.lines)
            pass.sink.first.sink.lines.removeAll()
            return isOn
        }
    }
}

/// The records of the lines that a selection holds.
private struct FrameCollector: EventSink {
    private(set) var frames: Set<Int> = []
    private let text: ConversationText
    private var selector: EventSelector

    init(values: ValueInterpreter, _ selection: Selection, _ options: ConversationText.Options) {
        text = ConversationText(values: values, options: options)
        selector = EventSelector(selection, values: values)
    }

    var wantsPackets: Bool { text.wantsPackets }

    mutating func receive(_ event: borrowing Event, in trace: borrowing Trace) {
        guard selector.isSelected(event, in: trace), text.hasLine(event) else { return }
        frames.insert(event.frame)
        for index in event.frames.indices { frames.insert(event.frames[index]) }
    }
}
