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
        /// Whether an existing file is replaced.
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
                throw CaptureError(.system(EEXIST), file: name, "another program is writing it")
            }
        }

        private static func taken(_ name: String, isSource: Bool) -> CaptureError {
            isSource
                ? CaptureError(
                    .system(EEXIST), file: name, "is a file that this command reads: writing to it would destroy it",
                    advice: "Write to another file.")
                : CaptureError(
                    .system(EEXIST), file: name, "exists already",
                    advice: "Write to another file, or replace this one with --force.")
        }
    }

    /// A file that begins with `head`. Where the file system has files without a name, it gets its name when the head is in it:
    /// who is killed meanwhile leaves nothing, and never an empty file.
    ///
    /// - Throws: An error of the kind EEXIST when the name is taken.
    init(
        _ name: String, _ choice: Choice, head: Span<UInt8>, write: (CInt, Span<UInt8>) -> Int
    ) throws(CaptureError) {
        try choice.check(name)
        let folder = name.lastIndex(of: "/").map { String(name[...$0]) } ?? "."
        let nameless = SystemCalls.linkStatus(of: "/proc/self/fd") == nil ? -1 : SystemCalls.openNameless(in: folder)
        let isNameless = nameless >= 0
        let descriptor = isNameless ? nameless : Self.openNamed(name, choice)
        if descriptor >= 0 { _ = flock(descriptor, LOCK_EX | LOCK_NB) }
        guard descriptor >= 0, let status = SystemCalls.status(of: descriptor),
            Self.write(head, to: descriptor, by: write) == head.count,
            !isNameless || Self.give(name, to: descriptor, choice)
        else {
            let number = errno
            if descriptor >= 0 {
                if !isNameless { SystemCalls.remove(name) }
                close(descriptor)
            }
            throw CaptureError(
                .system(number), file: name, "cannot be written: \(SystemCalls.message(number))",
                advice: CaptureError.advice(writing: number))
        }
        Privileges().giveToCaller(descriptor)
        self.name = name
        self.descriptor = descriptor
        identity = FileIdentity(status)
        length = head.count
    }

    /// Whether a file could begin in the folder of this name. Nothing is changed.
    static func checkFolder(of name: String) throws(CaptureError) {
        let folder = name.lastIndex(of: "/").map { String(name[...$0]) } ?? "."
        let descriptor = SystemCalls.openNameless(in: folder)
        let number = errno
        if descriptor >= 0 {
            close(descriptor)
        } else if number != EOPNOTSUPP, number != EISDIR {
            // Not every file system has files without a name.
            throw CaptureError(
                .system(number), file: name, "cannot be written: \(SystemCalls.message(number))",
                advice: CaptureError.advice(writing: number))
        }
    }

    private static func openNamed(_ name: String, _ choice: Choice) -> CInt {
        // Programs that have the former file open keep it: it is not overwritten.
        if choice.replaces { SystemCalls.remove(name) }
        return SystemCalls.open(name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o600)
    }

    private static func give(_ name: String, to descriptor: CInt, _ choice: Choice) -> Bool {
        if choice.replaces { SystemCalls.remove(name) }
        return SystemCalls.link(descriptor, to: name) == 0
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
