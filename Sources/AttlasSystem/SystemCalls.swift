// The core imports the C library here and nowhere else: `CoreTests`.
#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Calls of the C library that take or give memory, wrapped in functions that cannot be misused. Everybody else's `read` and
/// `write` is this one.
package enum SystemCalls {
    // MARK: Descriptors

    /// The corresponding C function is `open`: -1 and `errno` when it fails.
    package static func open(_ path: String, _ flags: CInt, mode: mode_t = 0) -> CInt {
        openFile(path, flags | O_CLOEXEC, mode)
    }

    /// Appends the result of one call of the C function `read` to `buffer`, as much as there is room for: 0 at the end, -1 and `errno` when
    /// it fails.
    package static func read(_ descriptor: CInt, into buffer: inout OutputSpan<UInt8>) -> Int {
        unsafe buffer.withUnsafeMutableBufferPointer { buffer, count in
            let free = unsafe UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[count...])
            let read = unsafe readOctets(descriptor, free.baseAddress, free.count)
            count += max(0, read)
            return read
        }
    }

    /// The corresponding C function is `write`: how many octets it took, -1 and `errno` when it fails.
    package static func write(_ descriptor: CInt, _ octets: Span<UInt8>) -> Int {
        unsafe octets.withUnsafeBytes { unsafe writeOctets(descriptor, $0.baseAddress, $0.count) }
    }

    /// Opens a file to be read: its descriptor, or the `errno`. A signal that requests no end repeats it.
    package static func openForReading(_ path: String, _ isInterrupted: () -> Bool) -> Result<CInt, Failure> {
        let descriptor = repeating(isInterrupted) { open(path, O_RDONLY) }
        return descriptor >= 0 ? .success(descriptor) : .failure(Failure(number: errno))
    }

    /// As `read`, and waits for a descriptor that another process made non-blocking; nil when it succeeds, or when a signal requests the
    /// end.
    package static func readWaiting(
        _ descriptor: CInt, into buffer: inout OutputSpan<UInt8>, _ isInterrupted: () -> Bool
    ) -> Failure? {
        while true {
            let count = repeating(isInterrupted) { read(descriptor, into: &buffer) }
            if count >= 0 || errno == EINTR { return nil }
            guard errno == EAGAIN else { return Failure(number: errno) }
            _ = repeating(isInterrupted) { wait(for: CInt(POLLIN), of: descriptor) }
        }
    }

    /// Makes the call again when a signal came between, unless the signal requests an end.
    private static func repeating<Value: SignedInteger>(_ isInterrupted: () -> Bool, _ call: () -> Value) -> Value {
        while true {
            let value = call()
            if value >= 0 || errno != EINTR || isInterrupted() { return value }
        }
    }

    /// The corresponding C function is `lseek`, from the beginning.
    package static func seek(_ descriptor: CInt, to offset: UInt64) -> Failure? {
        lseek(descriptor, off_t(offset), SEEK_SET) >= 0 ? nil : Failure(number: errno)
    }

    package static func close(_ descriptor: CInt) { closeFile(descriptor) }

    /// Waits until a descriptor can be read (POLLIN) or written (POLLOUT). The corresponding C function is `poll`.
    ///
    /// - Parameter milliseconds: the longest wait; -1 is any.
    @discardableResult
    package static func wait(for events: CInt, of descriptor: CInt, milliseconds: CInt = -1) -> CInt {
        var entry = pollfd(fd: descriptor, events: Int16(events), revents: 0)
        return unsafe poll(&entry, 1, milliseconds)
    }

    /// Columns of a terminal; nil if the descriptor is not a terminal.
    package static func terminalColumns(_ descriptor: CInt) -> Int? {
        var size = winsize()
        guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }

    /// The corresponding C function is `stat`; nil if it fails.
    package static func status(of path: String) -> stat? {
        var status = stat()
        return unsafe stat(path, &status) == 0 ? status : nil
    }

    /// Status of a symbolic link itself. The corresponding C function is `lstat`; nil if it fails.
    package static func linkStatus(of path: String) -> stat? {
        var status = stat()
        return unsafe lstat(path, &status) == 0 ? status : nil
    }

    /// The corresponding C function is `fstat`; nil if it fails.
    package static func status(of descriptor: CInt) -> stat? {
        var status = stat()
        return unsafe fstat(descriptor, &status) == 0 ? status : nil
    }

    /// Octets of a file that can be read again from its beginning; nil for other files.
    package static func regularFileSize(_ path: String) -> Int? {
        guard let status = status(of: path), status.st_mode & S_IFMT == S_IFREG else { return nil }
        return Int(status.st_size)
    }

    /// Octets of an open regular file; nil for other files.
    package static func regularFileSize(_ descriptor: CInt) -> UInt64? {
        guard let status = status(of: descriptor), status.st_mode & S_IFMT == S_IFREG else { return nil }
        return UInt64(clamping: status.st_size)
    }

    package static func isFolder(_ path: String) -> Bool {
        status(of: path).map { $0.st_mode & S_IFMT == S_IFDIR } ?? false
    }

    /// The names in a folder, in no order; nil if it cannot be opened. The corresponding C functions are `opendir` and `readdir`.
    package static func names(inFolder path: String) -> [String]? {
        guard let stream = unsafe opendir(path) else { return nil }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        while let entry = unsafe readdir(stream) {
            let start = unsafe UnsafeRawPointer(entry).advanced(by: nameOffset)
            let name = unsafe String(cString: start.assumingMemoryBound(to: CChar.self))
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    private static let nameOffset = MemoryLayout<dirent>.offset(of: \.d_name) ?? 0

    /// The corresponding C function is `getcwd`; nil if it fails.
    package static func currentFolder() -> String? {
        guard let path = unsafe getcwd(nil, 0) else { return nil }
        defer { unsafe free(path) }
        return unsafe String(cString: path)
    }

    /// Removes a file. The corresponding C function is `unlink`.
    @discardableResult
    package static func remove(_ path: String) -> CInt { unsafe unlink(path) }

    /// Gives a file another name, which may be taken. The corresponding C function is `rename`.
    package static func rename(_ path: String, to other: String) -> CInt { renameFile(path, other) }

    // MARK: The process

    /// An `errno`, grouped by how to handle it.
    package struct Failure: Error, Equatable {
        package let number: CInt

        package enum Kind { case missing, denied, folder, noThread, full, tooLarge, broken, closed, interrupted }

        package init(number: CInt) { self.number = number }

        /// The number that means it.
        package init(_ kind: Kind) {
            number =
                switch kind {
                case .missing: ENOENT
                case .denied: EACCES
                case .folder: EISDIR
                case .noThread: EAGAIN
                case .full: ENOSPC
                case .tooLarge: EFBIG
                case .broken: EIO
                case .closed: EBADF
                case .interrupted: EINTR
                }
        }

        package var kind: Kind? {
            switch number {
            case ENOENT: .missing
            case EACCES, EPERM: .denied
            case EISDIR: .folder
            case EAGAIN: .noThread
            case ENOSPC, EDQUOT: .full
            case EFBIG: .tooLarge
            case EIO: .broken
            case EBADF: .closed
            case EINTR: .interrupted
            default: nil
            }
        }
    }

    /// The C library's message for an `errno`.
    package static func message(_ number: CInt) -> String { unsafe String(cString: strerror(number)) }

    package static func environment(_ name: String) -> String? {
        unsafe getenv(name).map { unsafe String(cString: $0) }
    }

    // MARK: Time

    /// The corresponding C function is `clock_gettime`.
    package static func time(_ clock: clockid_t) -> timespec {
        var time = timespec()
        _ = unsafe clock_gettime(clock, &time)
        return time
    }

    /// Nanoseconds since some moment.
    package static func nanoseconds(_ clock: clockid_t) -> Int64 {
        let time = time(clock)
        return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }

    /// A moment in seconds since 1970, in UTC, as file names have it: `20261121T064145Z`. The corresponding C function is `strftime`.
    package static func utcName(of seconds: Int64) -> String { utcTime(of: seconds, "%Y%m%dT%H%M%SZ") }

    /// The same in any format of `strftime`; empty for a year that the C library does not reach.
    package static func utcTime(of seconds: Int64, _ format: String) -> String {
        var seconds = time_t(seconds)
        var parts = unsafe tm()
        var text = [CChar](repeating: 0, count: 32)
        guard unsafe gmtime_r(&seconds, &parts) != nil else { return "" }
        let count = unsafe strftime(&text, text.count, format, &parts)
        return String(decoding: text[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Seconds east of Greenwich, and the zone's name, at a moment in seconds since 1970; nil for a year that the C library does
    /// not reach. The corresponding C function is `localtime_r`.
    package static func localTime(at seconds: Int64) -> (offset: Int64, zone: String)? {
        var seconds = time_t(seconds)
        var parts = unsafe tm()
        guard unsafe localtime_r(&seconds, &parts) != nil else { return nil }
        return unsafe (Int64(parts.tm_gmtoff), parts.tm_zone.map { unsafe String(cString: $0) } ?? "")
    }
}

#if os(Linux)
    /// Calls that only the command makes, with Linux's means.
    extension SystemCalls {
        /// Opens a new file that has no name in a folder: -1 and `errno` when it fails. The corresponding C function is `open` with
        /// O_TMPFILE.
        package static func openNameless(in folder: String, _ access: CInt = O_WRONLY, mode: mode_t = 0o600) -> CInt {
            open(folder, access | __O_TMPFILE | O_DIRECTORY, mode: mode)
        }

        /// A descriptor that can be read when the file was written to; -1 if the kernel does not report that. The corresponding C functions
        /// are `inotify_init1` and `inotify_add_watch`.
        package static func watch(_ path: String) -> CInt {
            let descriptor = inotify_init1(CInt(IN_CLOEXEC | IN_NONBLOCK))
            guard descriptor >= 0, unsafe inotify_add_watch(descriptor, path, UInt32(IN_MODIFY)) < 0 else {
                return descriptor
            }
            close(descriptor)
            return -1
        }

        /// Makes a folder whose name ends in other letters than these six X; nil and `errno` when it fails. The corresponding C function is
        /// `mkdtemp`.
        package static func makeFolder(like path: String) -> String? {
            var name = path.utf8CString.map { $0 }
            return unsafe mkdtemp(&name).map { unsafe String(cString: $0) }
        }

        /// Gives a file its name; EEXIST when it is taken. The corresponding C function is `linkat`.
        package static func link(_ descriptor: CInt, to path: String) -> CInt {
            unsafe linkat(AT_FDCWD, "/proc/self/fd/\(descriptor)", AT_FDCWD, path, AT_SYMLINK_FOLLOW)
        }

        /// Gives a file another name, which must not be taken (EEXIST). The corresponding C function is `link`.
        package static func rename(_ path: String, toNew other: String) -> CInt {
            if linkFile(path, other) == 0 { return remove(path) }
            // Not every file system has links.
            return errno == EPERM && linkStatus(of: other) == nil ? rename(path, to: other) : -1
        }

        /// Overwrites an argument of the process from an octet on: `ps` and /proc/PID/cmdline show the new text.
        package static func hideArgument(_ index: Int, from offset: Int = 0) {
            guard index < Int(CommandLine.argc), let argument = unsafe CommandLine.unsafeArgv[index] else { return }
            let length = unsafe strlen(argument)
            if offset < length { unsafe _ = memset(argument + offset, CInt(UInt8(ascii: "*")), length - offset) }
        }

        /// The corresponding C function is `setrlimit`.
        package static func forbidCoreDumps() {
            var none = rlimit()
            _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
        }

        /// Sets the peak of this process's memory to its current use. proc(5), /proc/PID/clear_refs.
        package static func forgetPeakMemory() {
            let file = open("/proc/self/clear_refs", O_WRONLY)
            guard file >= 0 else { return }
            _ = write(file, [UInt8(ascii: "5")].span)
            close(file)
        }

        /// The numbers of a user and of its group; nil for a name that the system does not know. The corresponding C function is
        /// `getpwnam_r`.
        package static func account(of name: String) -> (user: uid_t, group: gid_t)? {
            var entry = unsafe passwd()
            var found: UnsafeMutablePointer<passwd>?
            var buffer = [CChar](repeating: 0, count: 16_384)
            guard unsafe getpwnam_r(name, &entry, &buffer, buffer.count, &found) == 0, let found = unsafe found else {
                return nil
            }
            return unsafe (found.pointee.pw_uid, found.pointee.pw_gid)
        }

        /// Sets the groups of the user with this number, whose own group is given; none if no user has the number. 0, or -1 and `errno`.
        package static func setGroups(of user: uid_t, _ group: gid_t) -> CInt {
            var entry = unsafe passwd()
            var found: UnsafeMutablePointer<passwd>?
            var buffer = [CChar](repeating: 0, count: 16_384)
            guard unsafe getpwuid_r(user, &entry, &buffer, buffer.count, &found) == 0, let found = unsafe found else {
                return setgroups(0, nil)
            }
            return unsafe initgroups(found.pointee.pw_name, group)
        }

        /// Octets that were resident at most so far. The corresponding C function is `getrusage`.
        package static var peakMemory: Int {
            var usage = rusage()
            _ = unsafe getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
            return usage.ru_maxrss * 1_024
        }
    }
#endif

// Under other names, because the functions above hide C's.

private func openFile(_ path: String, _ flags: CInt, _ mode: mode_t) -> CInt { unsafe open(path, flags, mode) }

private func readOctets(_ descriptor: CInt, _ octets: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    unsafe read(descriptor, octets, count)
}

private func writeOctets(_ descriptor: CInt, _ octets: UnsafeRawPointer?, _ count: Int) -> Int {
    unsafe write(descriptor, octets, count)
}

private func renameFile(_ path: String, _ other: String) -> CInt { unsafe rename(path, other) }

private func linkFile(_ path: String, _ other: String) -> CInt { unsafe link(path, other) }

private func closeFile(_ descriptor: CInt) { close(descriptor) }

/// Functions of the C library for numbers.
package enum Mathematics {
    package static func pow(_ base: Double, _ exponent: Double) -> Double { power(base, exponent) }
    package static func exp(_ number: Double) -> Double { exponential(number) }
    package static func exp2(_ number: Double) -> Double { binaryExponential(number) }
    package static func ln(_ number: Double) -> Double { logarithm(number) }
    package static func log2(_ number: Double) -> Double { binaryLogarithm(number) }
    package static func log10(_ number: Double) -> Double { decimalLogarithm(number) }
}

private func power(_ base: Double, _ exponent: Double) -> Double { pow(base, exponent) }
private func exponential(_ number: Double) -> Double { exp(number) }
private func binaryExponential(_ number: Double) -> Double { exp2(number) }
private func logarithm(_ number: Double) -> Double { log(number) }
private func binaryLogarithm(_ number: Double) -> Double { log2(number) }
private func decimalLogarithm(_ number: Double) -> Double { log10(number) }

/// Access to the files of a project.
package enum FileSystem {
    /// The corresponding C function is `stat`.
    package static func exists(_ path: String) -> Bool {
        var status = stat()
        return unsafe stat(path, &status) == 0
    }

    /// The names in and below a folder, as paths from there, in no order. Symbolic links are not followed. The corresponding C functions
    /// are `opendir` and `readdir`.
    package static func names(below folder: String) -> [String] {
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

    /// The first `limit` octets of a regular file; nil if it is another kind of file or cannot be read. The corresponding C functions are
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
