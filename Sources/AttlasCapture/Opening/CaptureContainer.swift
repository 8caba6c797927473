/// Something that captures are in: an archive, or a text with logs in it.
package protocol CaptureContainer: AnyObject {
    var name: String { get }
    /// Whether the contents represent the whole file.
    var isCompressionOnly: Bool { get }

    /// The next item; the previous one can then no longer be read. Nil at the end.
    func next() throws(CaptureError) -> ContainerItem?

    /// Why the file is refused when there was no capture in it, but `held`.
    func refusal(_ held: HeldNames) -> CaptureError
}

package enum ContainerItem: ~Copyable {
    /// A file that may be anything.
    case input(InputBuffer)
    case capture(InputBuffer, any FormatReader.Type)
    /// A file that cannot be examined, and why.
    case unreadable(String)
}

/// The names of the first few files that were no captures, and how many there were.
package struct HeldNames: CustomStringConvertible {
    private static let limit = 4
    private var names: [String] = []
    private var count = 0

    package var isEmpty: Bool { count == 0 }
    /// Whether it is an iPhone's, an iPad's or a Mac's: the files of a sysdiagnose.
    package private(set) var isSysdiagnose = false

    mutating func insert(_ name: String) {
        count += 1
        if name.contains("sysdiagnose") || name.contains(".logarchive/") { isSysdiagnose = true }
        guard names.count < Self.limit else { return }
        // The message already contains the file's own name.
        let inner = name.split(separator: "!/", maxSplits: 1).last
        names.append(inner.map(String.init) ?? name)
    }

    package var description: String {
        let rest = count - names.count
        return names.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
    }
}

/// Opens archives and decompresses. AttlasInput implements it, because it needs libraries of the system.
package protocol Decompression {
    static func archive(
        _ input: consuming InputBuffer, _ signature: ArchiveSignature, _ expansion: Expansion, isOutermost: Bool
    ) throws(CaptureError) -> any CaptureContainer
    /// The octets of a zlib stream.
    static func inflate(_ input: consuming InputBuffer, _ expansion: Expansion) -> ByteSource
}

extension CaptureError {
    /// It would have to be decompressed.
    init(compressed file: String) {
        self.init(
            .unsupported, file: file, "it is compressed or an archive",
            advice: "Decompress it, or open it with the product AttlasFiles: Capture(archive:).")
    }
}
