// Its declarations are for this package only: one import of captures for all that make system calls.
@_exported import AttlasSystem

extension CaptureError {
    /// The system did not open `path`.
    package init(_ number: CInt, opening path: String) {
        let advice: String? =
            switch SystemCalls.Failure(number: number).kind {
            case .missing: "Check the path; a capture from standard input is named -."
            case .denied: "Check the permissions of the file and of the folders above it."
            default: nil
            }
        self.init(.system(number), file: path, "cannot be opened: \(SystemCalls.message(number))", advice: advice)
    }

    /// The system did not read on.
    init(_ number: CInt, reading name: String, at offset: UInt64) {
        let advice = SystemCalls.Failure(number: number).kind == .folder ? "Pass files, not a folder." : nil
        self.init(
            .system(number), file: name, offset: offset > 0 ? offset : nil,
            "cannot be read: \(SystemCalls.message(number))", advice: advice)
    }

    /// The system gives no thread to read with.
    public init(withoutThread file: String) {
        self.init(
            .system(SystemCalls.Failure(.noThread).number), file: file, "cannot be read: the system gives no thread")
    }

    /// Advice for a failed write.
    package static func advice(writing number: CInt) -> String? {
        switch SystemCalls.Failure(number: number).kind {
        case .full: "Free some space, or use another disk."
        case .tooLarge: "Raise the limit of the size of files (ulimit -f)."
        case .broken: "The disk or the terminal failed; the kernel's log (dmesg) may say why."
        case .closed: "It was closed; redirect it to a file or to /dev/null."
        default: nil
        }
    }
}
