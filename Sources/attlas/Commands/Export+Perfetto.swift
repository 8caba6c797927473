import ArgumentParser
import AttlasCapture
import AttlasDissection
import AttlasInput
import AttlasLocks
import AttlasRecords
import AttlasTables
import AttlasText
import AttlasTrace
import AttlasValues

/// The conversation of all captures as one Perfetto trace.
extension Export {
    private struct Progress {
        var output: Output
        var captures = 0
    }

    func export(toPerfetto path: OutputPath, _ library: DissectorLibrary) throws {
        let databases = decoding.loadDatabases()
        let file = try orExit { () throws(CaptureError) in try OutputFile(path) }
        let progress = Locked(Progress(output: file.output))
        var status: (any Error)?
        do {
            try input.forEachCapture(hasFailed: databases.hasFailed) { reader, name, turn throws(CaptureError) in
                // One after another: they are numbered, and their packets must not mix.
                try turn.write { output, _ throws(CaptureError) in
                    let (written, number) = progress.withLock { ($0.output, $0.captures + 1) }
                    guard !written.isClosed else { return }
                    let open = OpenOutput(written)
                    defer { progress.withLock { $0 = Progress(output: open.output, captures: number) } }
                    let collector = Interpreted(library: library) { values in
                        TrackWriter(capture: number, file: name, values: values) { open.output.write(&$0) }
                    }
                    try gather(&reader, collector, databases.makeTrace()) {
                        open.output.isClosed
                    } _: { document, info, trace in
                        turn.note(document.integrity)
                        databases.report(trace, info)
                        // Standard output has the trace.
                        if !path.isStandardOutput { print(document, info.file, &output) }
                    }
                }
            }
        } catch {
            status = error
        }
        // Data decoded before an error is kept, as in a database.
        let (written, isEmpty) = progress.withLock { ($0.output, $0.captures == 0) }
        try file.finish(written, isKept: !isEmpty)
        if let status { throw status }
    }

    private func print(_ summary: TrackSummary, _ file: String, _ output: inout Output) {
        var text = TextBuffer()
        text.append(display: file)
        summary.write(to: &text)
        text.append("\n")
        output.write(&text)
    }
}

/// The output, while a capture is written to it.
private final class OpenOutput {
    var output: Output

    init(_ output: Output) {
        self.output = output
    }
}
