import AttlasCapture
import AttlasWire
import Glibc

/// A packet with its place in time.
struct TimedPacket {
    /// Since the beginning of the capture.
    let nanoseconds: Int64
    let type: HCIPacketType
    let direction: Direction
    /// Without the H4 indicator.
    let bytes: [UInt8]
}

/// Packets one after the other.
protocol PacketSequence {
    mutating func next() -> TimedPacket?
}

/// Writes the same packets as pcap, for libpcap and tshark, as btsnoop, for btmon, and as a sniffer would have heard them.
struct CaptureWriter {
    /// 2026-01-01 00:00:00 UTC.
    private static let begin: Int64 = 1_767_225_600_000_000
    /// From year 0, where btsnoop's clock begins, to 1970.
    private static let btsnoopEpoch: Int64 = 62_168_256_000_000_000

    private let pcap: OutputFile
    private let btsnoop: OutputFile
    private var air: AirCapture

    init(pcap: String, btsnoop: String, air: String) throws(SystemFailure) {
        self.pcap = try OutputFile(pcap)
        self.btsnoop = try OutputFile(btsnoop)
        self.air = AirCapture(try OutputFile(air))
        // Version 2.4, snapshot length 262 144, link type 201: HCI H4 with a direction.
        for number in [0xA1B2_C3D4, 0x0004_0002, 0, 0, 0x0004_0000, 201] as [UInt32] { self.pcap.append(number) }
        self.btsnoop.append(Array("btsnoop\0".utf8))
        // Version 1, datalink 1002: HCI H4.
        self.btsnoop.append(bigEndian: UInt32(1))
        self.btsnoop.append(bigEndian: UInt32(1002))
    }

    /// Writes the first `count` packets.
    /// - Returns: How many a sniffer would have heard.
    @discardableResult
    mutating func write(_ packets: consuming some PacketSequence, count: Int) throws(SystemFailure) -> Int {
        var packets = packets
        for _ in 0..<count {
            guard let packet = packets.next() else { break }
            let microseconds = Self.begin + packet.nanoseconds / 1_000
            let isReceived = packet.direction == .rx
            pcap.append(UInt32(microseconds / 1_000_000))
            pcap.append(UInt32(microseconds % 1_000_000))
            pcap.append(UInt32(packet.bytes.count + 5))
            pcap.append(UInt32(packet.bytes.count + 5))
            pcap.append([0, 0, 0, isReceived ? 1 : 0, packet.type.rawValue])
            pcap.append(packet.bytes)
            btsnoop.append(bigEndian: UInt32(packet.bytes.count + 1))
            btsnoop.append(bigEndian: UInt32(packet.bytes.count + 1))
            let isCommandOrEvent = packet.type == .command || packet.type == .event
            btsnoop.append(bigEndian: UInt32(isReceived ? 1 : 0) | (isCommandOrEvent ? 2 : 0))
            btsnoop.append(bigEndian: UInt32(0))
            btsnoop.append(bigEndian: microseconds + Self.btsnoopEpoch)
            btsnoop.append([packet.type.rawValue])
            btsnoop.append(packet.bytes)
            air.write(packet, at: microseconds)
            try pcap.flush(isForced: false)
            try btsnoop.flush(isForced: false)
            try air.flush(isForced: false)
        }
        try pcap.flush(isForced: true)
        try btsnoop.flush(isForced: true)
        try air.flush(isForced: true)
        return air.packets
    }
}

/// A file written from its beginning to its end.
final class OutputFile {
    private let path: String
    private let descriptor: CInt
    private var buffer: [UInt8] = []

    init(_ path: String) throws(SystemFailure) {
        self.path = path
        descriptor = SystemCalls.open(path, O_WRONLY | O_CREAT | O_TRUNC, mode: 0o644)
        guard descriptor >= 0 else { throw SystemFailure("\(path) cannot be written", errno) }
        buffer.reserveCapacity(1 << 20)
    }

    deinit {
        close(descriptor)
    }

    func append(_ bytes: [UInt8]) {
        buffer.append(contentsOf: bytes)
    }

    /// Little-endian.
    func append(_ number: UInt32) {
        buffer.append(littleEndian: number)
    }

    func append(bigEndian number: some FixedWidthInteger) {
        buffer.append(bigEndian: number)
    }

    func flush(isForced: Bool) throws(SystemFailure) {
        guard isForced || buffer.count >= 1 << 19 else { return }
        var written = 0
        while written < buffer.count {
            let count = SystemCalls.write(descriptor, buffer.span.extracting(droppingFirst: written))
            guard count >= 0 || errno == EINTR else { throw SystemFailure("\(path) cannot be written", errno) }
            written += max(0, count)
        }
        buffer.removeAll(keepingCapacity: true)
    }
}

/// A call of the system that failed.
struct SystemFailure: Error, CustomStringConvertible {
    let description: String

    init(_ what: String, _ number: CInt) {
        description = "\(what): \(SystemCalls.message(number))"
    }
}
