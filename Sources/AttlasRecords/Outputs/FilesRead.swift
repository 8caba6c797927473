import AttlasCapture
import AttlasLocks
import Glibc

/// Which file it is, by whatever name.
package struct FileIdentity: Equatable {
    private let device: dev_t
    private let inode: ino_t

    package init(_ status: stat) {
        device = status.st_dev
        inode = status.st_ino
    }
}

/// The files and folders that this command reads. None of them is written to, and once it is confined it can read no others.
package enum FilesRead {
    private static let paths = Locked<[String]>([])

    /// Notes a path of the command line: the transform of every option and argument that names a file to read.
    @discardableResult
    package static func note(_ path: String) -> String {
        paths.withLock { $0.append(path) }
        return path
    }

    package static var all: [String] { paths.withLock { $0 }.map(file) }

    /// The file to open for a path: for `a.zip!/b`, the archive.
    package static func file(of path: String) -> String {
        if path == "-" { return "/dev/stdin" }
        guard SystemCalls.linkStatus(of: path) == nil, let end = path.firstRange(of: "!/") else { return path }
        return String(path[..<end.lowerBound])
    }

    /// Whether a file is one of them, by whatever name. Character devices may be read and written.
    static func contain(_ path: String) -> Bool {
        let files = all
        guard let status = SystemCalls.status(of: path) else { return files.contains(path) }
        if status.st_mode & S_IFMT == S_IFCHR { return false }
        let identity = FileIdentity(status)
        return files.contains { SystemCalls.status(of: $0).map { FileIdentity($0) == identity } ?? false }
    }
}
