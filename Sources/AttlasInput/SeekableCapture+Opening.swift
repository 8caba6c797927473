import Glibc

extension SeekableCapture {
    /// Maximum size of input kept in memory because it cannot be read again (a pipe, a file inside an archive).
    static let memoryLimit = 256 << 20

    /// Opens the capture at `path`, or the first one inside it; `-` is standard input.
    package init(path: String) throws(CaptureError) {
        try self.init(path: path, memoryLimit: Self.memoryLimit)
    }

    init(path: String, memoryLimit: Int) throws(CaptureError) {
        var reader = try CaptureReader(path: path)
        let (position, info) = (reader.position, reader.info)
        if info.file == path, SystemCalls.regularFileSize(path) != nil {
            self.init(position, info) {
                SystemCalls.regularFileSize(path).map { UInt64($0) } ?? 0
            } source: { offset throws(CaptureError) in
                try ByteSource(path: path, offset: offset)
            }
            return
        }
        try self.init(&reader, memoryLimit: memoryLimit)
    }

    /// A capture in memory. `name` stands for its path in messages.
    package init(bytes: [UInt8], name: String) throws(CaptureError) {
        var reader = try CaptureReader(bytes: bytes, name: name)
        try self.init(&reader, memoryLimit: Self.memoryLimit)
    }

    private init(_ reader: inout CaptureReader, memoryLimit: Int) throws(CaptureError) {
        let (position, info) = (reader.position, reader.info)
        let (octets, isWhole) = try reader.octets(limit: memoryLimit)
        guard isWhole else {
            throw CaptureError(
                .damaged, file: info.file,
                "it has more than \(memoryLimit >> 20) MiB, and is not a file that can be read again",
                advice: "Save it first, decompressed.")
        }
        self.init(position, info) {
            position.offset + UInt64(octets.count)
        } source: { offset in
            var place = Int(offset - position.offset)
            return ByteSource(name: info.file) { buffer in
                let end = min(place + buffer.freeCapacity, octets.count)
                while place < end {
                    buffer.append(octets[place])
                    place += 1
                }
                return .octets
            }
        }
    }
}
