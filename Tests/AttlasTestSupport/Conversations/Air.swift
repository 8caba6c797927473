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

    /// LE legacy pairing by a passkey, 123456, as `connect` begins it, and the first encrypted PDU of each side. OpenSSL's AES computes
    /// the confirm values (Core Specification, Vol 3, Part H, 2.2.3), the Short Term Key, which is 2590F2FDF631D6E3604326780E48E978
    /// (2.2.4), and the ciphertext (Vol 6, Part E, 1).
    public var legacyPairing: [Packet] {
        let pairing: [(Direction, String)] = [
            (.tx, "01 04 00 05 10 00 00"), (.rx, "02 00 00 05 10 00 00"),
            (.tx, "03 5508F1439AE61FD6F5227D77FA32DB1F"), (.rx, "03 0B14EC7336B43BA815A017ED9CFDE86A"),
            (.tx, "04 E02E70C64E2788630E6FAD5621D58357"), (.rx, "04 8877665544332211090A0B0C0D0E0F00"),
        ]
        let smp = pairing.enumerated().map { index, packet in
            let octets = hex(packet.1)
            return data(
                packet.0, 2, sn: index / 2 & 1, nesn: (index + 1) / 2 & 1, little(octets.count) + little(6) + octets)
        }
        return [connect()] + smp + [
            control(.tx, sn: 1, nesn: 1, "03 0000000000000000 0000 1302F1E0DFCEBDAC 24ABDCBA"),
            control(.rx, sn: 1, nesn: 0, "04 7968574635241302 BEBAAFDE"), control(.rx, sn: 0, nesn: 0, "05"),
            control(.tx, sn: 0, nesn: 1, "A2 B8464C7C"), control(.rx, sn: 1, nesn: 1, "15 6566A570"),
        ]
    }

    public func control(
        _ direction: Direction, sn: Int, nesn: Int, _ pdu: String, event: UInt16? = nil, time: Int? = nil
    ) -> Packet {
        data(direction, 3, sn: sn, nesn: nesn, hex(pdu), event: event, time: time)
    }
}
