import AttlasCapture
import AttlasLint
import AttlasTrace
import AttlasValues

/// Holds a whole recording against the rules of `attlas lint`, a piece at a time.
struct LintPass: ~Copyable {
    private var reader: CaptureReader
    private var trace: Trace
    private var sink: Interpreted<LintCollector>
    private var extent = CaptureExtent()

    /// - Parameter start: before the first record.
    init(_ start: Checkpoint, _ capture: SeekableCapture) throws(CaptureError) {
        reader = try capture.reader(at: start.position)
        trace = start.trace.copy()
        sink = Interpreted(library: start.sink.sink.model.values.library) { LintCollector(values: $0) }
    }

    /// - Returns: the findings when all is read.
    mutating func advance(records: Int) -> LintModel? {
        var failure: CaptureError?
        for _ in 0..<records {
            do throws(CaptureError) {
                if let record = try reader.next() {
                    extent.note(record)
                    trace.decodeUnspecialized(record, into: &sink)
                    continue
                }
            } catch {
                failure = error
            }
            trace.finish(into: &sink)
            return sink.finish(in: trace, CaptureIntegrity(extent, reader.info, in: trace, endedBy: failure))
        }
        return nil
    }
}

extension PacketLayers {
    /// What a rule says of the packet: what happened, why it matters, what to do.
    mutating func add(_ finding: LintFinding) {
        add(0, finding.rule.id, style: .bad) { $0.append(string: finding.rule.title) }
        addText(finding.sentence, "what")
        if finding.count > 1 {
            add(1, "times") {
                $0.append(decimal: finding.count)
                $0.append(", last in frame ")
                $0.append(decimal: finding.lastFrame)
            }
        }
        addText(finding.rule.explanation, "why")
        addText(finding.rule.section, "spec")
        addText(finding.rule.advice, "do")
    }

    /// A sentence in several rows.
    private mutating func addText(_ text: String, _ name: String) {
        var row = ""
        var name = name
        for word in text.split(separator: " ") {
            if row.count + word.count > 60 {
                add(1, name) { $0.append(display: row) }
                (row, name) = ("", "    ")
            }
            row += row.isEmpty ? "\(word)" : " \(word)"
        }
        add(1, name) { $0.append(display: row) }
    }
}
