import AttlasCapture
import AttlasWire

extension Sequence<Packet> {
    /// The packets as a btsnoop log of datalink 1002, H4. Each must have its time.
    public var btsnoop: [UInt8] {
        var file = Array("btsnoop\0".utf8) + big(1, 4) + big(1_002, 4)
        for packet in self {
            guard case .packet(let type) = packet.content, let time = packet.time else {
                preconditionFailure("not a packet of HCI with its time")
            }
            let octets = [type.rawValue] + packet.octets
            let flags = (packet.direction == .rx ? 1 : 0) | (type == .command || type == .event ? 2 : 0)
            // Microseconds since midnight, January 1st, 0 AD.
            let microseconds = 0x00DC_DDB3_0F2F_8000 + time.seconds * 1_000_000 + Int64(time.nanoseconds / 1_000)
            file += big(octets.count, 4) + big(octets.count, 4) + big(flags, 4) + big(0, 4) + big(microseconds, 8)
            file += octets
        }
        return file
    }
}
