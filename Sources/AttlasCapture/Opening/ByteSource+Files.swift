import AttlasSystem

extension ByteSource {
    /// Opens `path`, or takes standard input for `-`. The corresponding C function is `open`.
    package init(path: String) throws(CaptureError) {
        guard path != "-" else {
            self.init(name: "standard input") { readOctets(0, into: &$0) }
            return
        }
        let file = try OpenFile(path: path)
        self.init(name: path) { file.read(into: &$0) }
    }

    /// A file that is open, from its beginning. It stays open.
    package init(descriptor: CInt, name: String) throws(CaptureError) {
        if let failure = SystemCalls.seek(descriptor, to: 0) { throw CaptureError(failure.number, opening: name) }
        self.init(name: name) { readOctets(descriptor, into: &$0) }
    }

    /// A file from an offset on.
    package init(path: String, offset: UInt64) throws(CaptureError) {
        let file = try OpenFile(path: path)
        if let failure = SystemCalls.seek(file.descriptor, to: offset) {
            throw CaptureError(failure.number, opening: path)
        }
        self.init(name: path) { file.read(into: &$0) }
    }
}

/// Closed when it cannot be read any more.
private final class OpenFile {
    let descriptor: CInt
    /// Size when it was opened; nil unless it is a regular file.
    private let size: UInt64?

    init(path: String) throws(CaptureError) {
        switch SystemCalls.openForReading(path, { Interruption.isRequested }) {
        case .success(let descriptor):
            self.descriptor = descriptor
            size = SystemCalls.regularFileSize(descriptor)
        case .failure(let failure): throw CaptureError(failure.number, opening: path)
        }
    }

    deinit {
        SystemCalls.close(descriptor)
    }

    /// A file that was truncated while it was read is not the one that was opened. One that grows is read to its new end.
    func read(into buffer: inout OutputSpan<UInt8>) -> ByteSource.Outcome {
        let before = buffer.count
        let outcome = readOctets(descriptor, into: &buffer)
        guard case .octets = outcome, buffer.count == before, let size else { return outcome }
        return SystemCalls.regularFileSize(descriptor).map { $0 < size } ?? false ? .shortened : outcome
    }
}

private func readOctets(_ descriptor: CInt, into buffer: inout OutputSpan<UInt8>) -> ByteSource.Outcome {
    if Interruption.isHostInterrupted { return .failed(SystemCalls.Failure(.interrupted).number) }
    let failure = SystemCalls.readWaiting(descriptor, into: &buffer) { Interruption.isRequested }
    return failure.map { .failed($0.number) } ?? .octets
}
