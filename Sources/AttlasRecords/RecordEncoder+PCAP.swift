import AttlasCapture
import AttlasWire

/// pcap: one link type for all of a file, which its first record chooses.
extension RecordEncoder {
    /// - Parameter source: The link type of the capture that the record is from, if it is from one.
    mutating func appendPCAP(_ record: borrowing Record, _ source: LinkType?) -> Outcome {
        var linkType = format == .pcapMonitor ? LinkType.bluetoothLinuxMonitor : .bluetoothHCIH4WithPHDR
        head.removeAll(keepingCapacity: true)
        if let source, source.isOfAir {
            guard format == .pcap else { return .leftOut }
            linkType = source
        } else if let radio = record.radio {
            linkType = .bluetoothLELLWithPHDR
            head += radio.pseudoHeader(record.direction)
        } else if !record.appendFraming(of: linkType, to: &head) {
            return .leftOut
        }
        if pcap == nil { beginPCAP(linkType, isNanoseconds: record.time.precision > 6) }
        guard let pcap, pcap.linkType == linkType else {
            return .refused(
                "pcap has one link type in a file, and these packets have several", advice: "Use pcapng.")
        }
        let packet = linkType.isOfAir && head.isEmpty ? record.framedBytes : record.bytes
        let (seconds, fraction) = parts(of: record.time, ticks: pcap.isNanoseconds ? 1_000_000_000 : 1_000_000)
        let captured = head.count + packet.count
        octets.append(littleEndian: [
            seconds, fraction, UInt32(clamping: captured), UInt32(clamping: captured + record.missing),
        ])
        octets += head
        packet.append(to: &octets)
        return .written
    }

    private mutating func beginPCAP(_ linkType: LinkType, isNanoseconds: Bool) {
        pcap = (linkType, isNanoseconds)
        octets.append(littleEndian: [
            isNanoseconds ? 0xA1B2_3C4D : 0xA1B2_C3D4, 0x0004_0002, 0, 0, packetLimit, linkType.rawValue,
        ])
    }
}

extension Record {
    /// Appends the framing before the packet in records of that link type; false if they cannot hold it.
    func appendFraming(of linkType: LinkType, to head: inout [UInt8]) -> Bool {
        switch linkType {
        case .bluetoothLinuxMonitor:
            guard let opcode = monitorOpcode else { return false }
            head.append(bigEndian: [UInt32(controller) << 16 | UInt32(opcode)])
        case .bluetoothHCIH4:
            guard let type = h4Type else { return false }
            head.append(type)
        case .bluetoothHCIH4WithPHDR:
            guard let type = h4Type else { return false }
            head.append(bigEndian: [direction == .tx ? 0 : 1])
            head.append(type)
        default: return false
        }
        return true
    }
}
