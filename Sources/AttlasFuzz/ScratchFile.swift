import AttlasCapture
import Glibc

/// A file without a name, in memory where the system has a place for that.
final class ScratchFile {
    let descriptor: CInt

    init() {
        var found: CInt = -1
        for folder in ["/dev/shm", "/tmp"] where found < 0 {
            let path = "\(folder)/attlas-fuzz-\(UInt64.random(in: 0...UInt64.max))"
            found = SystemCalls.open(path, O_RDWR | O_CREAT | O_EXCL, mode: 0o600)
            if found >= 0 { SystemCalls.remove(path) }
        }
        precondition(found >= 0, "no file can be made")
        descriptor = found
    }

    deinit { close(descriptor) }

    /// Where it can be opened once more.
    var path: String { "/proc/self/fd/\(descriptor)" }

    func removeAll() {
        ftruncate(descriptor, 0)
        lseek(descriptor, 0, SEEK_SET)
    }

    func write(_ octets: [UInt8]) {
        removeAll()
        _ = SystemCalls.write(descriptor, octets.span)
    }

    var contents: [UInt8] {
        let length = Int(lseek(descriptor, 0, SEEK_CUR))
        lseek(descriptor, 0, SEEK_SET)
        return [UInt8](capacity: length) { _ = SystemCalls.read(descriptor, into: &$0) }
    }
}
