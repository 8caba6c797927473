import AttlasCapture
import Glibc

/// Waits at the end of a file that another program is writing.
package final class FileWatch: Sendable {
    /// The longest wait in milliseconds: how often a file is looked at that another replaced, or whose changes the kernel does not report, as
    /// on a network file system.
    private static let pause: CInt = 50

    private let descriptor: CInt

    package init(_ path: String) {
        descriptor = SystemCalls.watch(path)
    }

    deinit {
        if descriptor >= 0 { SystemCalls.close(descriptor) }
    }

    /// Returns when something was written to the file since the last call, after a signal, or after a short time.
    package func wait() {
        guard SystemCalls.wait(for: POLLIN, of: descriptor, milliseconds: Self.pause) > 0 else { return }
        // The kernel joins equal events: nearly always there is one.
        _ = [UInt8](capacity: 1 << 12) { _ = SystemCalls.read(descriptor, into: &$0) }
    }
}
