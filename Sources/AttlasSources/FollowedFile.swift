import AttlasCapture
import AttlasInput
import AttlasRecords
import Glibc

/// A file that another program is writing: at its end, reading waits for more. When it is replaced or becomes shorter, as a rotated log
/// does, it ends.
final class FollowedFile {
    private let path: String
    private var descriptor: CInt
    private let identity: FileIdentity
    private let watch: FileWatch
    private var position: off_t = 0

    /// - Parameter watch: A watch on the same file.
    init(path: String, _ watch: FileWatch) throws(CaptureError) {
        self.path = path
        self.watch = watch
        descriptor = SystemCalls.open(path, O_RDONLY)
        guard descriptor >= 0 else { throw CaptureError(errno, opening: path) }
        identity = FileIdentity(SystemCalls.status(of: descriptor) ?? stat())
    }

    deinit {
        close(descriptor)
    }

    /// The next octets; none at the user's wish, or when the file was replaced or cut.
    func read(into buffer: inout OutputSpan<UInt8>) -> ByteSource.Outcome {
        while !Interruption.isRequested {
            let count = SystemCalls.read(descriptor, into: &buffer)
            if count > 0 {
                position += off_t(count)
                return .octets
            }
            if count < 0, errno != EINTR { return .failed(errno) }
            if wasReplaced() { return .octets }
            watch.wait()
        }
        return .octets
    }

    /// All of the old file was read before anything of the new one is.
    private func wasReplaced() -> Bool {
        guard let now = SystemCalls.status(of: path) else { return false }
        if FileIdentity(now) != identity { return now.st_size > 0 }
        return now.st_size < position
    }
}
