import AttlasCapture
import CConfinement
import Glibc

/// Privileges that the process drops before it reads untrusted input.
package struct Privileges {
    typealias Account = (user: uid_t, group: gid_t)

    /// The C functions of the same names, so that a test can play the kernel.
    struct System {
        var effectiveUser: () -> uid_t = { geteuid() }
        var environment: (String) -> String? = { SystemCalls.environment($0) }
        var account: (String) -> Account? = { SystemCalls.account(of: $0) }
        /// Owner of a file or folder.
        var owner: (String) -> Account? = { SystemCalls.status(of: $0).map { ($0.st_uid, $0.st_gid) } }
        /// The groups of the user with this number, whose own group is given; none if no user has the number.
        var setGroups: (uid_t, gid_t) -> CInt = { SystemCalls.setGroups(of: $0, $1) }
        // From root, these set the real, the effective and the saved number.
        var setGroup: (gid_t) -> CInt = { setgid($0) }
        var setUser: (uid_t) -> CInt = { setuid($0) }
        var setOwner: (CInt, uid_t, gid_t) -> CInt = { fchown($0, $1, $2) }
        var dropCapabilities: () -> CInt = { confinement_drop_capabilities() }
    }

    var system = System()

    package init() {}

    /// With other calls than the C library's.
    init(system: System) { self.system = system }

    /// Without root's rights and without capabilities; sockets that are open stay so.
    /// - Parameters:
    ///   - name: the user to drop privileges to; nil for the user of sudo, or else the owner of `folder`, or else `nobody`.
    ///   - folder: of the recording.
    /// - Returns: the message for a user who did not request it.
    /// - Throws: When they cannot be given up: nothing is to be read with them.
    package func giveUp(for name: String?, _ folder: String?) throws(CaptureError) -> String? {
        var notice: String?
        if system.effectiveUser() == 0 {
            let account: Account
            if let name {
                guard let named = system.account(name) else {
                    throw CaptureError(.system(0), file: "--run-as", "there is no user \(name)")
                }
                account = named
            } else if let caller {
                account = caller
            } else {
                account = folder.flatMap(system.owner).flatMap { $0.user == 0 ? nil : $0 } ?? nobody
                notice = "continues as user \(account.user) instead of root; --run-as chooses another user."
            }
            // The user last, because a user cannot change the others.
            guard system.setGroups(account.user, account.group) == 0, system.setGroup(account.group) == 0,
                system.setUser(account.user) == 0, system.effectiveUser() == account.user
            else { throw Self.failure("root privileges") }
        } else if name != nil {
            throw CaptureError(.system(0), file: "--run-as", "only root can become another user")
        }
        // Capabilities given by setcap, or of root.
        guard system.dropCapabilities() == 0 else { throw Self.failure("capabilities") }
        return notice
    }

    /// A file that was made while the rights are still root's, as they are for files and pipes, is the caller's.
    func giveToCaller(_ descriptor: CInt) {
        guard let (user, group) = caller else { return }
        _ = system.setOwner(descriptor, user, group)
    }

    /// Who called sudo.
    private var caller: Account? {
        guard system.effectiveUser() == 0,
            let user = system.environment("SUDO_UID").flatMap({ uid_t($0) }), user != 0,
            let group = system.environment("SUDO_GID").flatMap({ gid_t($0) })
        else { return nil }
        return (user, group)
    }

    /// A number where the system does not know the name.
    private var nobody: Account { system.account("nobody") ?? (65_534, 65_534) }

    private static func failure(_ what: String) -> CaptureError {
        CaptureError(
            .system(errno), file: "attlas", "\(what) cannot be dropped: \(SystemCalls.message(errno))",
            advice: "Grant attlas CAP_NET_RAW instead, and run it without sudo.")
    }

    // MARK: Confinement

    /// Gives up capabilities if it is not root, which may need them to read a file, then all files except those of `FilesRead` and of the
    /// system's tables, and all system calls except those of decoding. Restrictions that the kernel lacks are left out.
    ///
    /// - Parameters:
    ///   - outputs: where files may be written all the same.
    ///   - followsFiles: whether files may be replaced while they are read, as rotated logs are.
    package static func confine(_ outputs: [OutputPath] = [], followsFiles: Bool = false) {
        if geteuid() != 0 { _ = confinement_drop_capabilities() }
        confineFiles(outputs, followsFiles)
        let owner = Privileges().caller ?? (.max, .max)
        _ = confinement_restrict_calls(outputs.contains { $0.folder != nil } ? 1 : 0, owner.user, owner.group)
    }

    private static func confineFiles(_ outputs: [OutputPath], _ followsFiles: Bool) {
        let list = confinement_begin_files()
        guard list >= 0 else { return }
        func allow(_ path: String, _ access: confinement_access) {
            unsafe confinement_allow_files(list, path, CInt(access.rawValue))
        }
        for file in FilesRead.all {
            allow(file, CONFINEMENT_READ)
            if followsFiles, SystemCalls.regularFileSize(file) != nil {
                allow(OutputPath(file, .recording).folder ?? ".", CONFINEMENT_READ)
            }
        }
        for output in outputs {
            guard let folder = output.folder else { continue }
            allow(folder, CONFINEMENT_WRITE)
            if case .scratch = output.kind {
                allow(OutputPath(folder, .recording).folder ?? ".", CONFINEMENT_REMOVE_FOLDER)
            }
            // A complete file is only written. Others are also read, for their former contents.
            if case .whole = output.kind { continue }
            allow(folder, CONFINEMENT_READ)
        }
        for path in systemFiles { allow(path, CONFINEMENT_READ) }
        allow("/dev/tty", CONFINEMENT_TERMINAL)
        // For `bench`, which has the kernel forget the peak of its memory.
        allow("/proc/self/clear_refs", CONFINEMENT_WRITE)
        _ = confinement_restrict_files(list)
    }

    /// Public tables that the C library and ncurses read: this process and the processors, time zones, locales and terminals.
    private static var systemFiles: [String] {
        [
            "/proc/self", "/sys/devices/system/cpu", "/etc/localtime", "/usr/share/zoneinfo", "/usr/lib/locale",
            "/usr/share/locale",
            "/dev/urandom",
            "/etc/terminfo", "/lib/terminfo", "/usr/share/terminfo", "/usr/lib/terminfo",
            SystemCalls.environment("TERMINFO"), SystemCalls.environment("TZDIR"),
            SystemCalls.environment("HOME").map { $0 + "/.terminfo" },
        ].compactMap(\.self)
    }
}
