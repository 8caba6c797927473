import AttlasCapture
import Glibc

/// Records as pcapng in a pipe that another program reads while they come.
package final class RecordStream {
    private let descriptor: CInt
    private var encoder = RecordEncoder(.pcapng)
    /// The `errno` that stopped writing. EPIPE: the reader has gone.
    package private(set) var failure: CInt?

    /// Waits until the pipe has a reader.
    package init(_ output: OutputPath) throws(CaptureError) {
        guard let descriptor = try output.openStream() else { throw output.error(ENOTSUP) }
        self.descriptor = descriptor
        encoder.begin()
    }

    deinit {
        close(descriptor)
    }

    /// - Parameter comments: Options of pcapng.
    package func write(_ record: borrowing Record, comments: [UInt8]) {
        guard failure == nil else { return }
        // Data that pcapng cannot represent is left out.
        _ = encoder.append(record, of: nil, comments: comments)
        if encoder.octets.count >= 1 << 16 { flush() }
    }

    /// Hands everything to the reader, which may block. Also before the first record.
    package func flush() {
        guard failure == nil, !encoder.octets.isEmpty else { return }
        let written = RecordingFile.write(encoder.octets.span, to: descriptor) { SystemCalls.write($0, $1) }
        if written < encoder.octets.count { failure = errno }
        encoder.removeAll()
    }
}
