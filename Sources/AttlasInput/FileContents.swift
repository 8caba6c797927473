import AttlasCapture

extension [UInt8] {
    /// All octets of a file, to be read from memory.
    /// - Throws: also when there are more than `limit`.
    package init(contentsOf path: String, limit: Int = .max) throws(CaptureError) {
        self = []
        var input = InputBuffer(try ByteSource(path: path))
        while try input.fill(1) {
            input.bytes.append(to: &self)
            input.consume(input.available)
            guard count <= limit else {
                throw CaptureError(.unsupported, file: path, "it is larger than \(limit) octets")
            }
        }
    }
}
