import Glibc

/// Calls of the C library that take or give memory, wrapped in functions that cannot be misused. Everybody else's `read` and
/// `write` is this one.
package enum SystemCalls {
    // MARK: Descriptors

    /// The corresponding C function is `open`: -1 and `errno` when it fails.
    package static func open(_ path: String, _ flags: CInt, mode: mode_t = 0) -> CInt {
        unsafe Glibc.open(path, flags | O_CLOEXEC, mode)
    }

    /// Appends what one call of the C function `read` gives to `buffer`, as much as there is room for: 0 at the end, -1 and `errno`
    /// when it fails.
    package static func read(_ descriptor: CInt, into buffer: inout OutputSpan<UInt8>) -> Int {
        unsafe buffer.withUnsafeMutableBufferPointer { buffer, count in
            let free = unsafe UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[count...])
            let read = unsafe Glibc.read(descriptor, free.baseAddress, free.count)
            count += max(0, read)
            return read
        }
    }

    /// The corresponding C function is `write`: how many octets it took, -1 and `errno` when it fails.
    package static func write(_ descriptor: CInt, _ octets: Span<UInt8>) -> Int {
        unsafe octets.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
    }

    /// Waits until a descriptor can be read (POLLIN) or written (POLLOUT). The corresponding C function is `poll`.
    ///
    /// - Parameter milliseconds: the longest wait; -1 is any.
    @discardableResult
    package static func wait(for events: CInt, of descriptor: CInt, milliseconds: CInt = -1) -> CInt {
        var entry = pollfd(fd: descriptor, events: Int16(events), revents: 0)
        return unsafe poll(&entry, 1, milliseconds)
    }

    /// Columns of a terminal; nil if the descriptor is none.
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

    /// Of a symbolic link itself. The corresponding C function is `lstat`; nil if it fails.
    package static func linkStatus(of path: String) -> stat? {
        var status = stat()
        return unsafe lstat(path, &status) == 0 ? status : nil
    }

    /// The corresponding C function is `fstat`; nil if it fails.
    package static func status(of descriptor: CInt) -> stat? {
        var status = stat()
        return unsafe fstat(descriptor, &status) == 0 ? status : nil
    }

    /// Octets of a file that can be read again from its beginning; nil if it is none.
    package static func regularFileSize(_ path: String) -> Int? {
        guard let status = status(of: path), status.st_mode & S_IFMT == S_IFREG else { return nil }
        return Int(status.st_size)
    }

    package static func isFolder(_ path: String) -> Bool {
        status(of: path).map { $0.st_mode & S_IFMT == S_IFDIR } ?? false
    }

    /// What is in a folder, in no order; nil if it cannot be opened. The corresponding C functions are `opendir` and `readdir`.
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
    package static func rename(_ path: String, to other: String) -> CInt { unsafe Glibc.rename(path, other) }

    /// Opens a new file that has no name in a folder: -1 and `errno` when it fails. The corresponding C function is `open` with
    /// O_TMPFILE.
    package static func openNameless(in folder: String) -> CInt {
        open(folder, O_WRONLY | __O_TMPFILE | O_DIRECTORY, mode: 0o600)
    }

    /// Gives a file its name; EEXIST when it is taken. The corresponding C function is `linkat`.
    package static func link(_ descriptor: CInt, to path: String) -> CInt {
        unsafe linkat(AT_FDCWD, "/proc/self/fd/\(descriptor)", AT_FDCWD, path, AT_SYMLINK_FOLLOW)
    }

    // MARK: The process

    /// What the C library calls an `errno`.
    package static func message(_ number: CInt) -> String { unsafe String(cString: strerror(number)) }

    package static func environment(_ name: String) -> String? {
        unsafe getenv(name).map { unsafe String(cString: $0) }
    }

    /// A name next to a file that nothing has yet: for what is written until it is complete.
    package static func unusedName(for path: String) -> String {
        var number = 1
        while true {
            let name = path + (number == 1 ? ".new" : ".new\(number)")
            if linkStatus(of: name) == nil { return name }
            number += 1
        }
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

    /// The most memory that this process had is from here on what it has now. proc(5), /proc/PID/clear_refs.
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

    /// Sets the groups of the user with this number, whose own group is given; none when nobody has the number. 0, or -1 and `errno`.
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
