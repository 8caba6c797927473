import AttlasCapture
import AttlasWire

/// Packets of the air as the specification lays them out, without attlas's own layouts. Core Specification, Vol 6, Part B.
public struct Air: Sendable {
    public static let central = "0A0B0C0D0EC6"
    public static let peripheral = "112233445566"

    public var accessAddress = hex("78563412")
    public var crcInit: UInt32 = 0x12_3456
    /// What the sniffer tells; nothing, like LINKTYPE_BLUETOOTH_LE_LL, when it does not.
    public var tellsDirection = true
    public var radio = RadioInfo()

    public init() {}

    /// An advertising packet.
    public func advertising(_ pdu: String, channel: UInt8 = 37, time: Int? = nil) -> Packet {
        advertising(hex(pdu), channel: channel, time: time)
    }

    private func advertising(_ octets: [UInt8], channel: UInt8 = 37, time: Int?) -> Packet {
        var radio = radio
        radio.channel = channel
        return Packet(
            .air(radio), .unknown, hex("D6BE898E") + octets + linkLayerCRC(octets, initial: 0x55_5555),
            time: time.map { Timestamp(microseconds: $0) })
    }

    /// CONNECT_IND of `central` to `peripheral`: 30 ms, 720 ms, all channels.
    public func connect(time: Int? = nil) -> Packet {
        let initial = [0, 8, 16].map { UInt8(truncatingIfNeeded: crcInit >> UInt32($0)) }
        let head = hex("4522 \(Self.central) \(Self.peripheral)")
        return advertising(head + accessAddress + initial + hex("01 0000 1800 0000 4800 FFFFFFFF1F 27"), time: time)
    }

    /// A data packet.
    ///
    /// - Parameters:
    ///   - llid: 1 continues a frame, 2 begins one, 3 is control.
    ///   - bad: Whether a bit of the CRC is wrong.
    public func data(
        _ direction: Direction, _ llid: UInt8, sn: Int, nesn: Int, _ payload: [UInt8] = [], bad: Bool = false,
        channel: UInt8? = 5, event: UInt16? = nil, time: Int? = nil
    ) -> Packet {
        var radio = radio
        radio.channel = channel
        radio.eventCounter = event
        if tellsDirection { radio.kind = .data }
        let pdu = [llid | UInt8(nesn) << 2 | UInt8(sn) << 3, UInt8(payload.count)] + payload
        var crc = linkLayerCRC(pdu, initial: crcInit)
        if bad { crc[0] ^= 1 }
        return Packet(
            .air(radio), tellsDirection ? direction : .unknown, accessAddress + pdu + crc,
            time: time.map { Timestamp(microseconds: $0) })
    }

    public func empty(
        _ direction: Direction, sn: Int, nesn: Int, bad: Bool = false, event: UInt16? = nil, time: Int? = nil
    ) -> Packet {
        data(direction, 1, sn: sn, nesn: nesn, bad: bad, event: event, time: time)
    }

    /// An ATT PDU in one packet.
    public func att(
        _ direction: Direction, sn: Int, nesn: Int, _ pdu: String, bad: Bool = false, channel: UInt8? = 5,
        event: UInt16? = nil, time: Int? = nil
    ) -> Packet {
        let octets = hex(pdu)
        return data(
            direction, 2, sn: sn, nesn: nesn, little(octets.count) + little(4) + octets, bad: bad, channel: channel,
            event: event, time: time)
    }

    public func control(
        _ direction: Direction, sn: Int, nesn: Int, _ pdu: String, event: UInt16? = nil, time: Int? = nil
    ) -> Packet {
        data(direction, 3, sn: sn, nesn: nesn, hex(pdu), event: event, time: time)
    }
}
