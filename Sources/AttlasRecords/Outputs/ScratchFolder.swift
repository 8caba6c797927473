import AttlasCapture
import Glibc

/// A folder of this process alone, removed with its contents at the end.
package struct ScratchFolder: Sendable {
    package let path: String
    private let cleanup: Cleanup

    package init() throws(CaptureError) {
        let parent = SystemCalls.environment("TMPDIR") ?? "/tmp"
        guard let path = SystemCalls.makeFolder(like: "\(parent)/attlas-XXXXXX") else {
            throw OutputPath(parent).error(errno)
        }
        self.path = path
        cleanup = Cleanup { Self.remove(path) }
    }

    package var output: OutputPath { OutputPath(path, .scratch) }

    package func remove() {
        Self.remove(path)
        cleanup.isDone()
    }

    private static func remove(_ path: String) {
        for name in SystemCalls.names(inFolder: path) ?? [] { SystemCalls.remove("\(path)/\(name)") }
        unsafe rmdir(path)
    }
}
