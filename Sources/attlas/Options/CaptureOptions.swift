import ArgumentParser
import AttlasInput
import AttlasRecords
import AttlasThreads
import Glibc

/// The captures a command reads.
struct CaptureOptions: ParsableArguments {
    static let filesHelp = ArgumentHelp("Captures, or folders with captures; - is standard input.", valueName: "file")

    @Argument(help: filesHelp, completion: .file(), transform: FilesRead.note)
    var files: [String]

    @OptionGroup(title: ShortHelp.title) var reading: ReadingOptions

    func validate() throws {
        if files.count(where: { $0 == "-" }) > 1 { throw ValidationError("Standard input (-) can be read only once.") }
        if reading.join && files.contains("-") {
            throw ValidationError("Standard input (-) cannot be joined: save it first.")
        }
    }

    /// Reads each capture with `body`, several files at once, continues after an unreadable one, and exits with 1 if there
    /// was one. A compressed file, an archive and a bug report give each capture that is inside, one after another; joined
    /// files are one.
    ///
    /// `body` gets the capture's name where several are, or may be, read. It writes when its turn has come.
    ///
    /// - Parameter hasFailed: Whether the status is 1 in any case.
    func forEachCapture(
        hasFailed: Bool,
        _ body: @escaping @Sendable (inout CaptureReader, String?, OutputTurn) throws(CaptureError) -> Void
    ) throws {
        let (files, lacksFolder) = expandFolders(files)
        let order = OrderedOutput(of: reading.join ? 1 : files.count)
        if reading.join {
            let turn = OutputTurn(order, 0)
            turn.report { () throws(CaptureError) in
                var reader = try CaptureReader(joining: files)
                try body(&reader, nil, turn)
            }
        } else {
            // Of several threads only one hears a signal, and it might not be the one that waits for a pipe.
            let isParallel = files.allSatisfy { SystemCalls.regularFileSize($0) != nil }
            let threads = isParallel ? reading.threads ?? Parallel.processors : 1
            Parallel.forEach(Array(files.indices), threads: threads) { index in
                let turn = OutputTurn(order, index)
                read(files[index], isOneOfMany: files.count > 1, turn, body)
                turn.end()
            }
        }
        if hasFailed || lacksFolder || order.hasFailed || order.output.hasFailed { throw ExitCode(1) }
        if reading.failOn == .incomplete, order.isIncomplete { throw ExitCode(2) }
    }
}

/// How captures are read.
struct ReadingOptions: ParsableArguments {
    static let joinHelp: ArgumentHelp =
        "Read all files as one capture, in the order of their times. Use it for a rotated log."

    @Flag(help: joinHelp)
    var join = false

    enum Finding: String, ExpressibleByArgument, CaseIterable {
        case incomplete
    }

    @Option(
        help:
            "Exit with status 2 if data is missing: records lost, unreadable or truncated, or dropped at a memory limit."
    )
    var failOn: Finding?

    @Option(
        help: ArgumentHelp(
            """
            Number of decoding threads: for several files, and in show for one large file. (default: one for each processor, \
            at most 4 for one file)
            """, valueName: "number"))
    var threads: Int?

    func validate() throws {
        if let threads, !(1...64 ~= threads) {
            throw ValidationError("--threads is a number from 1 to 64, not \(threads).")
        }
    }
}

/// The files, with the captures of folders in place of these, and whether a folder has none; both are reported.
func expandFolders(_ paths: [String]) -> (files: [String], hasFailed: Bool) {
    var hasFailed = false
    let files = CaptureFolder.expand(paths) {
        printError($0)
    } report: { error in
        printError(error.detailedDescription)
        hasFailed = true
    }
    for file in files { FilesRead.note(file) }
    return (files, hasFailed)
}

/// Reads the captures of a file.
private func read(
    _ file: String, isOneOfMany: Bool, _ turn: OutputTurn,
    _ body: (inout CaptureReader, String?, OutputTurn) throws(CaptureError) -> Void
) {
    var captures = CaptureSet(path: file)
    var isDone = false
    // The first decides it, so that a table has the same columns for all.
    var isNamed: Bool?
    while !isDone && !turn.isOver {
        turn.report { () throws(CaptureError) in
            guard var reader = try captures.next() else {
                isDone = true
                return
            }
            let name = reader.info.file
            isNamed =
                isNamed
                ?? (isOneOfMany || name != file && name.contains("!/") || captures.isOfLogs && hasSeveralLogs(file))
            try body(&reader, isNamed == true ? name : nil, turn)
        }
    }
}

/// Whether a text contains more than one log; false for one that can be read only once.
private func hasSeveralLogs(_ text: String) -> Bool {
    guard SystemCalls.regularFileSize(text) != nil else { return false }
    var captures = CaptureSet(path: text)
    // What cannot be read is reported with the name of its log.
    do throws(CaptureError) {
        guard try captures.next() != nil else { return false }
        return try captures.next() != nil
    } catch {
        return true
    }
}
