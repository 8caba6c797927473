import AttlasCapture
import Glibc

/// A file that has its name when it is complete. Until then it has none, or a hidden one where the file system has no files without a
/// name: a killed process leaves nothing there, or a file that the next one to write the same name removes.
///
/// Made by this process, for its user alone unless `mode` differs, and locked as long as it is open.
package final class NewFile {
    package let path: OutputPath
    package private(set) var descriptor: CInt
    /// The hidden name; nil for a file without a name.
    private var hidden: String?
    private var cleanup: Cleanup?

    /// The file system's calls, so that a test can simulate one that has no files without a name.
    struct System: Sendable {
        var openNameless: @Sendable (String, CInt, mode_t) -> CInt = { SystemCalls.openNameless(in: $0, $1, mode: $2) }
    }

    package convenience init(_ path: OutputPath, mode: mode_t = 0o600) throws(CaptureError) {
        try self.init(path, mode: mode, System())
    }

    /// - Throws: An error of the kind EEXIST when the name is taken.
    init(_ path: OutputPath, mode: mode_t = 0o600, _ system: System) throws(CaptureError) {
        self.path = path
        descriptor = -1
        try path.check()
        try path.checkRegular()
        let isPossible = SystemCalls.linkStatus(of: "/proc/self/fd") != nil
        if isPossible { descriptor = system.openNameless(path.folder ?? ".", path.access, mode) }
        if descriptor < 0 { openHidden(mode) }
        guard descriptor >= 0 else { throw path.error(errno) }
        _ = flock(descriptor, LOCK_EX | LOCK_NB)
        // Files and pipes are read with the rights of root, with or without sudo.
        Privileges().giveToCaller(descriptor)
    }

    deinit {
        discard()
    }

    /// The names that it may take while it is written.
    private var hiddenName: String {
        let suffix = ".attlas-partial"
        var name = ".\(path.name)"
        while name.utf8.count + suffix.utf8.count > NAME_MAX { name.removeLast() }
        return "\(path.folder ?? ".")/\(name)\(suffix)"
    }

    private func openHidden(_ mode: mode_t) {
        let name = hiddenName
        descriptor = SystemCalls.open(name, path.access | O_CREAT | O_EXCL | O_NOFOLLOW, mode: mode)
        if descriptor < 0, errno == EEXIST, Self.removeLeftover(name) {
            descriptor = SystemCalls.open(name, path.access | O_CREAT | O_EXCL | O_NOFOLLOW, mode: mode)
        }
        if descriptor >= 0 { hide(as: name) }
    }

    private func hide(as name: String) {
        hidden = name
        cleanup = Cleanup { SystemCalls.remove(name) }
    }

    /// Removes the file of a killed process. One that is locked is being written.
    private static func removeLeftover(_ name: String) -> Bool {
        let other = SystemCalls.open(name, O_WRONLY | O_NOFOLLOW | O_NONBLOCK)
        guard other >= 0 else { return false }
        defer { close(other) }
        guard flock(other, LOCK_EX | LOCK_NB) == 0 else {
            errno = EBUSY
            return false
        }
        return SystemCalls.remove(name) == 0
    }

    /// Writes everything to the disk, gives the file its name and closes it.
    package func complete() throws(CaptureError) {
        // Not every file system can (EINVAL).
        if fsync(descriptor) != 0, errno != EINVAL, errno != EROFS {
            let number = errno
            discard()
            throw path.error(number)
        }
        try appear()
        discard()
    }

    /// Gives the file its name; it stays open.
    func appear() throws(CaptureError) {
        do throws(CaptureError) {
            // The name may have been taken, and more may be read than was known when it began.
            try path.check()
            guard name() else { throw path.error(errno) }
        } catch {
            discard()
            throw error
        }
        hidden = nil
        cleanup?.isDone()
    }

    private func name() -> Bool {
        // One that appeared since the check is not replaced.
        let mayReplace = path.mayReplace && SystemCalls.linkStatus(of: path.path).map(OutputPath.isRegular) ?? false
        if hidden == nil {
            if !mayReplace { return SystemCalls.link(descriptor, to: path.path) == 0 }
            // A file without a name cannot replace one.
            let name = hiddenName
            if SystemCalls.link(descriptor, to: name) != 0 {
                guard errno == EEXIST, Self.removeLeftover(name), SystemCalls.link(descriptor, to: name) == 0 else {
                    return false
                }
            }
            hide(as: name)
        }
        guard let hidden else { return false }
        return mayReplace
            ? SystemCalls.rename(hidden, to: path.path) == 0
            : SystemCalls.rename(hidden, toNew: path.path) == 0
    }

    /// Closes the file; one that has no name yet is gone.
    package func discard() {
        if let hidden { SystemCalls.remove(hidden) }
        hidden = nil
        cleanup?.isDone()
        if descriptor >= 0 { close(descriptor) }
        descriptor = -1
    }
}
