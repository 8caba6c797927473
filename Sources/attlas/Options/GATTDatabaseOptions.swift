import ArgumentParser
import AttlasCapture
import AttlasImport
import AttlasRecords
import AttlasTrace

/// `--gatt-db FILE …`: tables for devices whose discovery is not in the capture.
struct GATTDatabaseOptions: ParsableArguments {
    @Option(
        name: .customLong("gatt-db"),
        help: ArgumentHelp(
            "Take the GATT tables and names of devices from this file: another capture, the output of tree --json, or "
                + "BlueZ's cache or attributes file. May be repeated.",
            valueName: "file"), completion: .file(), transform: FilesRead.note)
    var paths: [String] = []

    func validate() throws {
        if paths.contains("-") { throw ValidationError("Standard input (-) cannot be a --gatt-db: save it first.") }
    }

    /// Reads the files, once for all captures. Mistakes in them are reported on standard error.
    func load(_ identity: IdentityOptions) -> ImportedDatabases {
        let databases = ImportedDatabases(
            databases: paths.map { GATTDatabase(path: $0, makeTrace: identity.makeTrace) }, identity: identity)
        for mistake in databases.databases.flatMap(\.mistakes) { printError(mistake) }
        return databases
    }
}

/// The tables that were given with a capture.
struct ImportedDatabases {
    let databases: [GATTDatabase]
    let identity: IdentityOptions

    /// Whether a file could not be read as it should: then the status is 1, after everything that could be shown.
    var hasFailed: Bool { databases.contains { !$0.mistakes.isEmpty } }

    /// A trace that knows the tables, and the keys.
    func makeTrace() -> Trace {
        var trace = identity.makeTrace()
        for table in databases.flatMap(\.tables) { trace.import(table) }
        return trace
    }

    /// Reports the reason if none of a file's tables was used for the capture.
    func report(_ trace: borrowing Trace, _ info: CaptureInfo) {
        let capture = info.file
        var uses = trace.importedTableUses[...]
        let count = databases.reduce(0) { $0 + $1.tables.count { !$0.isLocal } }
        for database in databases where !database.tables.isEmpty {
            let used = uses.prefix(database.tables.count).contains { $0 > 0 }
            uses = uses.dropFirst(database.tables.count)
            if used { continue }
            let devices = list(database.tables.map { $0.owner?.description })
            var reason = "\(capture) has no such peer"
            let peers = trace.peers.filter { $0.mergedInto == nil }
            if peers.contains(where: { $0.address == nil }) {
                reason = "\(capture) does not contain its peer's address"
                if count > 1 { reason += "; with \(count) tables the choice is ambiguous" }
            } else if !peers.isEmpty {
                reason += "; its peers are \(list(peers.map { $0.address?.description }))"
            }
            printError("\(database.path): not used: it contains the table of \(devices), and \(reason)")
        }
    }

    private func list(_ devices: [String?]) -> String {
        let names = devices.prefix(4).map { $0 ?? "a device with an unknown address" }
        let rest = devices.count - names.count
        return names.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
    }
}
