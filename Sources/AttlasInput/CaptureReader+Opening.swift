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

    init(_ source: consuming ByteSource) throws(CaptureError) {
        var captures = CaptureSet(InputBuffer(source))
        self = try captures.first()
    }
}

extension CaptureSet {
    /// - Throws: also when there is none.
    package mutating func first() throws(CaptureError) -> CaptureReader {
        guard let first = try next() else {
            throw CaptureError(.unknownFormat, file: name, "it contains no capture")
        }
        return first
    }
}
