import ArgumentParser
import AttlasCapture
import AttlasReport
import Glibc

/// The captures a command reads.
struct CaptureOptions: ParsableArguments {
    static let filesHelp = ArgumentHelp("Captures to read; - is standard input.", valueName: "file")
    static let joinHelp: ArgumentHelp =
        "Read all files as one timeline, in the order of their times: a log that was rotated."

    @Argument(help: filesHelp)
    var files: [String]

    @Flag(help: joinHelp)
    var join = false

    func validate() throws {
        if files.count(where: { $0 == "-" }) > 1 { throw ValidationError("Standard input (-) can be read only once.") }
        if join && files.contains("-") { throw ValidationError("Standard input (-) cannot be joined: save it first.") }
    }

    /// Reads each capture with `body`, goes on behind one that cannot be read, and exits with 1 if there was one. A compressed
    /// file, an archive and a bug report give each capture that is inside; joined files are one.
    ///
    /// `body` gets the capture's name where several are, or may be, read.
    func forEachCapture(
        _ body: (inout CaptureReader, String?, inout Output) throws(CaptureError) -> Void
    ) throws {
        Interruption.install()
        var output = Output()
        var hasFailed = false
        if join {
            do throws(CaptureError) {
                var reader = try CaptureReader(joining: files)
                try body(&reader, nil, &output)
            } catch {
                hasFailed = report(error)
            }
        } else {
            for file in files where !output.isClosed && !Interruption.isRequested {
                if !forEachCapture(of: file, &output, body) { hasFailed = true }
            }
        }
        if hasFailed || output.hasFailed { throw ExitCode(1) }
    }

    /// False when one could not be read, which was said.
    private func forEachCapture(
        of file: String, _ output: inout Output,
        _ body: (inout CaptureReader, String?, inout Output) throws(CaptureError) -> Void
    ) -> Bool {
        var captures = CaptureSet(path: file)
        var hasFailed = false
        while !output.isClosed && !Interruption.isRequested {
            do throws(CaptureError) {
                guard var reader = try captures.next() else { break }
                let name = reader.info.file
                try body(&reader, files.count > 1 || !isFile(name, file) ? name : nil, &output)
            } catch {
                if report(error) { hasFailed = true }
            }
        }
        return !hasFailed
    }

    /// An interrupted read ends somewhere in a record; that is no news to who interrupted it.
    private func report(_ error: CaptureError) -> Bool {
        guard !Interruption.isRequested else { return false }
        printError(error.detailedDescription)
        return true
    }

    /// Whether a capture of that name is the file, not something inside it.
    private func isFile(_ name: String, _ file: String) -> Bool {
        name == file || file == "-"
    }
}
