/// Where the octets of a capture come from.
///
/// This one closure is the whole interface to the system: files, archives and devices use it (AttlasInput), and a test can
/// play the kernel.
package struct ByteSource: ~Copyable {
    /// The outcome of a read.
    package enum Outcome {
        /// The octets appended to the buffer; none at the end.
        case octets
        /// The C `errno`.
        case failed(CInt)
        /// The compressed data is broken, or ends early. A clause without a full stop.
        case damaged(String)
        /// The file is shorter than it was when it was opened.
        case shortened
        /// The decompressed data exceeds the limit. A clause, too.
        case excessive(String)

        /// The outcome when decompression fails because its input could not be read.
        package init(_ error: CaptureError) {
            self =
                switch error.kind {
                case .system(let number): .failed(number)
                case .changed: .shortened
                default: error.advice == CaptureError.damagedAdvice ? .damaged(error.reason) : .excessive(error.reason)
                }
        }
    }

    /// Its name in messages.
    package let name: String
    package let read: (inout OutputSpan<UInt8>) -> Outcome

    package init(name: String, read: @escaping (inout OutputSpan<UInt8>) -> Outcome) {
        self.name = name
        self.read = read
    }
}
