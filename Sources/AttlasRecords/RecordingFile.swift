import AttlasCapture
import Glibc

/// A file of records that this process writes.
struct RecordingFile {
    let name: String
    private let file: NewFile
    private let identity: FileIdentity
    /// Octets of whole records in it.
    var length = 0

    /// A file that begins with `head`.
    ///
    /// - Parameter appears: Whether it gets its name now, because its head is in it: a killed process leaves no empty file. Otherwise with
    ///   `complete`.
    /// - Throws: An error of the kind EEXIST when the name is taken.
    init(
        _ output: OutputPath, head: Span<UInt8>, appears: Bool, write: (CInt, Span<UInt8>) -> Int
    ) throws(CaptureError) {
        let file = try NewFile(output)
        guard let status = SystemCalls.status(of: file.descriptor),
            Self.write(head, to: file.descriptor, by: write) == head.count
        else { throw output.error(errno) }
        if appears { try file.appear() }
        name = output.path
        self.file = file
        identity = FileIdentity(status)
        length = head.count
    }

    var descriptor: CInt { file.descriptor }
    func complete() throws(CaptureError) { try file.complete() }
    func close() { file.discard() }

    /// Whether a file could begin in the folder of this name. Nothing is changed.
    static func checkFolder(of output: OutputPath) throws(CaptureError) {
        let descriptor = SystemCalls.openNameless(in: output.folder ?? ".")
        let number = errno
        if descriptor >= 0 {
            SystemCalls.close(descriptor)
        } else if number != EOPNOTSUPP, number != EISDIR {
            // Not every file system has files without a name.
            throw output.error(number)
        }
    }

    /// - Returns: the octets that were taken; `errno` when it was not all of them.
    static func write(
        _ octets: Span<UInt8>, to descriptor: CInt, by write: (CInt, Span<UInt8>) -> Int
    ) -> Int {
        var start = 0
        while start < octets.count {
            let written = write(descriptor, octets.extracting(droppingFirst: start))
            if written > 0 {
                start += written
            } else if errno == EAGAIN {
                SystemCalls.wait(for: POLLOUT, of: descriptor)
            } else if errno != EINTR {
                break
            }
        }
        return start
    }

    /// Removes the file unless its name is another file's by now.
    /// - Returns: 0, or `errno`.
    func remove() -> CInt {
        guard let status = SystemCalls.linkStatus(of: name) else { return errno == ENOENT ? 0 : errno }
        guard FileIdentity(status) == identity else { return 0 }
        return SystemCalls.remove(name) == 0 ? 0 : errno
    }
}
