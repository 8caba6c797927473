import ArgumentParser
import AttlasCapture
import AttlasColumns
import AttlasDissection
import AttlasInput
import AttlasLocks
import AttlasRecords
import AttlasSQLite
import AttlasTables
import AttlasText
import AttlasThreads
import AttlasTrace
import AttlasValues
import AttlasWire

struct Export: WritingCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write the decoded conversation to a database, an Arrow table, a Perfetto trace or a twin.",
        discussion: """
            Adds captures to an existing database, too. attlas help tables lists the tables and the views for frequent \
            questions: sqlite3 FILE 'SELECT * FROM conversation'. An Arrow stream has one table of all captures. A trace opens in \
            Perfetto (ui.perfetto.dev), with connections, transactions, numbers and incidents along time. A twin is a recorded device as \
            YAML, which python -m attlas.twin plays; attlas help twin has the details.
            """)

    @OptionGroup var input: CaptureOptions
    @OptionGroup(title: ShortHelp.title) var decoding: DecodingOptions

    @Option(help: ArgumentHelp("Write to this SQLite database.", valueName: "out"), completion: .file())
    var sqlite: String?

    @Option(
        help: ArgumentHelp(
            "Write one table to this file in Arrow's streaming format (.arrows); - is standard output.",
            valueName: "out"), completion: .file())
    var arrow: String?

    @Option(
        help: ArgumentHelp(
            "Write a trace for Perfetto to this file (.pftrace); - is standard output.", valueName: "out"),
        completion: .file())
    var perfetto: String?

    @Option(
        help: ArgumentHelp(
            "Write the model of one device to this file (.yaml), for a twin; - is standard output.", valueName: "out"),
        completion: .file())
    var twin: String?

    @Option(
        help: "With --twin: the device whose name or address contains this text; local is the recorded host.",
        completion: .peers)
    var peer: String?

    @Flag(help: "With --arrow, --perfetto and --twin: replace the file if it exists.")
    var force = false

    @Option(
        help: ArgumentHelp("With --arrow: the table. (default: operations)", valueName: "table"),
        completion: .list(Table.allCases.map(\.name)))
    var table: TableName?

    @Option(
        help: ArgumentHelp(
            "Add a view of the characteristic with this UUID, or with this text in its name: a row for each value, a column for each "
                + "field. May be repeated.",
            valueName: "characteristic"), completion: .characteristics)
    var wide: [String] = []

    var outputs: [OutputPath] {
        [sqlite.map { OutputPath($0, .database) }, (arrow ?? perfetto ?? twin).map { OutputPath($0, replaces: force) }]
            .compactMap(\.self)
    }

    func validate() throws {
        guard [sqlite, arrow, perfetto, twin].count(where: { $0 != nil }) == 1 else {
            throw ValidationError(
                "Give --sqlite FILE for a database, --arrow FILE for one table, --perfetto FILE for a trace, or --twin FILE for a twin."
            )
        }
        if sqlite != nil, table != nil { throw ValidationError("--table is for --arrow: a database has all tables.") }
        if arrow == nil, table != nil { throw ValidationError("--table is for --arrow.") }
        if sqlite != nil, force {
            throw ValidationError("--force is for --arrow, --perfetto and --twin: a database is added to.")
        }
        if twin == nil, peer != nil { throw ValidationError("--peer is for --twin: it has one device.") }
        if sqlite == nil, !wide.isEmpty { throw ValidationError("--wide is for --sqlite: it makes a view.") }
    }

    func run() throws {
        try decoding.withLibrary { library in
            for output in outputs {
                if sqlite != nil { try export(toDatabase: output, library) }
                if arrow != nil { try export(toStream: output, (table ?? .operations).table, library) }
                if perfetto != nil { try export(toPerfetto: output, library) }
                if twin != nil { try export(toTwin: output, library) }
            }
        }
    }

    private func export(toDatabase output: OutputPath, _ library: DissectorLibrary) throws {
        let (sqlite, folder) = (output.path, output.folder ?? ".")
        var wide: [BluetoothUUID] = []
        do throws(NameMistake) {
            for name in self.wide { wide.append(try library.attribute(named: name)) }
        } catch {
            printError("--wide: \(error.message)")
            throw ExitCode.validationFailure
        }
        let databases = decoding.loadDatabases()
        let addition = SQLiteAddition(path: sqlite, folder: folder, library: library, databases: databases)
        let cleanup = Cleanup { addition.removeEmptyFile() }
        defer {
            cleanup.isDone()
            addition.removeEmptyFile()
        }
        do {
            _ = try SQLiteExport(sqlite, temporaryFiles: folder)
        } catch {
            printError("\(error)")
            throw ExitCode(1)
        }
        var status: (any Error)?
        do {
            try addCaptures(addition)
        } catch {
            status = error
        }
        // Views cover the data in the database, whether or not all captures could be read.
        do {
            for uuid in wide { try makeView(of: uuid, SQLiteExport(sqlite, temporaryFiles: folder), library) }
        } catch let error as SQLiteError {
            printError("\(error)")
            throw ExitCode(1)
        }
        if let status { throw status }
    }

    private func makeView(
        of uuid: BluetoothUUID, _ database: SQLiteExport, _ library: DissectorLibrary
    ) throws {
        let name = library.attributeName(of: uuid) ?? "\(uuid)"
        if let view = try database.widen(uuid, name: name, WideColumn.all(of: library.dissectors(for: uuid))) {
            try print(lines: ["view \(view): \(name)"])
        } else {
            printError("--wide: the database has no value of \(name)")
        }
    }

    private func addCaptures(_ addition: SQLiteAddition) throws {
        try input.forEachCapture(hasFailed: addition.databases.hasFailed) { reader, _, turn throws(CaptureError) in
            addition.digests.begin(reader.info.paths)
            try turn.write { output, _ throws(CaptureError) in
                let damage: CaptureError?
                do throws(SQLiteError) {
                    damage = try addition.add(&reader, turn, &output)
                } catch {
                    throw CaptureError(
                        .system(0), file: addition.path, "\(reader.info.file) is not in it: \(error.reason)")
                }
                if let damage { throw damage }
            }
        }
    }
}

/// How captures are added to a database.
private final class SQLiteAddition: Sendable {
    let path: String
    /// Folder for temporary files.
    let folder: String
    let digests = FileDigests()
    let library: DissectorLibrary
    let databases: ImportedDatabases
    /// Whether there was no file, and no capture is in it yet.
    private let isEmpty: Locked<Bool>

    init(path: String, folder: String, library: DissectorLibrary, databases: ImportedDatabases) {
        (self.path, self.folder, self.library, self.databases) = (path, folder, library, databases)
        isEmpty = Locked(SystemCalls.linkStatus(of: path) == nil)
    }

    func removeEmptyFile() {
        guard isEmpty.withLock(\.self) else { return }
        SystemCalls.remove(path)
        // SQLite's own, of the first transaction.
        SystemCalls.remove(path + "-journal")
    }

    /// Adds one capture to the database. A separate thread writes the rows, while further ones are decoded.
    ///
    /// - Returns: the reason why not all of the capture could be read; the part before it is in the database.
    func add(
        _ reader: inout CaptureReader, _ turn: OutputTurn, _ output: inout Output
    ) throws(SQLiteError) -> CaptureError? {
        let database = Locked(try SQLiteExport(path, temporaryFiles: folder))
        let (capture, operation) = try database.withLock { database throws(SQLiteError) in
            try database.begin()
            return (database.capture, database.operation)
        }
        let cleanup = Cleanup { database.withLock { _ = $0.rollBack(because: "interrupted") } }
        defer { cleanup.isDone() }
        // Small batches, so that there is little left to write when all is decoded.
        let writer = SerialWorker<ArrowBatch>(limit: 2) { batch in database.withLock { $0.write(batch) } }
        let collector = Interpreted(library: library) { values in
            TableWriter(
                ArrowSink(Table.allCases, rowLimit: 8_192) { writer.put($0) }, capture: capture, after: operation,
                digest: { [digests] in $0.paths.count == 1 ? digests.digests(of: $0.paths)[0].sha256 : nil },
                values: values)
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
        writer.finish()
        guard let summary else { throw database.withLock { $0.rollBack(because: "it has no end") } }
        let earlier = try database.withLock { database throws(SQLiteError) in
            try database.commit()
            isEmpty.withLock { $0 = false }
            return try database.earlierCapture()
        }
        print(summary, Table.allCases.filter { $0 != .captures }, of: reader.info.file, capture, &output)
        if let earlier {
            var text = TextBuffer()
            text.append(display: reader.info.file)
            text.append(string: ": already in the database as capture \(earlier), and added again\n")
            output.write(&text)
        }
        return damage
    }
}

/// How many rows the tables have of a capture.
func print(_ summary: TableSummary, _ tables: [Table], of file: String, _ capture: Int, _ output: inout Output) {
    var text = TextBuffer()
    text.append(display: file)
    text.append(": capture ")
    text.append(decimal: capture)
    for table in tables {
        let count = summary.count(of: table)
        guard count > 0 else { continue }
        text.append(" · ")
        text.append(string: table.name)
        text.append(" ")
        text.append(decimal: count)
    }
    text.append("\n")
    output.write(&text)
}
