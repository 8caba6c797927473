import AttlasCapture
import Glibc

/// Gives back what `sudo` gave: a socket that is open stays so, and everything behind it, most of all what is read from the air,
/// is done with the rights of who called. Recordings are theirs, too.
struct Privileges {
    /// The C functions of the same names, so that a test can play the kernel.
    struct System {
        var effectiveUser: () -> uid_t = { geteuid() }
        var environment: (String) -> String? = { SystemCalls.environment($0) }
        /// The groups of the user with this number, whose own group is given; none when nobody has the number.
        var setGroups: (uid_t, gid_t) -> CInt = { SystemCalls.setGroups(of: $0, $1) }
        // From root, these set the real, the effective and the saved number.
        var setGroup: (gid_t) -> CInt = { setgid($0) }
        var setUser: (uid_t) -> CInt = { setuid($0) }
        var setOwner: (CInt, uid_t, gid_t) -> CInt = { fchown($0, $1, $2) }
    }

    var system = System()

    /// - Throws: When the rights cannot be given back: nothing is to be read with them.
    func returnToCaller() throws(CaptureError) {
        guard let (user, group) = caller else { return }
        // The user last, who may do none of the others.
        guard system.setGroups(user, group) == 0, system.setGroup(group) == 0, system.setUser(user) == 0,
            system.effectiveUser() == user
        else {
            throw CaptureError(
                .system(errno), file: "sudo", "root privileges cannot be dropped: \(SystemCalls.message(errno))",
                advice: "Grant attlas CAP_NET_RAW instead, and run it without sudo.")
        }
    }

    /// A file that was made while the rights are still root's, as they are for files and pipes, is the caller's.
    func giveToCaller(_ descriptor: CInt) {
        guard let (user, group) = caller else { return }
        _ = system.setOwner(descriptor, user, group)
    }

    /// Who called sudo.
    private var caller: (user: uid_t, group: gid_t)? {
        guard system.effectiveUser() == 0,
            let user = system.environment("SUDO_UID").flatMap({ uid_t($0) }), user != 0,
            let group = system.environment("SUDO_GID").flatMap({ gid_t($0) })
        else { return nil }
        return (user, group)
    }
}
