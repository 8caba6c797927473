import AttlasCapture
import AttlasInput
import AttlasWire
import CMonitor
import Glibc

/// The Linux HCI monitor socket, as a btsnoop stream (datalink 2001): live data is decoded like every capture.
///
/// It hears all controllers, with the kernel's clock. The records' drop counter has the packets that the kernel dropped.
///
/// It is opened by one thread and read by another one, never by both.
@safe package final class MonitorSocket: @unchecked Sendable {
    /// A burst must fit while the screen is written.
    static let wantedRoom = 16 << 20

    /// Size of the socket's buffer, in octets.
    let room: Int
    private let descriptor: CInt
    private let batch: OpaquePointer
    private var packets = unsafe [monitor_packet](repeating: monitor_packet(), count: Int(MONITOR_BATCH))
    private var pending = PendingOctets()
    /// Only this one's packets, and those of no controller; nil: all.
    private let controller: UInt16?

    package init(controller: UInt16?) throws(CaptureError) {
        self.controller = controller
        descriptor = monitor_open()
        guard descriptor >= 0 else { throw CaptureError(openingMonitor: errno) }
        room = Int(monitor_enlarge(descriptor, CInt(Self.wantedRoom)))
        guard let batch = unsafe monitor_batch_new() else {
            close(descriptor)
            throw CaptureError(openingMonitor: ENOMEM)
        }
        unsafe self.batch = batch
        pending.append("btsnoop\0".utf8)
        pending.append(bigEndian: 1 as UInt32)
        pending.append(bigEndian: LinkType.btsnoopMonitor.rawValue)
    }

    deinit {
        unsafe monitor_batch_free(batch)
        close(descriptor)
    }

    /// Waits until `read` has something, for this number of milliseconds at most.
    package func isReady(within milliseconds: CInt) -> Bool {
        !pending.isEmpty || SystemCalls.wait(for: POLLIN, of: descriptor, milliseconds: milliseconds) > 0
    }

    /// The next octets of the stream; none at the user's wish.
    package func read(into buffer: inout OutputSpan<UInt8>) -> ByteSource.Outcome {
        while pending.isEmpty {
            let count = unsafe packets.withUnsafeMutableBufferPointer {
                unsafe monitor_receive(descriptor, batch, $0.baseAddress)
            }
            if count < 0 {
                guard errno == EINTR else { return .failed(errno) }
                if Interruption.isRequested { return .octets }
                continue
            }
            let drops = monitor_drops(descriptor)
            for place in 0..<Int(count) { unsafe append(packets[place], drops: drops) }
        }
        pending.take(into: &buffer)
        return .octets
    }

    /// One record: BlueZ writes index and opcode as the record's flags.
    private func append(_ packet: monitor_packet, drops: UInt32) {
        // System notes and the like come from no controller.
        if let controller, unsafe packet.index != controller, unsafe packet.index != 0xFFFF { return }
        unsafe pending.append(bigEndian: packet.length)
        unsafe pending.append(bigEndian: packet.length)
        unsafe pending.append(bigEndian: UInt32(packet.index) << 16 | UInt32(packet.opcode))
        pending.append(bigEndian: drops)
        unsafe pending.append(bigEndian: (packet.seconds - Timestamp.yearZero) * 1_000_000 + packet.microseconds)
        unsafe pending.append(UnsafeBufferPointer(start: packet.octets, count: Int(packet.length)))
    }
}

extension CaptureError {
    fileprivate init(openingMonitor number: CInt) {
        let name = "the HCI monitor"
        switch number {
        case EPERM, EACCES:
            self.init(
                .system(number), file: name, "needs the capability CAP_NET_RAW",
                advice: "Run it with sudo, or grant it once with: sudo setcap cap_net_raw=ep \(Self.executable).")
        case EAFNOSUPPORT, EPROTONOSUPPORT:
            self.init(
                .system(number), file: name, "this kernel has no Bluetooth",
                advice: "Load its module with: sudo modprobe bluetooth.")
        default:
            self.init(.system(number), file: name, "cannot be opened: \(SystemCalls.message(number))")
        }
    }

    private static var executable: String {
        var path = [CChar](repeating: 0, count: Int(PATH_MAX))
        let length = unsafe readlink("/proc/self/exe", &path, path.count - 1)
        guard length > 0 else { return "attlas" }
        return String(decoding: path[..<length].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
