import AttlasCapture
import CPcap
import Glibc

/// A device of libpcap, as a pcap stream.
@safe final class PacketDevice {
    private let name: String
    private let device: OpaquePointer
    private var pending = PendingOctets()

    /// Every HCI packet fits.
    private static let snapLength: CInt = 262_144

    init(name: String) throws(CaptureError) {
        self.name = name
        var message = [CChar](repeating: 0, count: Int(PCAP_ERRBUF_SIZE))
        guard let device = unsafe pcap_create(name, &message) else { throw CaptureError(name, Self.text(message)) }
        unsafe pcap_set_snaplen(device, Self.snapLength)
        // Packets come as they are there; a pause ends a wait so that SIGINT is noticed.
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
        unsafe appendFileHeader(linkType: UInt32(bitPattern: pcap_datalink(device)))
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

    /// The next octets of the stream; none at the user's wish.
    func read(into buffer: inout OutputSpan<UInt8>) -> ByteSource.Outcome {
        while pending.isEmpty {
            if Interruption.isRequested { return .octets }
            var header: UnsafeMutablePointer<pcap_pkthdr>?
            var octets: UnsafePointer<UInt8>?
            let status = unsafe pcap_next_ex(device, &header, &octets)
            guard status >= 0 else {
                return unsafe status == PCAP_ERROR_BREAK
                    ? .octets : .damaged(String(cString: pcap_geterr(device)))
            }
            if status == 1, let header = unsafe header, let octets = unsafe octets {
                unsafe append(header.pointee, octets)
            }
        }
        pending.take(into: &buffer)
        return .octets
    }

    private func appendFileHeader(linkType: UInt32) {
        pending.append(littleEndian: 0xA1B2_C3D4 as UInt32)
        pending.append(littleEndian: 2 as UInt16)
        pending.append(littleEndian: 4 as UInt16)
        pending.append(littleEndian: 0 as UInt64)
        pending.append(littleEndian: UInt32(Self.snapLength))
        pending.append(littleEndian: linkType)
    }

    private func append(_ header: pcap_pkthdr, _ octets: UnsafePointer<UInt8>) {
        pending.append(littleEndian: UInt32(truncatingIfNeeded: header.ts.tv_sec))
        pending.append(littleEndian: UInt32(truncatingIfNeeded: header.ts.tv_usec))
        pending.append(littleEndian: header.caplen)
        pending.append(littleEndian: header.len)
        unsafe pending.append(UnsafeBufferPointer(start: octets, count: Int(header.caplen)))
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
