// Code that opens captures also reads them: one import for both.
@_exported import AttlasCapture

extension CaptureReader {
    /// Opens a file, or the first capture inside it when it is compressed or an archive (`CaptureSet` gives all of them);
    /// `-` is standard input. Returns when enough is there to tell the format.
    public init(path: String) throws(CaptureError) {
        self = try Self.first(CaptureSet(path: path))
    }

    /// A capture in memory. `name` stands for its path in messages.
    public init(bytes: [UInt8], name: String) throws(CaptureError) {
        self = try Self.first(CaptureSet(bytes: bytes, name: name))
    }

    init(_ source: consuming ByteSource) throws(CaptureError) {
        self = try Self.first(CaptureSet(InputBuffer(source)))
    }

    private static func first(_ captures: consuming CaptureSet) throws(CaptureError) -> CaptureReader {
        guard let first = try captures.next() else {
            throw CaptureError(.unknownFormat, file: captures.name, "it contains no capture")
        }
        return first
    }
}
