/// Where the octets of a capture come from.
///
/// The one closure is the whole border to the system: files, archives and devices are behind it (AttlasInput), and a test can
/// play the kernel.
package struct ByteSource: ~Copyable {
    /// What a read gave.
    package enum Outcome {
        /// What was appended to the buffer; nothing at the end.
        case octets
        /// The C `errno`.
        case failed(CInt)
        /// What the octets are decompressed from is broken, or ends early. A clause without a full stop.
        case damaged(String)
        /// More came out of what is compressed than is believed. A clause, too.
        case excessive(String)
    }

    /// As messages name it.
    package let name: String
    package let read: (inout OutputSpan<UInt8>) -> Outcome

    package init(name: String, read: @escaping (inout OutputSpan<UInt8>) -> Outcome) {
        self.name = name
        self.read = read
    }
}
