import AttlasTestSupport

/// A recorded conversation as a sniffer would have heard it, laid out by the Core Specification, Vol 6, Part B, 2.
///
/// Each ACL packet becomes data PDUs of up to 27 octets, which the other side acknowledges with an empty one. Some are sent twice,
/// and some come with a wrong CRC first, as on the air.
struct AirLayout {
    struct Packet {
        let octets: [UInt8]
        let isCentral: Bool
        let isAdvertising: Bool
        let isBad: Bool
        let time: UInt64
    }

    private struct Link {
        let accessAddress: [UInt8]
        let crcInit: UInt32
        var sn = [false, false]
        var nesn = [false, false]
        var isCentralLast = false
    }

    private(set) var packets: [Packet] = []
    private var links: [Int: Link] = [:]
    private var count = 0
    /// Whether each packet has its place in a connection event of its own, for sniffers that tell no directions.
    private let hasEvents: Bool
    private var clock: UInt64 = 0

    init(_ layouts: Layouts, hasEvents: Bool = false) {
        self.hasEvents = hasEvents
        for packet in layouts.packets {
            clock = hasEvents ? max(clock + 7_500, packet.time) : packet.time
            switch packet.h4[0] {
            case 2: addData(packet)
            case 4: addEvent(packet.body)
            default: break
            }
        }
    }

    // MARK: What becomes a packet

    private mutating func addEvent(_ event: [UInt8]) {
        func number(_ offset: Int) -> Int { Int(event[offset]) | Int(event[offset + 1]) << 8 }
        switch (event[0], event.count > 2 ? event[2] : 0) {
        // LE Connection Complete, and its enhanced versions with two more addresses.
        case (0x3E, 0x01) where event[3] == 0, (0x3E, 0x0A) where event[3] == 0, (0x3E, 0x29) where event[3] == 0:
            let parameters = event[2] == 0x01 ? 14 : 26
            connect(number(4), type: event[7], address: Array(event[8..<14]), Array(event[parameters..<parameters + 6]))
        // Disconnection Complete: 0x16 was this host's wish, all others the peer's.
        case (0x05, 0) where links[number(3)] != nil:
            exchange(number(3), isCentral: event[5] == 0x16, llid: 3, [0x02, event[5]])
            links[number(3)] = nil
        default: break
        }
    }

    private mutating func connect(_ handle: Int, type: UInt8, address: [UInt8], _ parameters: [UInt8]) {
        count += 1
        let link = Link(accessAddress: [0x71, UInt8(count), 0x65, 0x50], crcInit: 0x55AA00 | UInt32(count))
        links[handle] = link
        let crcInit = [0, 8, 16].map { UInt8(truncatingIfNeeded: link.crcInit >> UInt32($0)) }
        // A static random initiator, the window at once, the interval, latency and timeout, all channels.
        let payload =
            [1, 2, 3, 4, 5, 0xC6] + address + link.accessAddress + crcInit + [1, 0, 0] + parameters
            + [0xFF, 0xFF, 0xFF, 0xFF, 0x1F, 0x25]
        let pdu = [0x45 | (type & 1) << 7, UInt8(payload.count)] + payload
        packets.append(
            Packet(
                octets: [0xD6, 0xBE, 0x89, 0x8E] + pdu + Self.crc(pdu, 0x55_5555), isCentral: true, isAdvertising: true,
                isBad: false, time: clock))
    }

    private mutating func addData(_ packet: Layouts.Packet) {
        let handle = Int(packet.body[0]) | Int(packet.body[1]) << 8
        let data = Array(packet.body.dropFirst(4))
        guard links[handle & 0x0FFF] != nil else { return }
        var place = 0
        repeat {
            let end = min(place + 27, data.count)
            let isFirst = place == 0 && handle >> 12 & 0b11 != 0b01
            exchange(
                handle & 0x0FFF, isCentral: !packet.isReceived, llid: isFirst ? 2 : 1, Array(data[place..<end]))
            place = end
        } while place < data.count
    }

    /// One PDU and its acknowledgement. In an event of its own the central begins, with an empty PDU if it has nothing to say.
    private mutating func exchange(_ handle: Int, isCentral: Bool, llid: UInt8, _ payload: [UInt8]) {
        // The two always take turns.
        let isTurn = hasEvents ? isCentral : links[handle]?.isCentralLast != isCentral
        if !isTurn { send(handle, isCentral: !isCentral, llid: 1, []) }
        if !hasEvents, packets.count.isMultiple(of: 7) {
            send(handle, isCentral: isCentral, llid: llid, payload, isBad: true)
        }
        send(handle, isCentral: isCentral, llid: llid, payload)
        if !hasEvents, packets.count.isMultiple(of: 5), let again = packets.last { packets.append(again) }
        if !hasEvents || isCentral { send(handle, isCentral: !isCentral, llid: 1, []) }
        if hasEvents { clock += 7_500 }
    }

    private mutating func send(_ handle: Int, isCentral: Bool, llid: UInt8, _ payload: [UInt8], isBad: Bool = false) {
        guard var link = links[handle] else { return }
        let (side, other) = isCentral ? (0, 1) : (1, 0)
        let header = llid | (link.nesn[side] ? 0x04 : 0) | (link.sn[side] ? 0x08 : 0)
        let pdu = [header, UInt8(payload.count)] + payload
        var crc = Self.crc(pdu, link.crcInit)
        if isBad { crc[1] ^= 0x40 }
        packets.append(
            Packet(
                octets: link.accessAddress + pdu + crc, isCentral: isCentral, isAdvertising: false, isBad: isBad,
                time: clock))
        guard !isBad else { return }
        // It was heard: the other side acknowledges it, and this one goes on.
        link.nesn[other].toggle()
        link.sn[side].toggle()
        link.isCentralLast = isCentral
        links[handle] = link
        // What it took at LE 1M, and the time to the next.
        if hasEvents { clock += UInt64(8 * (pdu.count + 8) + 150) }
    }

    /// Vol 6, Part B, 3.1.1, with the register's highest position first.
    private static func crc(_ pdu: [UInt8], _ initial: UInt32) -> [UInt8] {
        var register = initial
        for octet in pdu {
            for bit in 0..<8 {
                let feedback = register >> 23 & 1 ^ UInt32(octet >> UInt8(bit) & 1)
                register = register << 1 & 0xFF_FFFF ^ (feedback == 1 ? 0x00_065B : 0)
            }
        }
        return (0..<3).map { place in
            (0..<8).reduce(0) {
                $0 | UInt8(truncatingIfNeeded: register >> UInt32(23 - 8 * place - $1) & 1) << UInt8($1)
            }
        }
    }

    // MARK: Files

    /// LINKTYPE_BLUETOOTH_LE_LL_WITH_PHDR: de-whitened, CRC checked, who sent it.
    var withPseudoHeader: [UInt8] {
        pcap(256) { packet in
            var flags = 0x0401 | (packet.isBad ? 0 : 0x0800)
            if !packet.isAdvertising { flags |= (packet.isCentral ? 2 : 3) << 7 }
            return [9, 0xC0, 0, 0, 0, 0, 0, 0, UInt8(flags & 0xFF), UInt8(flags >> 8)] + packet.octets
        }
    }

    /// LINKTYPE_NORDIC_BLE, protocol version 3.
    var nordic: [UInt8] { pcap(272, nordicRecord) }

    private func nordicRecord(_ packet: Packet) -> [UInt8] {
        let identifier: UInt8 = packet.isAdvertising ? 2 : 6
        let flags: UInt8 = (packet.isBad ? 0 : 1) | (packet.isCentral && !packet.isAdvertising ? 2 : 0)
        let length = packet.octets.count + 10
        return [1, UInt8(length & 0xFF), UInt8(length >> 8), 3, 0, 0, identifier, 10, flags]
            + [packet.isAdvertising ? 37 : 9, 64, 0, 0, 0, 0, 0, 0] + packet.octets
    }

    /// LINKTYPE_BLUETOOTH_LE_LL, which tells nothing beside.
    var bare: [UInt8] { pcap(251) { $0.octets } }

    /// The same as pcapng, as sniffers write it to a pipe.
    var nordicStream: [UInt8] {
        func block(_ type: UInt64, _ body: [UInt8]) -> [UInt8] {
            let padded = body + [UInt8](repeating: 0, count: (4 - body.count % 4) % 4)
            let length = little(UInt64(padded.count) + 12, 4)
            return little(type, 4) + length + padded + length
        }
        var stream = block(0x0A0D_0D0A, little(0x1A2B_3C4D, 4) + little(1, 4) + little(-1, 8))
        stream += block(1, little(272, 4) + little(0, 4))
        for packet in packets {
            let bytes = nordicRecord(packet)
            let times = little(packet.time >> 32, 4) + little(packet.time & 0xFFFF_FFFF, 4)
            let length = little(UInt64(bytes.count), 4)
            stream += block(6, little(0, 4) + times + length + length + bytes)
        }
        return stream
    }

    private func pcap(_ linkType: UInt16, _ record: (Packet) -> [UInt8]) -> [UInt8] {
        var file = little(0xA1B2_C3D4, 4) + [2, 0, 4, 0] + little(0, 8) + little(65_535, 4) + little(linkType, 4)
        for packet in packets {
            let bytes = record(packet)
            file += little(packet.time / 1_000_000, 4) + little(packet.time % 1_000_000, 4)
            file += little(bytes.count, 4) + little(bytes.count, 4) + bytes
        }
        return file
    }
}
