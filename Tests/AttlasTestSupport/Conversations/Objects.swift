import AttlasCapture
import AttlasWire

/// Conversations with a server of the Object Transfer Service, written by hand from that specification and from the Core Specification.
public enum Objects {
    /// The selected object is "notes.txt", of unspecified type, 12 of 1,024 octets, ID 0x000000000100. The Object Action Control Point has the handle
    /// 0x000B, the Object List Control Point 0x000D. The Object Transfer Channel is open: host 0x0040, peer 0x0055.
    public static let selected: [Packet] = [
        .connected(),
        .att(.tx, "04 0300 0E00"), .att(.rx, "05 01 0300 BE2A 0400 0328 0500 BF2A 0600 0328 0700 C02A"),
        .att(.tx, "04 0800 0E00"), .att(.rx, "05 01 0800 0328 0900 C32A 0A00 0328 0B00 C52A 0C00 0229"),
        .att(.tx, "04 0D00 0E00"), .att(.rx, "05 01 0D00 C62A 0E00 0229"),
        .att(.tx, "0A 0300"), .att(.rx, "0B 6E6F7465732E747874"), .att(.tx, "0A 0500"), .att(.rx, "0B CA2A"),
        .att(.tx, "0A 0700"), .att(.rx, "0B 0C000000 00040000"),
        .att(.tx, "0A 0900"), .att(.rx, "0B 000100000000"),
        .frame(.tx, channel: 5, hex("14 01 0A00 2500 4000 0001 4000 0A00")),
        .frame(.rx, channel: 5, hex("15 01 0A00 5500 0001 4000 0A00 0000")),
    ]

    /// A request of the Object Action Control Point, and its response.
    public static func act(_ request: String, result: String = "01") -> [Packet] {
        [
            .att(.tx, "12 0B00 \(request)"), .att(.rx, "13"),
            .att(.rx, "1D 0B00 60 \(request.prefix(2)) \(result)"), .att(.tx, "1E"),
        ]
    }

    /// The same of the Object List Control Point.
    public static func list(_ request: String, result: String = "01") -> [Packet] {
        [
            .att(.tx, "12 0D00 \(request)"), .att(.rx, "13"),
            .att(.rx, "1D 0D00 70 \(request.prefix(2)) \(result)"), .att(.tx, "1E"),
        ]
    }

    /// An SDU of the channel in one frame.
    public static func sdu(_ direction: Direction, _ octets: String, missing: Int = 0) -> Packet {
        let octets = hex(octets)
        return .frame(
            direction, channel: direction == .tx ? 0x55 : 0x40, little(octets.count + missing) + octets,
            missing: missing)
    }

    /// "Hello, world" in two SDUs.
    public static let read =
        selected + act("05 00000000 0C000000") + [sdu(.rx, "48656C6C6F2C"), sdu(.rx, "20776F726C64")]
}
