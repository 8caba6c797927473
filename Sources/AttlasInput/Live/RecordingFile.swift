import AttlasCapture
import Glibc

/// Which file it is, by whatever name.
struct FileIdentity: Equatable {
    private let device: dev_t
    private let inode: ino_t

    init(_ status: stat) {
        device = status.st_dev
        inode = status.st_ino
    }
}

/// A file of a recording: made by this process, for its user alone, and locked as long as it is written.
struct RecordingFile {
    let name: String
    let descriptor: CInt
    private let identity: FileIdentity
    /// Octets of whole records in it.
    var length = 0

    /// Which names a recording may take.
    struct Choice: Sendable {
        /// Whether a file that is there is replaced.
        var replaces = false
        /// The paths of what is read meanwhile; `-` is standard input. These are never replaced.
        var sources: [String] = []

        /// Changes nothing.
        /// - Throws: An error of the kind EEXIST when the name is taken.
        func check(_ name: String) throws(CaptureError) {
            if sources.contains(name) { throw Self.taken(name, isSource: true) }
            guard let entry = SystemCalls.linkStatus(of: name) else { return }
            let identity = SystemCalls.status(of: name).map { FileIdentity($0) }
            let isSource = sources.contains {
                SystemCalls.status(of: $0 == "-" ? "/dev/stdin" : $0).map { FileIdentity($0) == identity } ?? false
            }
            if isSource { throw Self.taken(name, isSource: true) }
            guard entry.st_mode & S_IFMT == S_IFREG else {
                throw CaptureError(
                    .system(EEXIST), file: name, "is not a regular file",
                    advice: "Recordings are regular files, and symbolic links are not followed.")
            }
            guard replaces else { throw Self.taken(name, isSource: false) }
            let other = SystemCalls.open(name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
            guard other >= 0 else { return }
            defer { close(other) }
            if flock(other, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK {
                throw CaptureError(.system(EEXIST), file: name, "another program is recording to it")
            }
        }

        private static func taken(_ name: String, isSource: Bool) -> CaptureError {
            isSource
                ? CaptureError(
                    .system(EEXIST), file: name, "is a file that this command reads: recording to it would destroy it",
                    advice: "Record to another file.")
                : CaptureError(
                    .system(EEXIST), file: name, "exists already",
                    advice: "Record to another file, or replace this one with --force.")
        }
    }

    /// - Throws: An error of the kind EEXIST when the name is taken.
    init(_ name: String, _ choice: Choice) throws(CaptureError) {
        try choice.check(name)
        // Who has the former file open keeps it: it is not written over.
        if choice.replaces { SystemCalls.remove(name) }
        descriptor = SystemCalls.open(name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o600)
        guard descriptor >= 0 else {
            throw CaptureError(.system(errno), file: name, "cannot be written: \(SystemCalls.message(errno))")
        }
        _ = flock(descriptor, LOCK_EX | LOCK_NB)
        Privileges().giveToCaller(descriptor)
        self.name = name
        guard let status = SystemCalls.status(of: descriptor) else {
            let number = errno
            SystemCalls.remove(name)
            close(descriptor)
            throw CaptureError(.system(number), file: name, "cannot be written: \(SystemCalls.message(number))")
        }
        identity = FileIdentity(status)
    }

    /// Removes the file unless its name is another file's by now.
    /// - Returns: 0, or `errno`.
    func remove() -> CInt {
        guard let status = SystemCalls.linkStatus(of: name) else { return errno == ENOENT ? 0 : errno }
        guard FileIdentity(status) == identity else { return 0 }
        return SystemCalls.remove(name) == 0 ? 0 : errno
    }
}
