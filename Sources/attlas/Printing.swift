import ArgumentParser
import AttlasCapture
import AttlasText
import Glibc

extension Output {
    /// Whether something could not be written; reports it. A closed reader is not a failure.
    var hasFailed: Bool {
        guard let failure else { return false }
        sayFailure(failure)
        return true
    }

    /// - Parameter consequence: a clause.
    func sayFailure(_ number: CInt, _ consequence: String = "") {
        let advice = CaptureError.advice(writing: number).map { ". \($0)" } ?? ""
        printError("standard output cannot be written: \(SystemCalls.message(number))\(consequence)\(advice)")
    }
}

/// Standard output for one answer: status 1 and a message if it cannot be written.
func printing(_ write: (inout Output) throws -> Void) throws {
    var output = Output()
    try write(&output)
    if output.hasFailed { throw ExitCode(1) }
}

/// Writes a whole answer to standard output.
func print(_ text: TextBuffer) throws {
    var text = text
    try printing { $0.write(&text) }
}

/// Writes lines in which nothing is left that could steer a terminal.
func print(lines: some Sequence<String>) throws {
    var text = TextBuffer()
    for line in lines {
        text.append(display: line)
        text.append("\n")
    }
    try print(text)
}

/// The result of `make`; after an error, its message and status 1.
func orExit<Value>(_ make: () throws(CaptureError) -> Value) throws -> Value {
    do throws(CaptureError) {
        return try make()
    } catch {
        printError(error.detailedDescription)
        throw ExitCode(1)
    }
}

/// - Parameter excerpt: lines to show below the message, in which nothing is left that could steer a terminal.
func printError(_ message: String, excerpt: String? = nil) {
    var text = TextBuffer()
    text.append("attlas: ")
    text.append(display: message)
    text.append("\n")
    if let excerpt {
        text.append(string: excerpt)
        text.append("\n")
    }
    var output = Output(descriptor: STDERR_FILENO)
    output.write(&text)
}
