import ArgumentParser
import AttlasCapture
import AttlasReport
import Glibc

/// The captures a command reads.
struct CaptureOptions: ParsableArguments {
    @Argument(help: ArgumentHelp("Captures to read; - is standard input.", valueName: "file"))
    var files: [String]

    func validate() throws {
        if files.count(where: { $0 == "-" }) > 1 { throw ValidationError("Standard input (-) can be read only once.") }
    }

    /// Reads each capture with `body`, goes on behind one that cannot be read, and exits with 1 if there was one. A compressed
    /// file, an archive and a bug report give each capture that is inside.
    ///
    /// `body` gets the capture's name where several are, or may be, read.
    func forEachCapture(
        _ body: (inout CaptureReader, String?, inout Output) throws(CaptureError) -> Void
    ) throws {
        signal(SIGPIPE, SIG_IGN)
        Interruption.install()
        var output = Output()
        var hasFailed = false
        for file in files {
            var captures = CaptureSet(path: file)
            var isAtEnd = false
            while !isAtEnd {
                do throws(CaptureError) {
                    if var reader = try captures.next() {
                        let name = reader.info.file
                        try body(&reader, files.count > 1 || !isFile(name, file) ? name : nil, &output)
                    } else {
                        isAtEnd = true
                    }
                } catch {
                    // An interrupted read ends somewhere in a record; that is no news to who interrupted it.
                    if !Interruption.isRequested {
                        printError(error.detailedDescription)
                        hasFailed = true
                    }
                }
                if output.isClosed || Interruption.isRequested { break }
            }
            if output.isClosed || Interruption.isRequested { break }
        }
        if let failure = output.failure {
            printError("standard output cannot be written: \(String(cString: strerror(failure)))")
            hasFailed = true
        }
        if hasFailed { throw ExitCode(1) }
    }

    /// Whether a capture of that name is the file, not something inside it.
    private func isFile(_ name: String, _ file: String) -> Bool {
        name == file || file == "-"
    }
}

func printError(_ message: String) {
    var text = TextBuffer()
    text.append("attlas: ")
    text.append(display: message)
    text.append("\n")
    var output = Output(descriptor: STDERR_FILENO)
    output.write(&text)
}
