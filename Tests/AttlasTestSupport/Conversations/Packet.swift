import AttlasCapture
import AttlasWire

/// One packet of a conversation that a test writes down.
public struct Packet: Sendable {
    public var content: Record.Content
    public var direction: Direction
    /// The packet after its H4 indicator.
    public var octets: [UInt8]
    public var controller: UInt16
    /// Octets that the capture left out.
    public var missing: Int
    /// Records that were lost before this one.
    public var lost: UInt32
    /// A packet without its own time comes one step after the one before.
    public var time: Timestamp?

    public init(
        _ content: Record.Content, _ direction: Direction, _ octets: [UInt8], controller: UInt16 = 0, missing: Int = 0,
        lost: UInt32 = 0, time: Timestamp? = nil
    ) {
        self.content = content
        self.direction = direction
        self.octets = octets
        self.controller = controller
        self.missing = missing
        self.lost = lost
        self.time = time
    }

    public func at(microseconds: Int) -> Packet {
        var packet = self
        packet.time = Timestamp(microseconds: microseconds)
        return packet
    }

    public func at(milliseconds: Double) -> Packet { at(microseconds: Int((milliseconds * 1_000).rounded())) }

    /// With more octets at the end.
    public func with(_ octets: [UInt8]) -> Packet {
        var packet = self
        packet.octets += octets
        return packet
    }

    public func losing(_ records: UInt32) -> Packet {
        var packet = self
        packet.lost = records
        return packet
    }
}

/// Device addresses as they are in HCI: least significant octet first.
public enum Address {
    /// F2:F2:F2:F2:F2:F2
    public static let strap = "F2F2F2F2F2F2"
    /// E6:0A:33:7C:90:15
    public static let probe = "15907C330AE6"
    /// 00:1A:7D:DA:71:13
    public static let phone = "1371DA7D1A00"
}

// MARK: HCI

extension Packet {
    public static func command(_ octets: String, controller: UInt16 = 0) -> Packet {
        Packet(.packet(.command), .tx, hex(octets), controller: controller)
    }

    public static func event(_ octets: String, controller: UInt16 = 0) -> Packet {
        Packet(.packet(.event), .rx, hex(octets), controller: controller)
    }

    /// LE Connection Complete, status 0: 30 ms, latency 0, timeout 720 ms. Vol 4, Part E, 7.7.65.1.
    ///
    /// - Parameters:
    ///   - role: 0 when the host is the central.
    ///   - interval: in 1.25 ms.
    public static func connected(
        _ address: String = Address.strap, handle: Int = 0x40, role: UInt8 = 0, random: Bool = true,
        interval: Int = 24, controller: UInt16 = 0
    ) -> Packet {
        let octets =
            hex("3E 13 01 00") + little(handle) + [role, random ? 1 : 0] + hex(address) + little(interval)
            + hex("0000 4800 00")
        return Packet(.packet(.event), .rx, octets, controller: controller)
    }

    /// LE Advertising Report of one device. Vol 4, Part E, 7.7.65.2.
    ///
    /// - Parameter type: 0 ADV_IND, 3 ADV_NONCONN_IND, 4 SCAN_RSP.
    public static func advertisement(
        of address: String = Address.strap, _ data: [UInt8] = [], random: Bool = true, type: UInt8 = 0, rssi: Int8 = -60
    ) -> Packet {
        let parameters =
            [0x02, 1, type, random ? 1 : 0] + hex(address) + [UInt8(data.count)] + data + [UInt8(bitPattern: rssi)]
        return Packet(.packet(.event), .rx, [0x3E, UInt8(parameters.count)] + parameters)
    }

    /// Disconnection Complete, status 0. Vol 4, Part E, 7.7.5.
    public static func disconnected(handle: Int = 0x40, reason: UInt8 = 0x13, controller: UInt16 = 0) -> Packet {
        Packet(.packet(.event), .rx, hex("05 04 00") + little(handle) + [reason], controller: controller)
    }

    /// A whole ACL packet, header included.
    public static func acl(
        _ direction: Direction, _ octets: String, missing: Int = 0, controller: UInt16 = 0
    ) -> Packet {
        Packet(.packet(.acl), direction, hex(octets), controller: controller, missing: missing)
    }
}

// MARK: L2CAP and ATT

extension Packet {
    /// The beginning of an L2CAP frame: non-flushable from a host, flushable from a controller. Vol 4, Part E, 5.4.2.
    public static func start(
        _ direction: Direction, _ octets: String, handle: Int = 0x40, missing: Int = 0, controller: UInt16 = 0
    ) -> Packet {
        fragment(
            direction, boundary: direction == .tx ? 0b00 : 0b10, hex(octets), handle: handle, missing: missing,
            controller: controller)
    }

    /// What follows of an L2CAP frame.
    public static func more(
        _ direction: Direction, _ octets: String, handle: Int = 0x40, missing: Int = 0, controller: UInt16 = 0
    ) -> Packet {
        fragment(direction, boundary: 0b01, hex(octets), handle: handle, missing: missing, controller: controller)
    }

    /// An ACL packet of which the capture left out the last `missing` octets.
    public static func fragment(
        _ direction: Direction, boundary: Int, _ octets: [UInt8], handle: Int = 0x40, missing: Int = 0,
        controller: UInt16 = 0
    ) -> Packet {
        Packet(
            .packet(.acl), direction, little(handle | boundary << 12) + little(octets.count + missing) + octets,
            controller: controller, missing: missing)
    }

    /// An L2CAP frame in one ACL packet.
    public static func frame(
        _ direction: Direction, channel: Int, _ payload: [UInt8], handle: Int = 0x40, missing: Int = 0,
        controller: UInt16 = 0
    ) -> Packet {
        fragment(
            direction, boundary: direction == .tx ? 0b00 : 0b10,
            little(payload.count + missing) + little(channel) + payload, handle: handle, missing: missing,
            controller: controller)
    }

    /// An ATT PDU in one ACL packet, on the fixed channel.
    public static func att(
        _ direction: Direction, _ pdu: String, handle: Int = 0x40, missing: Int = 0, controller: UInt16 = 0
    ) -> Packet {
        frame(direction, channel: 4, hex(pdu), handle: handle, missing: missing, controller: controller)
    }
}
