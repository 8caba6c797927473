import Glibc

/// The calls of the C library that the files of a project take. Those of captures would have to be built once more, for the tool
/// that embeds the definitions.
package enum FileSystem {
    /// The corresponding C function is `stat`.
    package static func exists(_ path: String) -> Bool {
        var status = stat()
        return unsafe stat(path, &status) == 0
    }

    /// What is in and below a folder, by its path from there, in no order. Symbolic links are not followed. The corresponding C
    /// functions are `opendir` and `readdir`.
    static func names(below folder: String) -> [String] {
        var names: [String] = []
        var parents = [""]
        while let parent = parents.popLast() {
            guard let stream = unsafe opendir("\(folder)/\(parent)") else { continue }
            defer { unsafe closedir(stream) }
            while let entry = unsafe readdir(stream) {
                let start = unsafe UnsafeRawPointer(entry).advanced(by: nameOffset)
                let name = unsafe String(cString: start.assumingMemoryBound(to: CChar.self))
                guard name != ".", name != ".." else { continue }
                names.append(parent + name)
                if isFolder("\(folder)/\(parent)\(name)") { parents.append("\(parent)\(name)/") }
            }
        }
        return names
    }

    private static let nameOffset = MemoryLayout<dirent>.offset(of: \.d_name) ?? 0

    /// The corresponding C function is `lstat`.
    private static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return unsafe lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// The first `limit` octets of a regular file; nil if it is none or cannot be read. The corresponding C functions are
    /// `open` and `read`.
    package static func contents(of path: String, limit: Int) -> [UInt8]? {
        // Opening a pipe without a writer would block.
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        var octets: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 1 << 16)
        while octets.count < limit {
            let count = unsafe read(descriptor, &part, min(part.count, limit - octets.count))
            if count == 0 { break }
            if count > 0 { octets += part[..<count] } else if errno != EINTR { return nil }
        }
        return octets
    }
}
