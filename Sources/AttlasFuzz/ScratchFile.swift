import Glibc

/// A file without a name, in memory where the system has a place for that.
final class ScratchFile {
    let descriptor: CInt

    init() {
        var found: CInt = -1
        for folder in ["/dev/shm", "/tmp"] where found < 0 {
            var path = Array("\(folder)/attlas-fuzz-XXXXXX".utf8CString)
            found = mkstemp(&path)
            if found >= 0 { unlink(path) }
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
        _ = octets.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
    }

    var contents: [UInt8] {
        let length = Int(lseek(descriptor, 0, SEEK_CUR))
        return [UInt8](unsafeUninitializedCapacity: length) { buffer, count in
            count = max(0, pread(descriptor, buffer.baseAddress, length, 0))
        }
    }
}
