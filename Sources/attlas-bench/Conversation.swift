import AttlasInput
import AttlasWire

/// A packet of a recorded capture, apart from its place there.
struct Packet {
    let type: HCIPacketType
    let direction: Direction
    let bytes: [UInt8]
    /// Nanoseconds since the packet before it.
    let delay: Int64
}

extension Packet {
    /// A whole Handle Value Notification on the fixed channel.
    fileprivate var isNotification: Bool {
        type == .acl && bytes.count > 9 && bytes[6] == 0x04 && bytes[7] == 0x00 && bytes[8] == 0x1B
            && Int(bytes[2]) == Int(bytes[4]) + 4
    }
}

/// A recorded conversation in the parts that a long one is made of.
struct Conversation {
    /// From the beginning up to the first disconnection.
    private(set) var head: [Packet] = []
    /// Traffic between connected devices that can be repeated: notifications, indications, reads
    /// and writes with their fragments, credits, advertising.
    private(set) var steady: [Packet] = []
    private(set) var tail: [Packet] = []

    /// The maximum of a pause in a recording.
    private static let longestDelay: Int64 = 1_000_000_000
    /// Long captures are mostly notifications: each is repeated this number of times.
    private static let notificationCopies = 8

    /// Reads a capture of one controller; nil if there is nothing in it that could be repeated.
    init?(path: String) throws(CaptureError) {
        var reader = try CaptureReader(path: path)
        var previous: Timestamp?
        var selector = SteadySelector()
        while let record = try reader.next() {
            guard case .packet(let type) = record.content, record.missing == 0 else { continue }
            let delay = previous.map { record.time.nanoseconds(since: $0) } ?? 0
            previous = record.time
            let packet = Packet(
                type: type, direction: record.direction, bytes: record.bytes.copy(),
                delay: max(0, min(delay, Self.longestDelay)))
            let isDisconnection = type == .event && record.bytes[0] == 0x05
            if isDisconnection || !tail.isEmpty {
                tail.append(packet)
            } else {
                head.append(packet)
                guard selector.selects(packet) else { continue }
                let copies = packet.isNotification ? Self.notificationCopies : 1
                steady.append(contentsOf: repeatElement(packet, count: copies))
            }
        }
        guard selector.hasValues else { return nil }
    }
}

/// Distinguishes the packets of `Conversation.steady` from those that happen once.
private struct SteadySelector {
    /// Whether values were among them.
    private(set) var hasValues = false
    private var continuesTransmitted = false
    private var continuesReceived = false
    private var hasAdvertised = false

    mutating func selects(_ packet: Packet) -> Bool {
        switch packet.type {
        case .acl:
            guard selects(acl: packet) else { return false }
            hasAdvertised = false
            return true
        case .event where packet.bytes.count > 2:
            // Number Of Completed Packets.
            if packet.bytes[0] == 0x13 { return hasValues }
            // Only one advertising report between two values: recordings made while scanning have far more.
            guard packet.bytes[0] == 0x3E, [0x02, 0x0D].contains(packet.bytes[2]), hasValues, !hasAdvertised else {
                return false
            }
            hasAdvertised = true
            return true
        default: return false
        }
    }

    private mutating func selects(acl packet: Packet) -> Bool {
        guard packet.bytes.count >= 4 else { return false }
        if packet.bytes[1] & 0x30 == 0x10 { return packet.direction == .tx ? continuesTransmitted : continuesReceived }
        let isValue = Self.carriesValue(packet.bytes)
        if packet.direction == .tx { continuesTransmitted = isValue } else { continuesReceived = isValue }
        if isValue { hasValues = true }
        return isValue
    }

    /// Read, Read Blob and Write with their answers, and PDUs without a request; on the fixed channel.
    private static func carriesValue(_ bytes: [UInt8]) -> Bool {
        guard bytes.count >= 9, bytes[6] == 0x04, bytes[7] == 0x00 else { return false }
        return [0x0A, 0x0B, 0x0C, 0x0D, 0x12, 0x13, 0x1B, 0x1D, 0x1E, 0x52].contains(bytes[8])
    }
}
