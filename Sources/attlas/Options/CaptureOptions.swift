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
        if reading.join == true && files.contains("-") {
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
    ///   - joinsPieces: Whether the pieces of a rotated log are one unless --no-join is given.
    func forEachCapture(
        hasFailed: Bool, joinsPieces: Bool = true,
        _ body: @escaping @Sendable (inout CaptureReader, String?, OutputTurn) throws(CaptureError) -> Void
    ) throws {
        let (files, lacksFolder) = expandFolders(files)
        let joinsPieces = joinsPieces && reading.join != false
        let groups: [[String]]
        switch reading.join {
        case true: groups = [files]
        case _ where joinsPieces: groups = RotatedLogs.groups(ofFiles: files)
        default: groups = files.map { [$0] }
        }
        let order = OrderedOutput(of: groups.count)
        // Only one of several threads gets a signal, and it might not be the one that waits for a pipe.
        let isParallel = groups.count > 1 && files.allSatisfy { SystemCalls.regularFileSize($0) != nil }
        let threads = isParallel ? reading.threads ?? Parallel.processors : 1
        Parallel.forEach(Array(groups.indices), threads: threads) { index in
            let (group, turn) = (groups[index], OutputTurn(order, index))
            if reading.join == true || group.count > 1 {
                turn.report { () throws(CaptureError) in
                    var reader = try CaptureReader(joining: group)
                    try body(&reader, groups.count > 1 ? name(ofJoined: group) : nil, turn)
                }
            } else {
                read(group[0], isOneOfMany: groups.count > 1, joinsPieces: joinsPieces, turn, body)
            }
            turn.end()
        }
        if hasFailed || lacksFolder || order.hasFailed || order.output.hasFailed { throw ExitCode(1) }
        if reading.failOn == .incomplete, order.isIncomplete { throw ExitCode(2) }
    }
}

/// How captures are read.
struct ReadingOptions: ParsableArguments {
    static let joinHelp: ArgumentHelp =
        "Read all files as one capture, in the order of their times. (default: only the pieces of a rotated log)"

    @Flag(inversion: .prefixedNo, help: joinHelp)
    var join: Bool?

    /// The option, for a command that has it itself.
    static func words(join: Bool?) -> [String] { join.map { [$0 ? "--join" : "--no-join"] } ?? [] }

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
    _ file: String, isOneOfMany: Bool, joinsPieces: Bool, _ turn: OutputTurn,
    _ body: (inout CaptureReader, String?, OutputTurn) throws(CaptureError) -> Void
) {
    var captures = WholeCaptures(path: file, joinsPieces: joinsPieces)
    var isDone = false
    // The first decides it, so that a table has the same columns for all.
    var isNamed: Bool?
    while !isDone && !turn.isOver {
        turn.report { () throws(CaptureError) in
            guard var reader = try captures.next() else {
                isDone = true
                return
            }
            let joined = reader.info.joined
            let name = joined.isEmpty ? reader.info.file : name(ofJoined: joined)
            isNamed =
                isNamed
                ?? (isOneOfMany || name != file && name.contains("!/") || captures.isOfLogs && hasSeveralLogs(file))
            try body(&reader, isNamed == true ? name : nil, turn)
        }
    }
}

/// As the reader names them once it has read more than the first.
private func name(ofJoined pieces: [String]) -> String { "\(pieces[0]) and \(pieces.count - 1) more" }

/// Whether a text contains more than one log; false for one that can be read only once.
private func hasSeveralLogs(_ text: String) -> Bool {
    guard SystemCalls.regularFileSize(text) != nil else { return false }
    var captures = CaptureSet(path: text)
    // An unreadable text is reported with the name of its log.
    do throws(CaptureError) {
        guard try captures.next() != nil else { return false }
        return try captures.next() != nil
    } catch {
        return true
    }
}
