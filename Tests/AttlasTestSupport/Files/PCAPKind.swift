/// Which of the four kinds of pcap a test writes.
public struct PCAPKind: Sendable, CustomStringConvertible {
    public let order: OctetOrder
    public let isNanoseconds: Bool

    public init(order: OctetOrder = .little, isNanoseconds: Bool = false) {
        self.order = order
        self.isNanoseconds = isNanoseconds
    }

    public static let all = [
        PCAPKind(order: .little), PCAPKind(order: .big), PCAPKind(order: .little, isNanoseconds: true),
        PCAPKind(order: .big, isNanoseconds: true),
    ]

    public var description: String { "\(order) endian, \(isNanoseconds ? "ns" : "µs")" }

    public func uint16(_ value: UInt16) -> [UInt8] { order.octets(value, 2) }
    public func uint32(_ value: UInt32) -> [UInt8] { order.octets(value, 4) }

    public func header(_ linkType: UInt32, minor: UInt16 = 4) -> [UInt8] {
        let magic: UInt32 = isNanoseconds ? 0xA1B2_3C4D : 0xA1B2_C3D4
        return uint32(magic) + uint16(2) + uint16(minor) + uint32(0) + uint32(0) + uint32(262_144)
            + uint32(linkType)
    }

    public func record(
        _ packet: [UInt8], seconds: UInt32 = 1_767_225_600, fraction: UInt32 = 0, captured: UInt32? = nil,
        original: UInt32? = nil
    ) -> [UInt8] {
        let count = UInt32(packet.count)
        return uint32(seconds) + uint32(fraction) + uint32(captured ?? count) + uint32(original ?? count) + packet
    }
}
