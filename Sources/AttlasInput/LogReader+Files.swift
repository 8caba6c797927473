import AttlasCapture
import AttlasWire

extension LogReader {
    /// Octets of a file of readers, and of a log that one is tried with.
    private static let limit = 16 << 20

    /// The reader in a file.
    package init(path: String) throws(LogReaderMistake) {
        let text: String
        do throws(CaptureError) { text = try Self.text(path: path) } catch {
            throw LogReaderMistake(file: path, error.reason)
        }
        self = try LogReaderFile.read(text, name: path)
    }

    /// The text of a file, at most 16 MiB of it.
    package static func text(path: String) throws(CaptureError) -> String {
        var input = InputBuffer(try ByteSource(path: path))
        _ = try input.fill(limit)
        return String(decoding: input.bytes.prefix(min(input.available, limit)).copy(), as: UTF8.self)
    }
}
