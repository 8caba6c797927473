import AttlasCapture
import AttlasTestSupport

/// A recorded conversation as a sniffer would have heard it, laid out by the Core Specification, Vol 6, Part B, 2.
///
/// Each ACL packet becomes data PDUs of up to 27 octets, which the other side acknowledges with an empty one. Some are sent twice,
/// and some come with a wrong CRC first, as on the air.
struct AirLayout {
    struct Transmission {
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

    private(set) var packets: [Transmission] = []
    private var links: [Int: Link] = [:]
    private var count = 0
    /// Whether each packet has its place in a separate connection event, for sniffers without directions.
    private let hasEvents: Bool
    private var clock: UInt64 = 0

    init(_ packets: [Packet], hasEvents: Bool = false) {
        self.hasEvents = hasEvents
        for packet in packets {
            clock = hasEvents ? max(clock + 7_500, packet.microseconds) : packet.microseconds
            switch packet.content {
            case .packet(.acl): addData(packet)
            case .packet(.event): addEvent(packet.octets)
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
            Transmission(
                octets: [0xD6, 0xBE, 0x89, 0x8E] + pdu + linkLayerCRC(pdu, initial: 0x55_5555), isCentral: true,
                isAdvertising: true,
                isBad: false, time: clock))
    }

    private mutating func addData(_ packet: Packet) {
        let handle = Int(packet.octets[0]) | Int(packet.octets[1]) << 8
        let data = Array(packet.octets.dropFirst(4))
        guard links[handle & 0x0FFF] != nil else { return }
        var place = 0
        repeat {
            let end = min(place + 27, data.count)
            let isFirst = place == 0 && handle >> 12 & 0b11 != 0b01
            exchange(
                handle & 0x0FFF, isCentral: packet.direction == .tx, llid: isFirst ? 2 : 1, Array(data[place..<end]))
            place = end
        } while place < data.count
    }

    /// One PDU and its acknowledgement. In a separate event the central begins, with an empty PDU if it has nothing to say.
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
        var crc = linkLayerCRC(pdu, initial: link.crcInit)
        if isBad { crc[1] ^= 0x40 }
        packets.append(
            Transmission(
                octets: link.accessAddress + pdu + crc, isCentral: isCentral, isAdvertising: false, isBad: isBad,
                time: clock))
        guard !isBad else { return }
        // It was heard: the other side acknowledges it, and this one continues.
        link.nesn[other].toggle()
        link.sn[side].toggle()
        link.isCentralLast = isCentral
        links[handle] = link
        // What it took at LE 1M, and the time to the next.
        if hasEvents { clock += UInt64(8 * (pdu.count + 8) + 150) }
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

    private func nordicRecord(_ packet: Transmission) -> [UInt8] {
        let identifier: UInt8 = packet.isAdvertising ? 2 : 6
        let flags: UInt8 = (packet.isBad ? 0 : 1) | (packet.isCentral && !packet.isAdvertising ? 2 : 0)
        let length = packet.octets.count + 10
        return [1, UInt8(length & 0xFF), UInt8(length >> 8), 3, 0, 0, identifier, 10, flags]
            + [packet.isAdvertising ? 37 : 9, 64, 0, 0, 0, 0, 0, 0] + packet.octets
    }

    /// LINKTYPE_BLUETOOTH_LE_LL, which has nothing but the packet.
    var bare: [UInt8] { pcap(251) { $0.octets } }

    /// The same as pcapng, as sniffers write it to a pipe.
    var nordicStream: [UInt8] {
        let blocks = PCAPNGBlocks()
        return blocks.section() + blocks.interface(272)
            + packets.flatMap { blocks.enhanced(nordicRecord($0), ticks: $0.time) }
    }

    private func pcap(_ linkType: UInt32, _ record: (Transmission) -> [UInt8]) -> [UInt8] {
        let kind = PCAPKind()
        return kind.header(linkType)
            + packets.flatMap {
                kind.record(
                    record($0), seconds: UInt32($0.time / 1_000_000), fraction: UInt32($0.time % 1_000_000))
            }
    }
}
