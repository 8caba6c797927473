import AttlasCapture
import AttlasTrace
import AttlasWire

/// Packets from the air.
extension Anonymizer {
    static let crcLength = 3

    /// The edits of advertising, and of records without a packet; nil for a packet of a connection, whose contents decoding reports.
    static func editsOfAir(_ record: borrowing Record) -> [Edit]? {
        let count = record.bytes.count
        guard let packet = packet(of: record) else { return all(of: count, from: 0, .unknown) }
        let start = startOfPDU(in: record)
        let rest = all(of: count, from: start + packet.pdu.count + crcLength, .unknown)
        guard packet.isAdvertising else { return (try? DataPDU(packet.pdu))?.length == 0 ? rest : nil }
        guard let pdu = try? AdvertisingPDU(packet.pdu) else { return all(of: count, from: start, .unknown) }
        let payload = start + packet.pdu.count - pdu.payload.count
        return edits(of: pdu).map {
            Edit(range: payload + $0.range.lowerBound..<payload + $0.range.upperBound, treatment: $0.treatment)
        } + rest
    }

    /// The edits of a control PDU of a connection; nil for another packet. PDUs without an identity or a key stay. Core Specification,
    /// Vol 6, Part B, 2.4.2.
    static func editsOfLinkControl(_ record: borrowing Record) -> [Edit]? {
        guard let packet = packet(of: record), let pdu = try? DataPDU(packet.pdu), pdu.llid == .control,
            !pdu.payload.isEmpty
        else { return nil }
        let data = airData(of: record).range
        let opcode = Int(pdu.payload[0])
        let kept = opcode < controlLengths.count ? controlLengths[opcode] : 0
        let replaced = (encryptionParts[opcode] ?? []).map {
            Edit(range: data.lowerBound + $0.lowerBound..<data.lowerBound + $0.upperBound, treatment: .octets)
        }
        return replaced + all(of: data.upperBound, from: data.lowerBound + 1 + kept, .unknown)
            + all(of: record.bytes.count, from: data.upperBound + crcLength, .unknown)
    }

    /// The parts of session keys: Rand, SKD and IV of LL_ENC_REQ, SKD and IV of LL_ENC_RSP. The EDIV stays.
    private static let encryptionParts: [Int: [Range<Int>]] = [3: [1..<9, 11..<19, 19..<23], 4: [1..<9, 9..<13]]

    /// Octets after the opcode that stay, by opcode. None of LL_PERIODIC_SYNC_IND.
    private static let controlLengths: [Int] =
        [11, 7, 1, 22, 12, 0, 0, 1, 8, 8, 0, 0, 5, 1, 8, 23]
        + [23, 2, 0, 0, 8, 8, 2, 2, 4, 2, 1, 0, 0, 1, 1, 35]
        + [8, 15, 3, 3, 4, 4, 10, 10, 3, 10]

    /// In the payload.
    private static func edits(of pdu: AdvertisingPDU) -> [Edit] {
        let payload = pdu.payload
        // A truncated address is not an address.
        func address(_ start: Int, _ isRandom: Bool) -> Edit {
            Edit(
                range: min(start, payload.count)..<min(start + 6, payload.count),
                treatment: .address(isRandom: isRandom)
            )
        }
        switch pdu.type {
        case .advInd, .advNonconnInd, .scanRsp, .advScanInd:
            return [address(0, pdu.txAdd)] + all(of: payload.count, from: 6, .advertisingData(mayBeCut: false))
        // The parameters of a connection follow the addresses.
        case .advDirectInd, .scanReq, .connectInd:
            return [address(0, pdu.txAdd), address(6, pdu.rxAdd)]
                + all(of: payload.count, from: pdu.type == .connectInd ? 34 : 12, .unknown)
        case .extended, .auxConnectRsp: return editsOfExtended(payload, txAdd: pdu.txAdd, rxAdd: pdu.rxAdd)
        default: return all(of: payload.count, from: 0, .unknown)
        }
    }

    /// The common extended advertising payload. Core Specification, Vol 6, Part B, 2.3.4.
    private static func editsOfExtended(_ payload: Bytes, txAdd: Bool, rxAdd: Bool) -> [Edit] {
        guard !payload.isEmpty else { return [] }
        let headerEnd = min(1 + Int(payload[0] & 0x3F), payload.count)
        var edits: [Edit] = []
        var hasAddress = false
        if headerEnd > 1 {
            let flags = payload[1]
            var place = 2
            for (bit, isRandom) in [(0, txAdd), (1, rxAdd)] where flags >> bit & 1 == 1 {
                let end = min(place + 6, headerEnd)
                edits.append(Edit(range: place..<end, treatment: .address(isRandom: isRandom)))
                place = end
                hasAddress = hasAddress || bit == 0
            }
            // CTEInfo, ADI, AuxPtr, SyncInfo and TxPower; then ACAD.
            for (bit, length) in [(2, 1), (3, 2), (4, 3), (5, 18), (6, 1)] where flags >> bit & 1 == 1 {
                place = min(place + length, headerEnd)
            }
            edits += all(of: headerEnd, from: place, .advertisingData(mayBeCut: false))
        }
        // Without the address it may continue data of a packet before it, in the middle of a structure.
        return edits
            + all(of: payload.count, from: headerEnd, hasAddress ? .advertisingData(mayBeCut: true) : .unknown)
    }

    @_lifetime(copy record)
    private static func packet(of record: borrowing Record) -> LinkLayerPacket? {
        guard let radio = record.radio else { return nil }
        return try? LinkLayerPacket(record.bytes, hasCodingIndicator: radio.hasCodingIndicator)
    }

    private static func startOfPDU(in record: borrowing Record) -> Int {
        record.radio?.hasCodingIndicator == true ? 5 : 4
    }

    /// Where the payload of a data PDU is.
    static func airData(of record: borrowing Record) -> (range: Range<Int>, isFirst: Bool) {
        let count = record.bytes.count
        guard let packet = packet(of: record), !packet.isAdvertising, let pdu = try? DataPDU(packet.pdu) else {
            return (count..<count, false)
        }
        let end = startOfPDU(in: record) + packet.pdu.count
        return (end - pdu.payload.count..<end, pdu.llid == .start)
    }

    // MARK: Encrypted and retransmitted packets

    /// The last packets of each connection, for retransmissions.
    struct HeardPackets {
        struct Packet {
            let frame: Int
            let payload: [UInt8]
            /// Decrypted, if it was encrypted.
            var plain: [UInt8]?
            /// As it is written, once that is known.
            var written: [UInt8]?
        }

        private static let limit = 16
        private static let connectionLimit = 256
        /// By access address.
        private var packets: [UInt32: [Packet]] = [:]
        /// Frames of retransmissions, by the frame of the first copy, which waits.
        private var waiting: [Int: [Int]] = [:]

        init() {}

        fileprivate mutating func note(_ payload: [UInt8], _ accessAddress: UInt32, frame: Int) {
            if packets[accessAddress] == nil, packets.count >= Self.connectionLimit { packets.removeAll() }
            if packets[accessAddress]?.count == Self.limit { packets[accessAddress]?.removeFirst() }
            packets[accessAddress, default: []].append(Packet(frame: frame, payload: payload))
        }

        fileprivate mutating func change(_ accessAddress: UInt32, frame: Int, _ change: (inout Packet) -> Void) {
            guard let place = packets[accessAddress]?.lastIndex(where: { $0.frame == frame }) else { return }
            change(&packets[accessAddress]![place])
        }

        /// The copy before this one.
        fileprivate func copy(before frame: Int, _ accessAddress: UInt32) -> Packet? {
            guard let packets = packets[accessAddress], let this = packets.last(where: { $0.frame == frame }) else {
                return nil
            }
            return packets.last { $0.frame < frame && $0.payload == this.payload }
        }

        fileprivate mutating func wait(_ frame: Int, for first: Int) { waiting[first, default: []].append(frame) }
        fileprivate mutating func takeWaiting(for first: Int) -> [Int] { waiting.removeValue(forKey: first) ?? [] }
        mutating func removeWaiting() { waiting.removeAll(keepingCapacity: true) }
    }

    /// To be called before the record is decoded.
    mutating func noteHeard(_ record: borrowing Record) {
        let range = Self.airData(of: record).range
        if !range.isEmpty {
            heard.note(record.bytes.slice(range).copy(), record.bytes.uint32(at: 0), frame: record.frame)
        }
    }

    /// Comes before the packet's contents.
    mutating func receive(_ packet: AirPacket, _ event: borrowing Event) {
        guard let index = records.index(ofFrame: event.frame), !records.isSettled(index) else { return }
        switch packet.disposition {
        case .taken:
            if let payload = packet.decrypted?.copy() {
                outcome.decrypted += 1
                heard.change(packet.accessAddress, frame: event.frame) { $0.plain = payload }
                decrypt(index, to: payload)
            }
            switch packet.kind {
            case .data, .control:
                if let edits = Self.editsOfLinkControl(records[index]) { edit(index, edits) }
            case .advertising, .other, .unreadable: break
            }
        case .encrypted, .undecryptable:
            outcome.encrypted += 1
            let (range, _) = Self.airData(of: records[index])
            edit(
                index,
                [Edit(range: range, treatment: .ciphertext)]
                    + Self.all(of: records[index].bytes.count, from: range.upperBound + Self.crcLength, .unknown))
        case .retransmission:
            guard let first = heard.copy(before: event.frame, packet.accessAddress) else { return }
            if let plain = first.plain {
                heard.change(packet.accessAddress, frame: event.frame) { $0.plain = plain }
                decrypt(index, to: plain)
            }
            if let written = first.written { return write(written, into: index) }
            heard.wait(event.frame, for: first.frame)
        case .badCRC, .unconfirmed, .ended: return
        }
    }

    /// Gives the last record its payload in the clear, without the MIC.
    private mutating func decrypt(_ index: Int, to payload: [UInt8]) {
        let range = Self.airData(of: records[index]).range
        var octets: [UInt8] = []
        records.copy(index, 0..<range.lowerBound, to: &octets)
        octets[Self.startOfPDU(in: records[index]) + 1] = UInt8(truncatingIfNeeded: payload.count)
        octets += payload
        records.copy(index, range.upperBound..<records[index].bytes.count, to: &octets)
        records.decryptLast(to: octets)
    }

    /// A retransmission has the payload of its first copy.
    private mutating func write(_ payload: [UInt8], into index: Int) {
        let range = Self.airData(of: records[index]).range
        guard range.count == payload.count else { return }
        records.replace(index, from: range.lowerBound, with: payload[...])
        settle(index)
    }

    /// To be called when a record is settled.
    mutating func repeatPayload(of index: Int) {
        let range = Self.airData(of: records[index]).range
        guard !range.isEmpty else { return }
        var payload: [UInt8] = []
        records.copy(index, range, to: &payload)
        let frame = records[index].frame
        heard.change(records[index].bytes.uint32(at: 0), frame: frame) { $0.written = payload }
        for frame in heard.takeWaiting(for: frame) {
            if let index = records.index(ofFrame: frame), !records.isSettled(index) { write(payload, into: index) }
        }
    }

    // MARK: Check sequence

    /// Keeps with which initial value the CRC of a packet fits, before anything is changed in it.
    mutating func noteCRC(of record: borrowing Record) {
        guard !isCollecting, let radio = record.radio, radio.crc != .bad, let packet = Self.packet(of: record),
            // Some sniffers write none.
            packet.missing == 0, let crc = packet.crc, crc != 0
        else { return }
        initialCRCs[record.frame] = LinkLayerCRC.initial(of: packet.pdu, crc: crc)
    }

    /// Makes the CRC fit the changes.
    mutating func renewCRC(_ index: Int) {
        guard let initial = initialCRCs.removeValue(forKey: records[index].frame),
            let (start, crc) = Self.crc(of: records[index], initial: initial)
        else { return }
        records.replace(index, from: start, with: crc.littleEndianOctets.prefix(Self.crcLength))
    }

    /// The CRC of a packet, and where it is.
    private static func crc(of record: borrowing Record, initial: UInt32) -> (start: Int, crc: UInt32)? {
        guard let packet = packet(of: record) else { return nil }
        let crc = LinkLayerCRC.crc(of: packet.pdu, initial: initial)
        return (startOfPDU(in: record) + packet.pdu.count, crc)
    }
}
