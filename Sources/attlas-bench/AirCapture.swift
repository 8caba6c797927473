import AttlasWire

/// The connections of a long capture as a sniffer would have heard them: each ACL packet in data PDUs of up to 27 octets, each
/// acknowledged by an empty one of the other side. Core Specification, Vol 6, Part B, 2.4 and 4.5.9.
struct AirCapture {
    private struct Link {
        let accessAddress: [UInt8]
        let crcInit: UInt32
        /// Whether the recorded host is the central.
        let isCentral: Bool
        var sn = [false, false]
        var nesn = [false, false]
        /// Which side sent the last packet: 0 is the central.
        var last = 1
    }

    private let file: OutputFile
    private var links: [UInt16: Link] = [:]
    private var connections: UInt32 = 0
    private(set) var packets = 0

    init(_ file: OutputFile) {
        self.file = file
        // Version 2.4, snapshot length 262 144, link type 256: with a pseudo-header.
        for number in [0xA1B2_C3D4, 0x0004_0002, 0, 0, 0x0004_0000, 256] as [UInt32] { file.append(number) }
    }

    mutating func write(_ packet: TimedPacket, at microseconds: Int64) {
        switch packet.type {
        case .acl: writeData(packet, microseconds)
        case .event: writeEvent(packet.bytes, microseconds)
        default: break
        }
    }

    private mutating func writeEvent(_ event: [UInt8], _ time: Int64) {
        guard event.count >= 6 else { return }
        switch (event[0], event[2]) {
        // LE Connection Complete and its enhanced version. Vol 4, Part E, 7.7.65.1 and 7.7.65.10.
        case (0x3E, 0x01) where event.count >= 20, (0x3E, 0x0A) where event.count >= 32,
            (0x3E, 0x29) where event.count >= 32:
            let parameters = event[2] == 0x01 ? 14 : 26
            let handle = UInt16(event[4]) | UInt16(event[5]) << 8
            connections += 1
            let number = (0..<4).map { UInt8(truncatingIfNeeded: (0x5065_0000 + connections) >> UInt32(8 * $0)) }
            let link = Link(
                accessAddress: number, crcInit: 0x55_AA00 ^ connections & 0xFF_FFFF, isCentral: event[6] == 0)
            links[handle] = link
            let crcInit = [0, 8, 16].map { UInt8(truncatingIfNeeded: link.crcInit >> UInt32($0)) }
            let host: [UInt8] = [1, 2, 3, 4, 5, 0xC6]
            let peer = Array(event[8..<14])
            let addresses = link.isCentral ? host + peer : peer + host
            let payload =
                addresses + number + crcInit + [1, 0, 0] + event[parameters..<parameters + 6]
                + [0xFF, 0xFF, 0xFF, 0xFF, 0x1F, 0x25]
            let types = link.isCentral ? 0x40 | (event[7] & 1) << 7 : 0x80 | (event[7] & 1) << 6
            append([0x05 | types, UInt8(payload.count)] + payload, [0xD6, 0xBE, 0x89, 0x8E], 0x55_5555, 0x0C01, time)
        // Disconnection Complete.
        case (0x05, _):
            let handle = UInt16(event[3]) | UInt16(event[4]) << 8
            send(handle, fromHost: event[5] == 0x16, llid: 3, [0x02, event[5]], time)
            links[handle] = nil
        default: break
        }
    }

    private mutating func writeData(_ packet: TimedPacket, _ time: Int64) {
        guard packet.bytes.count >= 4 else { return }
        let word = UInt16(packet.bytes[0]) | UInt16(packet.bytes[1]) << 8
        let data = packet.bytes.dropFirst(4)
        var place = data.startIndex
        while place < data.endIndex {
            let end = min(place + 27, data.endIndex)
            let isFirst = place == data.startIndex && word >> 12 & 0b11 != 0b01
            let isSent = packet.direction == .tx
            send(word & 0x0FFF, fromHost: isSent, llid: isFirst ? 2 : 1, Array(data[place..<end]), time)
            send(word & 0x0FFF, fromHost: !isSent, llid: 1, [], time)
            place = end
        }
    }

    private mutating func send(_ handle: UInt16, fromHost: Bool, llid: UInt8, _ payload: [UInt8], _ time: Int64) {
        guard let link = links[handle] else { return }
        let side = fromHost == link.isCentral ? 0 : 1
        // The two always take turns.
        if link.last == side { send(handle, fromHost: !fromHost, llid: 1, [], time) }
        guard let link = links[handle] else { return }
        let header = llid | (link.nesn[side] ? 0x04 : 0) | (link.sn[side] ? 0x08 : 0)
        let direction: UInt16 = side == 0 ? 0x0100 : 0x0180
        append([header, UInt8(payload.count)] + payload, link.accessAddress, link.crcInit, 0x0C01 | direction, time)
        links[handle]?.nesn[1 - side].toggle()
        links[handle]?.sn[side].toggle()
        links[handle]?.last = side
    }

    private mutating func append(
        _ pdu: [UInt8], _ accessAddress: [UInt8], _ crcInit: UInt32, _ flags: UInt16, _ time: Int64
    ) {
        packets += 1
        let crc = LinkLayerCRC.crc(of: Bytes(pdu.span), initial: crcInit)
        let length = UInt32(10 + 4 + pdu.count + 3)
        for number in [UInt32(time / 1_000_000), UInt32(time % 1_000_000), length, length] { file.append(number) }
        file.append([9, 0xC4, 0, 0, 0, 0, 0, 0, UInt8(truncatingIfNeeded: flags), UInt8(flags >> 8)] + accessAddress)
        file.append(pdu)
        file.append([0, 8, 16].map { UInt8(truncatingIfNeeded: crc >> UInt32($0)) })
    }

    func flush(isForced: Bool) throws(SystemFailure) {
        try file.flush(isForced: isForced)
    }
}
