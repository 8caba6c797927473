/// Writes the records of a .pklg file.
public struct PacketLoggerRecords: Sendable, CustomStringConvertible {
    public let order: OctetOrder

    public init(order: OctetOrder = .little) {
        self.order = order
    }

    public static let both = [PacketLoggerRecords(order: .little), PacketLoggerRecords(order: .big)]
    public var description: String { "\(order) endian" }

    public func uint32(_ value: UInt32) -> [UInt8] { order.octets(value, 4) }

    public func record(
        _ type: UInt8, _ bytes: [UInt8], length: UInt32? = nil, seconds: UInt32 = 1_767_225_600,
        microseconds: UInt32 = 0
    ) -> [UInt8] {
        uint32(length ?? UInt32(bytes.count + 9)) + uint32(seconds) + uint32(microseconds) + [type] + bytes
    }

    /// A command, its event, and ACL data both ways.
    public var conversation: [[UInt8]] {
        [
            record(0x00, hex("030C00")), record(0x01, hex("0E 04 01 030C 00"), microseconds: 5),
            record(0x02, Sample.aclPacket, microseconds: 999_999),
            record(0x03, Sample.aclPacket, seconds: 1_767_225_601),
        ]
    }
}
