import AttlasCapture
import AttlasInput
import AttlasRecords

/// Where packets come from as they happen. Each one becomes a capture's octets, so that everything after it is the same.
///
/// To add one: a file here that gives the octets of a capture (btsnoop 2001 or pcap through `PendingOctets`) and ends
/// when `Interruption.isRequested`, a case, and a case of `OpenSource.Kind`. `LiveSource.open` opens its sockets and
/// files: after that the process is confined. The compiler names the rest, except:
/// - Its option in `LiveOptions`, with a row of `given` and the message of `validate`.
/// - A test in `LiveTests`, or in Tests/Live/ if it needs a Bluetooth kernel.
/// - The table of Documentation/live.md, and SECURITY.md if it takes privileges.
package enum LiveSource: Sendable {
    /// The Linux HCI monitor: every controller, or the one with this index.
    case monitor(controller: UInt16?)
    /// A device of libpcap.
    case device(String)
    /// A file that another program writes.
    case growing(path: String)
    /// A pipe; `-` is standard input.
    case pipe(path: String)

    /// A device that libpcap can listen to, with libpcap's words about it.
    package struct Device: Sendable {
        package let name: String
        package let description: String?
    }

    /// Actions around the opening and every read of the source: each may block as long as nothing happens.
    package struct Wait {
        package let begin: () -> Void
        package let end: () -> Void

        package init(begin: @escaping () -> Void, end: @escaping () -> Void) {
            self.begin = begin
            self.end = end
        }
    }

    package static func devices() throws(CaptureError) -> [Device] { try PacketDevice.list() }

    /// Opens sources that need privileges, and gives all of them up: to be called before any untrusted input is read. A process that reads
    /// a file or a pipe as root may need to, and stays root.
    /// - Parameters:
    ///   - user: the user to drop root's privileges to; nil for the user of sudo, or else the owner of the folder of the first output, or
    ///     else `nobody`.
    ///   - outputs: files that the process may write from now on.
    package func open(
        as user: String? = nil, writing outputs: [OutputPath] = []
    ) throws(CaptureError) -> OpenSource {
        var source: OpenSource
        switch self {
        case .monitor(let controller):
            let socket = try MonitorSocket(controller: controller)
            source = OpenSource(kind: .monitor(socket))
            source.note(room: socket.room)
        case .device(let name):
            let device = try PacketDevice(name: name)
            source = OpenSource(kind: .device(device, name: name))
            if let room = device.room { source.note(room: room) }
        case .growing(let path): source = OpenSource(kind: .growing(path: path, FileWatch(path)))
        case .pipe(let path): source = OpenSource(kind: .pipe(path: path))
        }
        let folder = outputs.first?.folder
        if source.tookPrivileges, let notice = try Privileges().giveUp(for: user, folder) {
            source.notices.append(notice)
        }
        Privileges.confine(outputs, followsFiles: true)
        return source
    }
}

/// A live source whose socket, if it has one, is open.
package struct OpenSource: Sendable {
    enum Kind {
        case monitor(MonitorSocket)
        case device(PacketDevice, name: String)
        case growing(path: String, FileWatch)
        case pipe(path: String)
    }

    let kind: Kind
    /// Notices for the user before it begins.
    package internal(set) var notices: [String] = []

    init(kind: Kind) {
        self.kind = kind
    }

    fileprivate var tookPrivileges: Bool {
        switch kind {
        case .monitor, .device: true
        case .growing, .pipe: false
        }
    }

    /// - Parameter room: of the socket's buffer, in octets.
    fileprivate mutating func note(room: Int) {
        guard room < MonitorSocket.wantedRoom else { return }
        notices.append(
            """
            the kernel's buffer holds \(room / 1_024) KiB instead of \(MonitorSocket.wantedRoom >> 20) MiB: a burst of packets may \
            be lost. With the capability CAP_NET_ADMIN, or after sudo sysctl net.core.rmem_max=\(MonitorSocket.wantedRoom), it is larger.
            """)
    }

    /// A named pipe opens when a writer opens it.
    fileprivate func octets(_ wait: LiveSource.Wait) throws(CaptureError) -> ByteSource {
        switch kind {
        case .monitor(let socket): return ByteSource(name: "HCI monitor", read: socket.read)
        case .device(let device, let name): return ByteSource(name: name, read: device.read)
        case .growing(let path, let watch):
            wait.begin()
            defer { wait.end() }
            let file = try FollowedFile(path: path, watch)
            return ByteSource(name: path, read: file.read)
        case .pipe(let path):
            wait.begin()
            defer { wait.end() }
            return try ByteSource(path: path)
        }
    }
}

extension ByteSource {
    /// The same source with something done around every read.
    fileprivate consuming func surrounded(by wait: LiveSource.Wait) -> ByteSource {
        let read = read
        return ByteSource(name: name) { buffer in
            wait.begin()
            defer { wait.end() }
            return read(&buffer)
        }
    }
}

extension CaptureSet {
    /// The live captures, whose reader `first` gives.
    ///
    /// A growing file ends when it is replaced or cut, as a log does that is rotated: open it again.
    /// - Parameter whenOpen: called when the source is open.
    init(
        live source: OpenSource, wait: LiveSource.Wait, whenOpen: () throws(CaptureError) -> Void = {}
    ) throws(CaptureError) {
        let octets = try source.octets(wait)
        try whenOpen()
        self.init(InputBuffer(octets.surrounded(by: wait)))
    }

    /// - Throws: When there is more than the one capture that was read, or the data around it is damaged.
    mutating func requireEnd() throws(CaptureError) {
        guard let other = try next() else { return }
        throw CaptureError(
            .unsupported, file: name, "live reads one capture; another, \(other.info.file), is not read",
            advice: "Save the input to a file, and use attlas show.")
    }
}
