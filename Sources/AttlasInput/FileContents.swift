import AttlasCapture

extension [UInt8] {
    /// All octets of a file, for who reads a capture from memory again and again.
    public init(contentsOf path: String) throws(CaptureError) {
        self = []
        var input = InputBuffer(try ByteSource(path: path))
        while try input.fill(1) {
            input.bytes.append(to: &self)
            input.consume(input.available)
        }
    }
}
