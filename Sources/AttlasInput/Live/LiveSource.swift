import AttlasCapture

/// Where packets come from as they happen. Each one becomes a capture's octets, so that everything behind it is the same.
public enum LiveSource: Sendable {
    /// The Linux HCI monitor: every controller, or the one with this index.
    case monitor(controller: UInt16?)
    /// A device of libpcap.
    case device(String)
    /// A file that another program writes.
    case growing(path: String)
    /// A pipe; `-` is standard input.
    case pipe(path: String)

    /// A device that libpcap can listen to, with libpcap's words about it.
    public struct Device: Sendable {
        public let name: String
        public let description: String?
    }

    /// What is to be done around the opening and every read of the source: each may take as long as nothing happens.
    public struct Wait {
        public let begin: () -> Void
        public let end: () -> Void

        public init(begin: @escaping () -> Void, end: @escaping () -> Void) {
            self.begin = begin
            self.end = end
        }
    }

    public static func devices() throws(CaptureError) -> [Device] { try PacketDevice.list() }

    func open() throws(CaptureError) -> ByteSource {
        switch self {
        case .monitor(let controller):
            let socket = try MonitorSocket(controller: controller)
            try Privileges().returnToCaller()
            return ByteSource(name: "HCI monitor", read: socket.read)
        case .device(let name):
            let device = try PacketDevice(name: name)
            try Privileges().returnToCaller()
            return ByteSource(name: name, read: device.read)
        case .growing(let path):
            let file = try FollowedFile(path: path)
            return ByteSource(name: path, read: file.read)
        case .pipe(let path): return try ByteSource(path: path)
        }
    }
}

extension LiveSource {
    /// A named pipe opens when somebody writes to it.
    fileprivate func open(_ wait: Wait) throws(CaptureError) -> ByteSource {
        wait.begin()
        defer { wait.end() }
        return try open()
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
    /// What is happening, of which `first` gives the reader.
    ///
    /// A growing file ends when it is replaced or cut, as a log does that is rotated: open it again.
    /// - Parameter whenOpen: called when the source is open. What needed root's rights is done then, and under sudo they are given
    ///   back: files that it makes belong to the calling user.
    public init(
        live source: LiveSource, wait: LiveSource.Wait, whenOpen: () throws(CaptureError) -> Void = {}
    ) throws(CaptureError) {
        let octets = try source.open(wait)
        try whenOpen()
        self.init(InputBuffer(octets.surrounded(by: wait)))
    }

    /// - Throws: When there is more than the one capture that was read, or something is wrong with what is around it.
    public mutating func requireEnd() throws(CaptureError) {
        guard let other = try next() else { return }
        throw CaptureError(
            .unsupported, file: name, "live reads one capture; another, \(other.info.file), is not read",
            advice: "Save the input to a file, and use attlas show.")
    }
}
