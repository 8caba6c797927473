import AttlasCapture
import Glibc

/// The output path of a command, and its permissions. Every command lists its own, and they are checked before it reads anything.
package struct OutputPath: Sendable {
    package enum Kind: Sendable {
        /// A file that appears when it is complete. `-`, pipes and devices are written to.
        case whole
        /// The same, read again before it appears. Never standard output or a device.
        case searched
        /// The same, replaced every few seconds. A file of an earlier run, which begins with this text, is replaced as well.
        case refreshed(beginning: String)
        /// A file that grows.
        case recording
        /// An SQLite database, which may exist.
        case database
        /// A pipe that has a reader.
        case pipe
        /// A folder for files whose names are not known yet.
        case folder
        /// A folder that is removed at the end.
        case scratch
    }

    package let path: String
    package let kind: Kind
    /// How a new file is opened.
    var access: CInt { if case .searched = kind { O_RDWR } else { O_WRONLY } }
    /// Whether an existing file is replaced.
    package let replaces: Bool

    package init(_ path: String, _ kind: Kind = .whole, replaces: Bool = false) {
        self.path = path
        self.kind = kind
        self.replaces = replaces
    }

    package var isStandardOutput: Bool {
        if case .whole = kind { path == "-" } else { false }
    }

    /// The folder in which files are made, renamed and removed; nil for standard output and a pipe.
    package var folder: String? {
        switch kind {
        case .folder, .scratch: return path
        case .pipe: return nil
        default: break
        }
        guard let slash = path.lastIndex(of: "/") else { return isStandardOutput ? nil : "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// The last part of the path.
    var name: Substring { path.lastIndex(of: "/").map { path[path.index(after: $0)...] } ?? path[...] }

    /// Whether it is a pipe or a device, to which a command writes as to standard output.
    func isStream(_ entry: stat) -> Bool {
        let target = entry.st_mode & S_IFMT == S_IFLNK ? SystemCalls.status(of: path) : entry
        guard let type = target.map({ $0.st_mode & S_IFMT }) else { return false }
        return type == S_IFIFO || type == S_IFCHR
    }

    /// Changes nothing.
    ///
    /// - Throws: An error of the kind EEXIST when the name is taken.
    package func check() throws(CaptureError) {
        switch kind {
        case .folder, .scratch: return
        default: if isStandardOutput { return }
        }
        if path == "-" {
            throw refusal(
                "is standard output, which this does not go to", advice: "Name a file, or ./- for one called so.")
        }
        // As from a variable of a shell that is not set.
        if path.isEmpty { throw CaptureError(.system(ENOENT), file: "''", "is an empty name: name a file to write") }
        if FilesRead.contain(path) {
            throw refusal(
                "is a file that this command reads: writing to it would destroy it", advice: "Write to another file.")
        }
        guard let entry = SystemCalls.linkStatus(of: path) else {
            if case .pipe = kind { throw CaptureError(errno, opening: path) }
            return
        }
        switch kind {
        case .folder, .scratch: break
        case .pipe:
            if !isStream(entry) {
                throw refusal("is not a pipe", advice: "Wireshark makes the pipe, and nothing else is written to.")
            }
        case .whole:
            if !isStream(entry) { try checkFile(entry) }
        case .searched, .refreshed, .recording, .database: try checkFile(entry)
        }
    }

    private func checkFile(_ entry: stat) throws(CaptureError) {
        switch entry.st_mode & S_IFMT {
        case S_IFREG: break
        case S_IFLNK:
            throw refusal("is a symbolic link, and links are not followed", advice: "Name the file itself, or -.")
        case S_IFDIR: throw refusal("is a folder", advice: "Name a file in it.")
        default: throw refusal("is not a regular file", advice: "Name a new file.")
        }
        if case .database = kind { return }
        guard mayReplace else {
            throw refusal("exists already", advice: "Write to another file, or replace this one with --force.")
        }
        let other = SystemCalls.open(path, O_WRONLY | O_NOFOLLOW | O_NONBLOCK)
        guard other >= 0 else { return }
        defer { close(other) }
        if flock(other, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK {
            throw CaptureError(.system(EEXIST), file: path, "another program is writing it")
        }
    }

    /// Opens a pipe or a device; nil if it is neither.
    package func openStream() throws(CaptureError) -> CInt? {
        try check()
        guard let entry = SystemCalls.linkStatus(of: path), isStream(entry) else { return nil }
        let descriptor = SystemCalls.open(path, O_WRONLY | O_NOCTTY)
        guard descriptor >= 0 else { throw error(errno) }
        // The name may have become another file's.
        guard let status = SystemCalls.status(of: descriptor), status.st_mode & S_IFMT != S_IFREG else {
            close(descriptor)
            throw error(EEXIST)
        }
        return descriptor
    }

    /// For callers that write a file, which would replace a pipe or a device.
    ///
    /// - Throws: when something else has the name.
    func checkRegular() throws(CaptureError) {
        guard let entry = SystemCalls.linkStatus(of: path), !Self.isRegular(entry) else { return }
        throw refusal("is not a regular file", advice: "Name a new file.")
    }

    static func isRegular(_ entry: stat) -> Bool { entry.st_mode & S_IFMT == S_IFREG }

    /// Whether a regular file of this name is replaced.
    var mayReplace: Bool { replaces || isEarlierRun }

    private var isEarlierRun: Bool {
        guard case .refreshed(let beginning) = kind else { return false }
        return FileSystem.contents(of: path, limit: beginning.utf8.count) == Array(beginning.utf8)
    }

    private func refusal(_ reason: String, advice: String) -> CaptureError {
        CaptureError(.system(EEXIST), file: path, reason, advice: advice)
    }

    /// Why it cannot be written.
    package func error(_ number: CInt) -> CaptureError {
        CaptureError(
            .system(number), file: path, "cannot be written: \(SystemCalls.message(number))",
            advice: CaptureError.advice(writing: number))
    }
}
