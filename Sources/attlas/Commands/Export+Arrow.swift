import ArgumentParser
import AttlasCapture
import AttlasColumns
import AttlasDissection
import AttlasInput
import AttlasLocks
import AttlasRecords
import AttlasTables
import AttlasText
import AttlasTrace
import AttlasValues

/// One table of all captures as a stream of Arrow.
extension Export {
    /// The name of a table, as an argument.
    struct TableName: ExpressibleByArgument {
        let table: Table

        static let operations = TableName(table: .operations)
        static var allValueStrings: [String] { Table.allCases.map(\.name) }

        private init(table: Table) {
            self.table = table
        }

        init?(argument: String) {
            guard let table = Table.allCases.first(where: { $0.name == argument }) else { return nil }
            self.table = table
        }
    }

    /// The captures' output so far, and how to add the next one.
    private struct Progress {
        let table: Table
        let library: DissectorLibrary
        let databases: ImportedDatabases
        var stream: ArrowStream
        var captures = 0
        var operations = 0

        mutating func add(
            _ reader: inout CaptureReader, _ turn: OutputTurn, _ complete: (TableSummary, String, Int) -> Void
        ) throws(CaptureError) {
            captures += 1
            let (capture, operations) = (self.captures, self.operations)
            let open = OpenStream(stream)
            var count = 0
            defer {
                stream = open.stream
                self.operations += count
            }
            let collector = Interpreted(library: library) { values in
                TableWriter(
                    ArrowSink([table]) { open.stream.write($0) }, capture: capture, after: operations, digest: \.sha256,
                    values: values)
            }
            try gather(&reader, collector, databases.makeTrace()) {
                open.stream.output.isClosed
            } _: { document, info, trace in
                turn.note(document.integrity)
                databases.report(trace, info)
                count = document.count(of: .operations)
                complete(document, info.file, capture)
            }
        }
    }

    func export(toStream path: OutputPath, _ table: Table, _ library: DissectorLibrary) throws {
        let databases = decoding.loadDatabases()
        let file = try orExit { () throws(CaptureError) in try OutputFile(path) }
        let progress = Locked(
            Progress(
                table: table, library: library, databases: databases, stream: ArrowStream(table, to: file.output)))
        var status: (any Error)?
        do {
            try input.forEachCapture(hasFailed: databases.hasFailed) { reader, _, turn throws(CaptureError) in
                // One after another: they are numbered, and so are their operations.
                try turn.write { output, _ throws(CaptureError) in
                    var now = progress.withLock { $0 }
                    defer { progress.withLock { [now] in $0 = now } }
                    guard !now.stream.output.isClosed else { return }
                    try now.add(&reader, turn) { summary, name, capture in
                        // Standard output has the rows.
                        if !path.isStandardOutput { print(summary, [table], of: name, capture, &output) }
                    }
                }
            }
        } catch {
            status = error
        }
        // Rows decoded before an error are kept, as in a database.
        let (written, isEmpty) = progress.withLock { progress in
            progress.stream.finish()
            return (progress.stream.output, progress.captures == 0)
        }
        try file.finish(written, isKept: !isEmpty)
        if let status { throw status }
    }
}

/// The stream, while a capture is written to it.
private final class OpenStream {
    var stream: ArrowStream

    init(_ stream: ArrowStream) {
        self.stream = stream
    }
}
