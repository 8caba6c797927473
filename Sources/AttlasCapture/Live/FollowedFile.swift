import Glibc

/// A file that another program is writing: at its end, what is added is waited for. When it is replaced or becomes shorter, as a
/// log does that is rotated, it ends.
final class FollowedFile {
    private let path: String
    private var descriptor: CInt
    private var identity: Identity
    private var position: off_t = 0

    /// How often an unchanged file is looked at.
    private static let pause: useconds_t = 100_000

    private struct Identity: Equatable {
        let device: dev_t
        let inode: ino_t
    }

    init(path: String) throws(CaptureError) {
        self.path = path
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw CaptureError(errno, opening: path) }
        var status = stat()
        fstat(descriptor, &status)
        identity = Identity(device: status.st_dev, inode: status.st_ino)
    }

    deinit {
        close(descriptor)
    }

    /// The next octets; 0 at the user's wish, or when the file was replaced or cut.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> ByteSource.Outcome {
        while !Interruption.isRequested {
            let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
            if count > 0 {
                position += off_t(count)
                return .octets(count)
            }
            if count < 0, errno != EINTR { return .failed(errno) }
            if wasReplaced() { return .octets(0) }
            usleep(Self.pause)
        }
        return .octets(0)
    }

    /// All of the old file was read before anything of the new one is.
    private func wasReplaced() -> Bool {
        var now = stat()
        guard stat(path, &now) == 0 else { return false }
        if Identity(device: now.st_dev, inode: now.st_ino) != identity { return now.st_size > 0 }
        return now.st_size < position
    }
}
