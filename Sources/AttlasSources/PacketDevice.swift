import AttlasCapture
import AttlasInput
import CMonitor
import CPcap
import Glibc

/// A device of libpcap, as a pcapng stream, whose packets can have the number of packets lost before them.
///
/// It is opened by one thread and read by another one, never by both.
@safe package final class PacketDevice: @unchecked Sendable {
    private let name: String
    private let device: OpaquePointer
    private var stream: DeviceStream
    /// To be waited for; -1 if the device has none that can be.
    private let descriptor: CInt
    /// Size of the socket's buffer, in octets; nil where libpcap has a separate buffer, in memory that it shares with the kernel.
    let room: Int?

    /// Every HCI packet fits.
    private static let snapLength: CInt = 262_144

    package init(name: String) throws(CaptureError) {
        self.name = name
        var message = [CChar](repeating: 0, count: Int(PCAP_ERRBUF_SIZE))
        guard let device = unsafe pcap_create(name, &message) else { throw CaptureError(name, Self.text(message)) }
        unsafe pcap_set_snaplen(device, Self.snapLength)
        // Packets come as they arrive; a pause ends a wait so that SIGINT is noticed.
        unsafe pcap_set_immediate_mode(device, 1)
        unsafe pcap_set_timeout(device, 200)
        unsafe pcap_set_buffer_size(device, 16 << 20)
        let status = unsafe pcap_activate(device)
        guard status >= 0 else {
            let reason = unsafe String(cString: pcap_geterr(device))
            let advice =
                status == PCAP_ERROR_PERM_DENIED
                ? "Run it with sudo." : "attlas live --list-devices lists the devices."
            let error = unsafe CaptureError(
                name, reason.isEmpty ? String(cString: pcap_statustostr(status)) : reason, advice: advice)
            unsafe pcap_close(device)
            throw error
        }
        unsafe self.device = device
        // Reading does not wait, because libpcap keeps waiting for Bluetooth after a signal.
        descriptor = unsafe pcap_setnonblock(device, 1, &message) == 0 ? pcap_get_selectable_fd(device) : -1
        let isSocket = name.hasPrefix("bluetooth")
        room = isSocket ? Int(monitor_enlarge(descriptor, CInt(MonitorSocket.wantedRoom))) : nil
        stream = unsafe DeviceStream(
            linkType: UInt16(truncatingIfNeeded: pcap_datalink(device)), snapLength: UInt32(Self.snapLength))
    }

    deinit {
        unsafe pcap_close(device)
    }

    static func list() throws(CaptureError) -> [LiveSource.Device] {
        var message = [CChar](repeating: 0, count: Int(PCAP_ERRBUF_SIZE))
        var first: UnsafeMutablePointer<pcap_if_t>?
        guard unsafe pcap_findalldevs(&first, &message) == 0 else { throw CaptureError("libpcap", text(message)) }
        defer { if let first = unsafe first { unsafe pcap_freealldevs(first) } }
        var devices: [LiveSource.Device] = []
        var next = unsafe first
        while let device = unsafe next {
            unsafe devices.append(
                LiveSource.Device(
                    name: String(cString: device.pointee.name),
                    description: device.pointee.description.map { unsafe String(cString: $0) }))
            unsafe next = device.pointee.next
        }
        return devices
    }

    /// Waits until `read` has something, for this number of milliseconds at most.
    package func isReady(within milliseconds: CInt) -> Bool {
        !stream.pending.isEmpty || SystemCalls.wait(for: POLLIN, of: descriptor, milliseconds: milliseconds) > 0
    }

    /// The next octets of the stream; none at the user's wish.
    package func read(into buffer: inout OutputSpan<UInt8>) -> ByteSource.Outcome {
        while stream.pending.isEmpty {
            if Interruption.isRequested {
                stream.appendStatistics(lost: lost)
                break
            }
            var header: UnsafeMutablePointer<pcap_pkthdr>?
            var octets: UnsafePointer<UInt8>?
            let status = unsafe pcap_next_ex(device, &header, &octets)
            guard status >= 0 else {
                return unsafe status == PCAP_ERROR_BREAK
                    ? .octets : .damaged(String(cString: pcap_geterr(device)))
            }
            if status == 1, let header = unsafe header, let octets = unsafe octets {
                let time = unsafe header.pointee.ts
                unsafe stream.append(
                    microseconds: Int64(time.tv_sec) &* 1_000_000 &+ Int64(time.tv_usec), length: header.pointee.len,
                    UnsafeBufferPointer(start: octets, count: Int(header.pointee.caplen)), lost: lost)
            } else {
                // A signal ends it, and one that comes before it is seen a moment later.
                var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
                unsafe poll(&entry, 1, 200)
            }
        }
        stream.pending.take(into: &buffer)
        return .octets
    }

    /// Packets so far. A socket counts them itself, of which libpcap knows nothing.
    private var lost: UInt64 {
        var statistics = pcap_stat()
        let known = unsafe pcap_stats(device, &statistics) == 0
        return max(
            known ? UInt64(statistics.ps_drop) + UInt64(statistics.ps_ifdrop) : 0, UInt64(monitor_drops(descriptor)))
    }

    private static func text(_ message: [CChar]) -> String {
        String(decoding: message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

extension CaptureError {
    fileprivate init(_ device: String, _ reason: String, advice: String? = nil) {
        self.init(.system(0), file: device, reason, advice: advice)
    }
}
