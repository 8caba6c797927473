import AttlasCapture
import AttlasWire
import Glibc

/// Writes records to a file while they come: btsnoop of datalink 2001, or pcapng when the name ends in `.pcapng`.
///
/// What is in the file ends with a whole record at every moment between two calls: records are written in one piece, and when
/// the disk is full the file is cut back to the last whole one.
public final class RecordWriter {
    /// When a file is long enough and the next one begins. nil: never.
    public struct Rotation: Sendable {
        public var octets: Int?
        public var seconds: Int64?

        public init(octets: Int? = nil, seconds: Int64? = nil) {
            self.octets = octets
            self.seconds = seconds
        }
    }

    private let path: String
    private let rotation: Rotation
    private let isPCAPNG: Bool
    private var descriptor: CInt = -1
    /// Octets of whole records in the file.
    private var length = 0
    private var began: Timestamp?
    private var number = 0
    private var buffer: [UInt8] = []
    /// Where in the buffer records, and what stands before the first, end.
    private var ends: [Int] = []
    private var drops: UInt32 = 0
    /// pcapng: whether interface 1 was described, which has the packets from the air.
    private var hasAirInterface = false
    /// Why no more is written.
    public private(set) var failure: CaptureError?

    public init(path: String, rotation: Rotation = Rotation()) throws(CaptureError) {
        self.path = path
        self.rotation = rotation
        isPCAPNG = path.hasSuffix(".pcapng")
        guard openNext() else {
            throw CaptureError(.system(errno), file: path, "cannot be written: \(SystemCalls.message(errno))")
        }
    }

    deinit {
        flush()
        if descriptor >= 0 { close(descriptor) }
    }

    /// The record goes to the file with the next `flush`.
    public func write(_ record: borrowing Record) {
        guard failure == nil else { return }
        if needsRotation(record.time) {
            flush()
            number += 1
            guard openNext() else { return fail(errno) }
        }
        if began == nil { began = record.time }
        if case .air(let radio) = record.content {
            guard isPCAPNG else { return refuseAir() }
            appendBlock(record, radio)
        }
        guard let opcode = record.monitorOpcode else { return }
        drops &+= record.lost
        if isPCAPNG { appendBlock(record, opcode) } else { appendRecord(record, opcode) }
        ends.append(buffer.count)
        if buffer.count >= 1 << 16 { flush() }
    }

    /// Hands everything to the system. Call it when the next record has to be waited for.
    public func flush() {
        var start = 0
        while start < buffer.count, failure == nil {
            let written = SystemCalls.write(descriptor, buffer.span.extracting(droppingFirst: start))
            if written > 0 {
                start += written
            } else if errno == EAGAIN {
                SystemCalls.wait(for: POLLOUT, of: descriptor)
            } else if errno != EINTR {
                let reason = errno
                length += ends.last { $0 <= start } ?? 0
                fail(reason)
            }
        }
        if failure == nil { length += buffer.count }
        buffer.removeAll(keepingCapacity: true)
        ends.removeAll(keepingCapacity: true)
    }

    private func fail(_ number: CInt) {
        failure = CaptureError(
            .system(number), file: name,
            "\(SystemCalls.message(number)): recording stopped; the file ends with a complete record")
        cutBack()
    }

    private func refuseAir() {
        failure = CaptureError(
            .unsupported, file: name, "btsnoop cannot hold packets from the air: recording stopped",
            advice: "Use a file name that ends in .pcapng.")
        cutBack()
    }

    private func cutBack() {
        if descriptor >= 0 { _ = ftruncate(descriptor, off_t(length)) }
    }

    // MARK: Files

    /// The second file of `a/b.btsnoop` is `a/b.1.btsnoop`.
    private var name: String {
        guard number > 0 else { return path }
        let slash = path.lastIndex(of: "/") ?? path.startIndex
        guard let dot = path[slash...].lastIndex(of: "."), dot > slash else { return "\(path).\(number)" }
        return "\(path[..<dot]).\(number)\(path[dot...])"
    }

    private func needsRotation(_ time: Timestamp) -> Bool {
        if let octets = rotation.octets, length + buffer.count >= octets { return true }
        guard let seconds = rotation.seconds, let began else { return false }
        return time.seconds &- began.seconds >= seconds
    }

    private func openNext() -> Bool {
        if descriptor >= 0 { close(descriptor) }
        descriptor = SystemCalls.open(name, O_WRONLY | O_CREAT | O_TRUNC, mode: 0o644)
        guard descriptor >= 0 else { return false }
        length = 0
        began = nil
        drops = 0
        hasAirInterface = false
        if isPCAPNG { appendHead() } else { appendHeader() }
        ends.append(buffer.count)
        return true
    }

    // MARK: btsnoop

    private func appendHeader() {
        buffer += Array("btsnoop\0".utf8)
        buffer.append(bigEndian: 1 as UInt32)
        buffer.append(bigEndian: LinkType.btsnoopMonitor.rawValue)
    }

    private func appendRecord(_ record: borrowing Record, _ opcode: UInt16) {
        buffer.append(bigEndian: UInt32(clamping: record.bytes.count + record.missing))
        buffer.append(bigEndian: UInt32(clamping: record.bytes.count))
        buffer.append(bigEndian: UInt32(record.controller) << 16 | UInt32(opcode))
        buffer.append(bigEndian: drops)
        let seconds = record.time.seconds &- Timestamp.yearZero
        buffer.append(bigEndian: seconds &* 1_000_000 &+ Int64(record.time.nanoseconds / 1_000))
        record.bytes.append(to: &buffer)
    }

    // MARK: pcapng

    private func appendHead() {
        appendBlock(type: 0x0A0D_0D0A) { buffer in
            buffer += [0x4D, 0x3C, 0x2B, 0x1A, 1, 0, 0, 0] + [UInt8](repeating: 0xFF, count: 8)
        }
        appendInterface(.bluetoothLinuxMonitor)
    }

    private func appendInterface(_ linkType: LinkType) {
        let type = UInt16(linkType.rawValue)
        // The resolution of its times: nanoseconds.
        appendBlock(type: 1) { buffer in
            buffer += [UInt8(truncatingIfNeeded: type), UInt8(type >> 8)]
            buffer += [0, 0, 0, 0, 0, 0, 9, 0, 1, 0, 9, 0, 0, 0, 0, 0, 0, 0]
        }
    }

    private func appendBlock(_ record: borrowing Record, _ opcode: UInt16) {
        let head = [
            UInt8(record.controller >> 8), UInt8(truncatingIfNeeded: record.controller), UInt8(opcode >> 8),
            UInt8(truncatingIfNeeded: opcode),
        ]
        appendBlock(record, interface: 0, head)
    }

    private func appendBlock(_ record: borrowing Record, _ radio: RadioInfo) {
        if !hasAirInterface {
            appendInterface(.bluetoothLELLWithPHDR)
            hasAirInterface = true
        }
        appendBlock(record, interface: 1, radio.pseudoHeader(record.direction))
    }

    private func appendBlock(_ record: borrowing Record, interface: UInt32, _ head: [UInt8]) {
        let time = UInt64(
            bitPattern: record.time.seconds &* 1_000_000_000 &+ Int64(record.time.nanoseconds))
        let captured = record.bytes.count + head.count
        var body: [UInt8] = []
        body.append(littleEndian: interface)
        body.append(littleEndian: UInt32(truncatingIfNeeded: time >> 32))
        body.append(littleEndian: UInt32(truncatingIfNeeded: time))
        body.append(littleEndian: UInt32(clamping: captured))
        body.append(littleEndian: UInt32(clamping: captured + record.missing))
        body += head
        record.bytes.append(to: &body)
        while !body.count.isMultiple(of: 4) { body.append(0) }
        appendBlock(type: 6) { $0 += body }
    }

    private func appendBlock(type: UInt32, _ body: (inout [UInt8]) -> Void) {
        let start = buffer.count
        buffer.append(littleEndian: type)
        buffer.append(littleEndian: 0 as UInt32)
        body(&buffer)
        buffer.append(littleEndian: UInt32(buffer.count - start + 4))
        // The length stands before the contents, too.
        buffer.replaceSubrange(start + 4..<start + 8, with: Array(buffer.suffix(4)))
    }
}

extension Record {
    /// The opcode of the Linux monitor for what the record holds; nil for what was no packet. Linux, net/bluetooth/hci_mon.h.
    fileprivate var monitorOpcode: UInt16? {
        switch content {
        case .packet(let type):
            switch type {
            case .command: 2
            case .event: 3
            case .acl: direction == .tx ? 4 : 5
            case .synchronous: direction == .tx ? 6 : 7
            case .isochronous: direction == .tx ? 18 : 19
            }
        case .monitor(let opcode): opcode
        // Vendor diagnostics.
        case .unknownPacket: 11
        case .packetLogger, .air, .broken: nil
        }
    }
}
