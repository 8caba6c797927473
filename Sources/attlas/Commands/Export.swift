import ArgumentParser
import AttlasCapture
import AttlasDissection
import AttlasInput
import AttlasReport
import AttlasSQLite
import AttlasTrace
import AttlasValues

struct Export: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write the decoded conversation to a database.",
        discussion: """
            Each capture is added to the tables of the database, which is made if there is none. attlas help tables has the \
            tables, and views for frequent questions: sqlite3 FILE 'SELECT * FROM conversation'.
            """)

    @OptionGroup var input: CaptureOptions
    @OptionGroup var dissectors: DissectorOptions
    @OptionGroup var gattDatabase: GATTDatabaseOptions
    @OptionGroup var identity: IdentityOptions

    @Option(help: ArgumentHelp("The SQLite database to write to.", valueName: "file"), completion: .file())
    var sqlite: String

    /// The only one in which this command writes.
    var folder: String { Privileges.folder(of: sqlite) }

    func run() throws {
        try dissectors.withLibrary(run)
    }

    private func run(_ library: DissectorLibrary) throws {
        do {
            _ = try SQLiteExport(sqlite, temporaryFiles: folder)
        } catch {
            printError("\(error)")
            throw ExitCode(1)
        }
        let databases = gattDatabase.load(identity)
        let (path, folder) = (sqlite, folder)
        try input.forEachCapture(hasFailed: databases.hasFailed) { reader, _, turn throws(CaptureError) in
            try turn.write { output, _ throws(CaptureError) in
                let damage: CaptureError?
                do throws(SQLiteError) {
                    damage = try export(
                        &reader, to: SQLiteExport(path, temporaryFiles: folder), library, databases, turn, &output)
                } catch {
                    throw CaptureError(.system(0), file: path, "\(reader.info.file) is not in it: \(error.reason)")
                }
                if let damage { throw damage }
            }
        }
    }
}

/// Adds one capture to the database.
///
/// - Returns: why not all of the capture could be read; what could be is in the database.
private func export(
    _ reader: inout CaptureReader, to database: SQLiteExport, _ library: DissectorLibrary,
    _ databases: ImportedDatabases, _ turn: OutputTurn, _ output: inout Output
) throws(SQLiteError) -> CaptureError? {
    let sink = try database.begin()
    let collector = Interpreted(library: library) { values in
        TableWriter(
            sink, capture: database.capture, after: database.operation, values: values)
    }
    var summary: TableSummary?
    var damage: CaptureError?
    do throws(CaptureError) {
        try gather(&reader, collector, databases.makeTrace()) { document, info, trace in
            turn.note(document.integrity)
            databases.report(trace, info)
            summary = document
        }
    } catch {
        damage = error
    }
    guard let summary, !Interruption.isRequested else { throw database.rollBack(because: "interrupted") }
    if let reason = summary.failure { throw database.rollBack(because: reason) }
    try database.commit()
    var text = TextBuffer()
    text.append(display: reader.info.file)
    text.append(": capture ")
    text.append(decimal: database.capture)
    for table in Table.allCases {
        let count = summary.count(of: table)
        guard table != .captures, count > 0 else { continue }
        text.append(" · ")
        text.append(string: table.name)
        text.append(" ")
        text.append(decimal: count)
    }
    text.append("\n")
    output.write(&text)
    return damage
}
