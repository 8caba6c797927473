import ArgumentParser
import AttlasReport
import Glibc

extension Output {
    /// Whether something could not be written; says so. A reader that went away is no failure.
    var hasFailed: Bool {
        guard let failure else { return false }
        printError("standard output cannot be written: \(String(cString: strerror(failure)))")
        return true
    }
}

/// Writes a whole answer to standard output.
func print(_ text: TextBuffer) throws {
    var text = text
    var output = Output()
    output.write(&text)
    if output.hasFailed { throw ExitCode(1) }
}

func printError(_ message: String) {
    var text = TextBuffer()
    text.append("attlas: ")
    text.append(display: message)
    text.append("\n")
    var output = Output(descriptor: STDERR_FILENO)
    output.write(&text)
}
