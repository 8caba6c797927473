import AttlasCapture
import AttlasWire

/// pcap: one link type for all of a file, which its first record chooses.
extension RecordEncoder {
    /// - Parameter source: The link type of the capture that the record is from, if it is from one.
    mutating func appendPCAP(_ record: borrowing Record, _ source: LinkType?) -> Outcome {
        var linkType = format == .pcapMonitor ? LinkType.bluetoothLinuxMonitor : .bluetoothHCIH4WithPHDR
        var head: [UInt8] = []
        if let source, source.isOfAir {
            guard format == .pcap else { return .leftOut }
            linkType = source
        } else if let radio = record.radio {
            linkType = .bluetoothLELLWithPHDR
            head = radio.pseudoHeader(record.direction)
        } else if let framing = record.framing(linkType) {
            head = framing
        } else {
            return .leftOut
        }
        if pcap == nil { beginPCAP(linkType, isNanoseconds: record.time.precision > 6) }
        guard let pcap, pcap.linkType == linkType else {
            return .refused(
                "pcap has one link type in a file, and these packets have several", advice: "Use pcapng.")
        }
        let packet = linkType.isOfAir && head.isEmpty ? record.framedBytes : record.bytes
        let ticks: UInt64 = pcap.isNanoseconds ? 1_000_000_000 : 1_000_000
        let time: UInt64 = nearest(record.time, ticks: Int128(ticks))
        append(seconds: time / ticks, fraction: UInt32(time % ticks)) { $0.append(littleEndian: $1) }
        let captured = head.count + packet.count
        append(UInt32(clamping: captured).littleEndianOctets)
        append(UInt32(clamping: captured + record.missing).littleEndianOctets)
        append(head)
        append(packet.copy())
        return .written
    }

    private mutating func beginPCAP(_ linkType: LinkType, isNanoseconds: Bool) {
        pcap = (linkType, isNanoseconds)
        append((isNanoseconds ? 0xA1B2_3C4D : 0xA1B2_C3D4 as UInt32).littleEndianOctets)
        append([2, 0, 4, 0] + [UInt8](repeating: 0, count: 8))
        append(packetLimit.littleEndianOctets)
        append(linkType.rawValue.littleEndianOctets)
    }
}

extension Record {
    /// What precedes the packet in records of that link type; nil if they cannot hold it.
    func framing(_ linkType: LinkType) -> [UInt8]? {
        switch linkType {
        case .bluetoothLinuxMonitor:
            guard let opcode = monitorOpcode else { return nil }
            return [
                UInt8(controller >> 8), UInt8(truncatingIfNeeded: controller), UInt8(opcode >> 8),
                UInt8(truncatingIfNeeded: opcode),
            ]
        case .bluetoothHCIH4: return h4Type.map { [$0] }
        case .bluetoothHCIH4WithPHDR: return h4Type.map { [0, 0, 0, direction == .tx ? 0 : 1, $0] }
        default: return nil
        }
    }
}
