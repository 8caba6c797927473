import AttlasCapture

/// Something that captures are in: an archive, or a text with logs in it.
protocol CaptureContainer: AnyObject {
    var name: String { get }
    /// Whether what is inside stands for the whole file.
    var isCompressionOnly: Bool { get }

    /// What comes next; what came before can then no longer be read. Nil at the end.
    func next() throws(CaptureError) -> ContainerItem?

    /// Why the file is refused when there was no capture in it, but `held`.
    func refusal(_ held: HeldNames) -> CaptureError
}

enum ContainerItem: ~Copyable {
    /// A file that may be anything.
    case input(InputBuffer)
    case capture(InputBuffer, any FormatReader.Type)
    /// What cannot be looked into.
    case unreadable(String)
}

/// The names of the first few files that were no captures, and how many there were.
struct HeldNames: CustomStringConvertible {
    private static let limit = 4
    private var names: [String] = []
    private var count = 0

    var isEmpty: Bool { count == 0 }

    mutating func insert(_ name: String) {
        count += 1
        guard names.count < Self.limit else { return }
        // The message already contains the file's own name.
        let inner = name.split(separator: "!/", maxSplits: 1).last
        names.append(inner.map(String.init) ?? name)
    }

    var description: String {
        let rest = count - names.count
        return names.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
    }
}
