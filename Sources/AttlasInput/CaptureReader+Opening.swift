// Code that opens captures also reads them: one import for both.
@_exported import AttlasCapture

extension CaptureReader {
    /// Opens a file, or the first capture inside it when it is compressed or an archive (`CaptureSet` gives all of them);
    /// `-` is standard input. Returns when the format is known.
    public init(path: String) throws(CaptureError) {
        var captures = CaptureSet(path: path)
        self = try captures.first()
    }

    /// A capture in memory. `name` stands for its path in messages.
    public init(bytes: [UInt8], name: String) throws(CaptureError) {
        var captures = CaptureSet(bytes: bytes, name: name)
        self = try captures.first()
    }

    package init(_ source: consuming ByteSource) throws(CaptureError) {
        var captures = CaptureSet(InputBuffer(source))
        self = try captures.first()
    }
}

extension CaptureSet {
    /// A file, which `next` opens; `-` is standard input. A path with `!/` in it that is not a file is the capture of that name.
    ///
    /// - Parameter kind: The kind of a hex dump in it; nil if the dump shows it.
    public init(path: String, as kind: TextKind? = nil) {
        self.init(path: path, as: kind, SystemLibraries.self)
    }

    /// A file in memory. `name` stands for its path in messages.
    public init(bytes: [UInt8], name: String) {
        self.init(InputBuffer(bytes, name: name))
    }

    package init(_ input: consuming InputBuffer) {
        self.init(input, SystemLibraries.self)
    }
}

/// libarchive, zlib and liblzma.
private enum SystemLibraries: Decompression {
    static func archive(
        _ input: consuming InputBuffer, _ signature: ArchiveSignature, _ expansion: Expansion, isOutermost: Bool
    ) throws(CaptureError) -> any CaptureContainer {
        try Archive(CompressedInput(input, expansion, isOutermost: isOutermost), signature)
    }

    static func inflate(_ input: consuming InputBuffer, _ expansion: Expansion) -> ByteSource {
        let name = input.name
        let inflater = Inflater(CompressedInput(input, expansion, isOutermost: false), .zlib)
        return ByteSource(name: name) { inflater.read(into: &$0) }
    }
}
