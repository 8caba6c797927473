import AttlasCapture

/// Packets of a device as a pcapng stream, in which each can have the number of packets lost before it.
struct DeviceStream {
    var pending = PendingOctets()
    /// The lost packets that the stream has reported.
    private var told: UInt64 = 0

    init(linkType: UInt16, snapLength: UInt32) {
        append(block: 0x0A0D_0D0A) { body in
            body.append(littleEndian: 0x1A2B_3C4D as UInt32)
            // Version 1.0, and a section of unknown length.
            body.append(littleEndian: 1 as UInt32)
            body.append(littleEndian: UInt64.max)
        }
        // The times of its packets are in microseconds.
        append(block: 1) { body in
            body.append(littleEndian: UInt32(linkType))
            body.append(littleEndian: snapLength)
        }
    }

    /// - Parameters:
    ///   - length: of the packet, of which `octets` were captured.
    ///   - lost: packets since the beginning.
    mutating func append(microseconds: Int64, length: UInt32, _ octets: some Collection<UInt8>, lost: UInt64) {
        let losses = lost > told ? lost - told : 0
        told += losses
        append(block: 6) { body in
            body.append(littleEndian: 0 as UInt32)
            let time = UInt64(clamping: microseconds)
            body.append(littleEndian: UInt32(truncatingIfNeeded: time >> 32))
            body.append(littleEndian: UInt32(truncatingIfNeeded: time))
            body.append(littleEndian: UInt32(clamping: octets.count))
            body.append(littleEndian: length)
            body.append(contentsOf: octets)
            body.append(contentsOf: repeatElement(0, count: -octets.count & 3))
            // epb_dropcount: since the packet before.
            if losses > 0 { Self.append(option: 4, losses, to: &body) }
        }
    }

    /// Appends the losses after the last packet.
    mutating func appendStatistics(lost: UInt64) {
        guard lost > told else { return }
        told = lost
        append(block: 5) { body in
            for _ in 0..<3 { body.append(littleEndian: 0 as UInt32) }
            // isb_ifdrop: since the beginning.
            Self.append(option: 5, lost, to: &body)
        }
    }

    private static func append(option: UInt16, _ value: UInt64, to body: inout [UInt8]) {
        body.append(littleEndian: option)
        body.append(littleEndian: 8 as UInt16)
        body.append(littleEndian: value)
        // The end of the options.
        body.append(littleEndian: 0 as UInt32)
    }

    private mutating func append(block type: UInt32, _ fill: (inout [UInt8]) -> Void) {
        var body: [UInt8] = []
        fill(&body)
        let length = UInt32(body.count + 12)
        pending.append(littleEndian: type)
        pending.append(littleEndian: length)
        pending.append(body)
        pending.append(littleEndian: length)
    }
}
