import AttlasCapture
import AttlasTrace
import AttlasWire

/// Packets from the air.
extension Anonymizer {
    /// Advertising at once; a connection's packets with what they carry.
    mutating func editAir(_ index: Int, hasCodingIndicator: Bool) {
        let start = hasCodingIndicator ? 5 : 4
        guard scratch.count >= start + 2 else {
            edits.append(Edit(range: 0..<scratch.count, treatment: .unknown))
            return finishPacket(index)
        }
        let isAdvertising = Bytes(scratch.span).uint32(at: 0) == LinkLayerPacket.advertisingAccessAddress
        guard isAdvertising else {
            // An empty PDU. Of others, decoding says what they are.
            if scratch[start + 1] == 0 {
                edits.append(Edit(range: start + 2 + 3..<max(start + 5, scratch.count), treatment: .unknown))
                finishPacket(index)
            }
            return
        }
        let end = min(scratch.count, start + 2 + Int(scratch[start + 1]))
        editAdvertising(start, start + 2..<end)
        // After the CRC.
        if end + 3 < scratch.count { edits.append(Edit(range: end + 3..<scratch.count, treatment: .unknown)) }
        finishPacket(index)
    }

    /// A control PDU of a connection: what has no identity in it and no key stays. Core Specification, Vol 6, Part B, 2.4.2.
    ///
    /// - Returns: false if it is none.
    mutating func editControl(_ index: Int) -> Bool {
        let (data, _) = Self.data(of: records[index])
        let header = Self.startOfPDU(in: records[index])
        load(index)
        guard scratch.count > header, scratch[header] & 0b11 == 0b11, !data.isEmpty else { return false }
        let opcode = Int(scratch[data.lowerBound])
        let length = opcode < Self.controlLengths.count ? Self.controlLengths[opcode] : 0
        let kept = min(data.lowerBound + 1 + length, data.upperBound)
        edits.append(Edit(range: kept..<data.upperBound, treatment: .unknown))
        if data.upperBound + 3 < scratch.count {
            edits.append(Edit(range: data.upperBound + 3..<scratch.count, treatment: .unknown))
        }
        finishPacket(index)
        return true
    }

    /// Octets after the opcode that stay, by opcode. None of the requests for encryption and their answers, nor of
    /// LL_PERIODIC_SYNC_IND.
    private static let controlLengths = [
        11, 7, 1, 0, 0, 0, 0, 1, 8, 8, 0, 0, 5, 1, 8, 23, 23, 2, 0, 0, 8, 8, 2, 2, 4, 2, 1, 0, 0, 1, 1, 35, 8, 15, 3, 3,
        4,
        4, 10, 10, 3, 10,
    ]

    private mutating func editAdvertising(_ header: Int, _ payload: Range<Int>) {
        let (txAdd, rxAdd) = (scratch[header] & 0x40 != 0, scratch[header] & 0x80 != 0)
        func add(_ offset: Int, _ length: Int, _ treatment: Treatment) {
            let start = payload.lowerBound + offset
            if start + length <= payload.upperBound {
                edits.append(Edit(range: start..<start + length, treatment: treatment))
            } else if start < payload.upperBound {
                edits.append(Edit(range: start..<payload.upperBound, treatment: .unknown))
            }
        }
        switch scratch[header] & 0x0F {
        // ADV_IND, ADV_NONCONN_IND, SCAN_RSP, ADV_SCAN_IND.
        case 0, 2, 4, 6:
            add(0, 6, .address(isRandom: txAdd))
            add(6, max(0, payload.count - 6), .advertisingData(mayBeCut: false))
        // ADV_DIRECT_IND, SCAN_REQ, CONNECT_IND: two addresses.
        case 1, 3, 5:
            add(0, 6, .address(isRandom: txAdd))
            add(6, 6, .address(isRandom: rxAdd))
        case 7, 8: editExtended(payload, txAdd: txAdd, rxAdd: rxAdd)
        default: add(0, payload.count, .unknown)
        }
    }

    /// The common extended advertising payload. Core Specification, Vol 6, Part B, 2.3.4.
    private mutating func editExtended(_ payload: Range<Int>, txAdd: Bool, rxAdd: Bool) {
        guard let first = payload.first else { return }
        let headerEnd = min(first + 1 + Int(scratch[first] & 0x3F), payload.upperBound)
        var hasAddress = false
        if headerEnd > first + 1 {
            let flags = scratch[first + 1]
            var place = first + 2
            for (bit, isRandom) in [(0, txAdd), (1, rxAdd)] where flags >> bit & 1 == 1 {
                edits.append(
                    Edit(range: place..<min(place + 6, headerEnd), treatment: .address(isRandom: isRandom)))
                place = min(place + 6, headerEnd)
                hasAddress = hasAddress || bit == 0
            }
            // CTEInfo, ADI, AuxPtr, SyncInfo and TxPower; then ACAD.
            for (bit, length) in [(2, 1), (3, 2), (4, 3), (5, 18), (6, 1)] where flags >> bit & 1 == 1 {
                place = min(place + length, headerEnd)
            }
            if place < headerEnd {
                edits.append(Edit(range: place..<headerEnd, treatment: .advertisingData(mayBeCut: false)))
            }
        }
        // Without the address it may continue data of a packet before it, in the middle of a structure.
        if headerEnd < payload.upperBound {
            edits.append(
                Edit(
                    range: headerEnd..<payload.upperBound,
                    treatment: hasAddress ? .advertisingData(mayBeCut: true) : .unknown))
        }
    }

    private static func startOfPDU(in record: borrowing Record) -> Int {
        record.radio?.hasCodingIndicator == true ? 5 : 4
    }

    /// Where the payload of a data PDU is.
    static func airData(of record: borrowing Record) -> (range: Range<Int>, isFirst: Bool) {
        let bytes = record.bytes
        let header = startOfPDU(in: record)
        guard bytes.count >= header + 2 else { return (bytes.count..<bytes.count, false) }
        let isFirst = bytes[header] & 0b11 == 0b10
        // The CTEInfo of a data PDU follows its header and is not counted in the length.
        let start = header + 2 + (bytes[header] & 0x20 != 0 ? 1 : 0)
        let end = min(bytes.count, start + Int(bytes[header + 1]))
        return (min(start, end)..<end, isFirst)
    }

    // MARK: Check sequence

    /// Keeps with which initial value the CRC of a packet fits, before anything is changed in it.
    mutating func noteCRC(of record: borrowing Record) {
        guard !isCollecting, let radio = record.radio, radio.crc != .bad,
            let packet = try? LinkLayerPacket(record.bytes, hasCodingIndicator: radio.hasCodingIndicator),
            // Some sniffers write none.
            packet.missing == 0, let crc = packet.crc, crc != 0
        else { return }
        initialCRCs[record.frame] = LinkLayerCRC.initial(of: packet.pdu, crc: crc)
    }

    /// Makes the CRC fit what was changed.
    mutating func renewCRC(_ index: Int) {
        guard let initial = initialCRCs.removeValue(forKey: records[index].frame),
            let (start, crc) = Self.crc(of: records[index], initial: initial)
        else { return }
        records.replace(index, from: start, with: crc.littleEndianOctets.prefix(3))
    }

    /// The CRC of a packet, and where it is.
    private static func crc(of record: borrowing Record, initial: UInt32) -> (start: Int, crc: UInt32)? {
        guard let radio = record.radio,
            let packet = try? LinkLayerPacket(record.bytes, hasCodingIndicator: radio.hasCodingIndicator)
        else { return nil }
        let crc = LinkLayerCRC.crc(of: packet.pdu, initial: initial)
        return (startOfPDU(in: record) + packet.pdu.count, crc)
    }
}
