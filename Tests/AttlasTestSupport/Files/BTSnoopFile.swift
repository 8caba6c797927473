import AttlasCapture
import AttlasWire

/// 1970-01-01T00:00:00Z in microseconds since midnight, January 1st, 0 AD.
private let btsnoopEpoch: UInt64 = 0x00DC_DDB3_0F2F_8000

/// 2026-01-01T00:00:00Z, as btsnoop counts.
public let btsnoopTime = btsnoopEpoch + 1_767_225_600_000_000

public func btsnoopHeader(_ datalink: UInt32 = 1002, version: UInt32 = 1) -> [UInt8] {
    hex("62 74 73 6E 6F 6F 70 00") + big(version, 4) + big(datalink, 4)
}

public func btsnoopRecord(
    _ packet: [UInt8], flags: UInt32 = 0, original: UInt32? = nil, included: UInt32? = nil, drops: UInt32 = 0,
    time: UInt64 = btsnoopTime
) -> [UInt8] {
    let count = UInt32(packet.count)
    return big(original ?? count, 4) + big(included ?? count, 4) + big(flags, 4) + big(drops, 4) + big(time, 8) + packet
}

extension [Packet] {
    /// The packets of a log of datalink 1002, none of which was cut. Read without attlas.
    public init(btsnoop octets: [UInt8]) {
        self = []
        var place = 16
        while place < octets.count {
            func number(_ offset: Int, _ count: Int) -> UInt64 {
                octets[(place + offset)..<(place + offset + count)].reduce(0) { $0 << 8 | UInt64($1) }
            }
            let end = place + 24 + Int(number(4, 4))
            if let type = HCIPacketType(rawValue: octets[place + 24]) {
                append(
                    Packet(
                        .packet(type), number(8, 4) & 1 == 1 ? .rx : .tx, [UInt8](octets[(place + 25)..<end]),
                        time: Timestamp(microseconds: Int(number(16, 8) - btsnoopEpoch))))
            }
            place = end
        }
    }

    /// A log of datalink 1002, H4.
    public var btsnoop: [UInt8] {
        btsnoopHeader()
            + flatMap { btsnoopRecord($0.h4, flags: $0.btsnoopFlags, time: btsnoopEpoch + $0.microseconds) }
    }

    /// … and one of datalink 1001, H1, or 2001, Linux's monitor.
    func btsnoop(_ datalink: UInt32) -> [UInt8] {
        btsnoopHeader(datalink)
            + flatMap { packet in
                btsnoopRecord(
                    packet.octets, flags: datalink == 2001 ? UInt32(packet.monitorOpcode) : packet.btsnoopFlags,
                    time: btsnoopEpoch + packet.microseconds)
            }
    }
}

extension Packet {
    /// Received; a command or an event.
    fileprivate var btsnoopFlags: UInt32 { (isReceived ? 1 : 0) | (type == .acl ? 0 : 2) }
}
