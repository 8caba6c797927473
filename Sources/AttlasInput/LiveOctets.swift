import AttlasCapture
import AttlasWire
import Glibc

/// Octets from a pipe or a socket, or appended to a file, for readers that also follow the passing time.
package final class LiveOctets {
    /// In milliseconds, between two questions whether to continue.
    private static let pause: CInt = 100

    private let descriptor: CInt
    private let path: String
    /// nil for non-files.
    private let watch: FileWatch?
    private var position: off_t = 0
    /// Asked before each wait; false ends it.
    package var goesOn: () -> Bool = { true }

    /// - Parameters:
    ///   - path: of a file. When another takes its place there, or it becomes shorter, it has ended.
    ///   - follows: whether more is waited for at the end of a file.
    package init(descriptor: CInt, path: String, follows: Bool = true) {
        self.descriptor = descriptor
        self.path = path
        let isFile = follows && (SystemCalls.status(of: descriptor)?.st_mode ?? 0) & S_IFMT == S_IFREG
        watch = isFile ? FileWatch(path) : nil
    }

    /// The next octets; none at the end.
    package func read(into buffer: inout OutputSpan<UInt8>) -> ByteSource.Outcome {
        while goesOn() {
            // A file is always ready.
            if watch == nil, SystemCalls.wait(for: POLLIN, of: descriptor, milliseconds: Self.pause) <= 0 { continue }
            let count = SystemCalls.read(descriptor, into: &buffer)
            if count > 0 {
                position += off_t(count)
                return .octets
            }
            if count < 0 {
                if errno == EINTR || errno == EAGAIN { continue }
                return .failed(errno)
            }
            guard let watch, !hasEnded else { return .octets }
            watch.wait()
        }
        return .octets
    }

    private var hasEnded: Bool {
        guard let now = SystemCalls.status(of: path), let own = SystemCalls.status(of: descriptor) else { return false }
        if now.st_dev != own.st_dev || now.st_ino != own.st_ino { return now.st_size > 0 }
        return now.st_size < position
    }
}
