/// Writes the blocks of a pcapng file, octet by octet as the specification lays them out.
public struct PCAPNGBlocks: Sendable, CustomStringConvertible {
    public let order: OctetOrder

    public init(order: OctetOrder = .little) {
        self.order = order
    }

    public static let both = [PCAPNGBlocks(order: .little), PCAPNGBlocks(order: .big)]
    public var description: String { "\(order) endian" }

    public func uint16(_ value: UInt16) -> [UInt8] { order.octets(value, 2) }
    public func uint32(_ value: UInt32) -> [UInt8] { order.octets(value, 4) }
    public func uint64(_ value: UInt64) -> [UInt8] { order.octets(value, 8) }

    public func padded(_ bytes: [UInt8]) -> [UInt8] {
        bytes + [UInt8](repeating: 0, count: (4 - bytes.count % 4) % 4)
    }

    public func block(_ type: UInt32, _ body: [UInt8], length: UInt32? = nil, trailing: UInt32? = nil) -> [UInt8] {
        let body = padded(body)
        let truth = UInt32(body.count + 12)
        return uint32(type) + uint32(length ?? truth) + body + uint32(trailing ?? length ?? truth)
    }

    public func option(_ code: UInt16, _ value: [UInt8]) -> [UInt8] {
        uint16(code) + uint16(UInt16(value.count)) + padded(value)
    }

    public func section(major: UInt16 = 1, options: [UInt8] = []) -> [UInt8] {
        block(0x0A0D_0D0A, uint32(0x1A2B_3C4D) + uint16(major) + uint16(0) + uint64(.max) + options)
    }

    public func interface(_ linkType: UInt16, snapLength: UInt32 = 0, options: [UInt8] = []) -> [UInt8] {
        block(1, uint16(linkType) + uint16(0) + uint32(snapLength) + options)
    }

    public func enhanced(
        _ packet: [UInt8], interface: UInt32 = 0, ticks: UInt64 = 0, captured: UInt32? = nil,
        original: UInt32? = nil, options: [UInt8] = [], trailing: UInt32? = nil
    ) -> [UInt8] {
        let count = UInt32(packet.count)
        let time = uint32(UInt32(ticks >> 32)) + uint32(UInt32(ticks & 0xFFFF_FFFF))
        let lengths = uint32(captured ?? count) + uint32(original ?? count)
        return block(
            6, uint32(interface) + time + lengths + padded(packet) + options, trailing: trailing)
    }

    public func obsolete(_ packet: [UInt8], drops: UInt16, ticks: UInt64 = 0, options: [UInt8] = []) -> [UInt8] {
        let time = uint32(UInt32(ticks >> 32)) + uint32(UInt32(ticks & 0xFFFF_FFFF))
        let lengths = uint32(UInt32(packet.count)) + uint32(UInt32(packet.count))
        return block(2, uint16(0) + uint16(drops) + time + lengths + padded(packet) + options)
    }

    public func simple(_ packet: [UInt8], original: UInt32? = nil) -> [UInt8] {
        block(3, uint32(original ?? UInt32(packet.count)) + packet)
    }

    public func statistics(interface: UInt32 = 0, options: [UInt8]) -> [UInt8] {
        block(5, uint32(interface) + uint64(0) + options)
    }
}
