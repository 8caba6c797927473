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

    /// Reads each capture with `body`, goes on behind one that cannot be read, and exits with 1 if there was one.
    ///
    /// `body` gets the file's name where several were given.
    func forEachCapture(
        _ body: (inout CaptureReader, String?, inout Output) throws(CaptureError) -> Void
    ) throws {
        Interruption.install()
        var output = Output()
        var hasFailed = false
        for file in files {
            do throws(CaptureError) {
                var reader = try CaptureReader(path: file)
                try body(&reader, files.count > 1 ? file : nil, &output)
            } catch {
                // An interrupted read ends somewhere in a record; that is no news to who interrupted it.
                if !Interruption.isRequested {
                    printError(error.detailedDescription)
                    hasFailed = true
                }
            }
            if output.isClosed || Interruption.isRequested { break }
        }
        if hasFailed || output.hasFailed { throw ExitCode(1) }
    }
}
