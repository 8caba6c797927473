import AttlasCapture
import AttlasWire

/// An interface that a pcapng file describes.
struct WrittenInterface {
    let linkType: LinkType
    /// Ticks of its times in a second.
    let ticks: UInt32
}

/// pcapng: one section, and an interface for each of the capture.
extension RecordEncoder {
    mutating func appendSection() {
        let block = beginBlock(0x0A0D_0D0A)
        octets.append(littleEndian: [0x1A2B_3C4D, 1, .max, .max])
        let options = octets.count
        if let about {
            for comment in about.comments { PacketOptions.append(comment: comment, to: &octets) }
            // Each may be there once.
            var codes: Set<UInt16> = []
            for (code, name) in zip(about.recorderOptions, about.recorder) where codes.insert(code).inserted {
                PacketOptions.append(code, name, to: &octets)
            }
        }
        endBlock(block, optionsFrom: options)
    }

    /// - Parameter comments: Options of pcapng.
    mutating func appendPacket(
        _ record: borrowing Record, of source: [CaptureInterface]?, _ comments: [UInt8]
    ) -> Outcome {
        let index = interface(for: record, of: source)
        let interface = interfaces[index]
        var packet = record.bytes
        head.removeAll(keepingCapacity: true)
        if !record.appendFraming(of: interface.linkType, to: &head) {
            if let radio = record.radio, source == nil {
                head += radio.pseudoHeader(record.direction)
            } else {
                packet = record.framedBytes
                // No link type of pcapng holds it.
                guard source?[index].linkType == interface.linkType else { return .leftOut }
            }
        }
        let time: UInt64 = nearest(record.time, ticks: interface.ticks)
        let captured = packet.count + head.count
        let block = beginBlock(6)
        octets.append(littleEndian: [
            UInt32(clamping: index), UInt32(truncatingIfNeeded: time >> 32), UInt32(truncatingIfNeeded: time),
            UInt32(clamping: captured), UInt32(clamping: captured + record.missing),
        ])
        octets += head
        packet.append(to: &octets)
        for _ in captured..<captured.paddedTo32Bits { octets.append(0) }
        let options = octets.count
        for comment in record.comments { PacketOptions.append(comment: comment, to: &octets) }
        octets += comments
        if record.making != .captured {
            PacketOptions.append(
                comment: about?.isAppLog == true
                    ? "made by attlas from an app's log: the handles and connection events are attlas's own"
                    : "rebuilt from a text by attlas", to: &octets)
        }
        if interface.linkType == .bluetoothHCIH4, record.direction != .unknown {
            // epb_flags: inbound or outbound.
            octets.append(littleEndian: [0x0004_0002, record.direction == .rx ? 1 : 2])
        }
        if drops > 0 {
            // epb_dropcount: since the packet before.
            octets.append(littleEndian: [0x0008_0004, drops, 0])
            drops = 0
        }
        endBlock(block, optionsFrom: options)
        return .written
    }

    // MARK: Interfaces

    /// Its number in the file, which is that in `source`.
    private mutating func interface(for record: borrowing Record, of source: [CaptureInterface]?) -> Int {
        guard let source else {
            let linkType: LinkType = record.radio == nil ? .bluetoothLinuxMonitor : .bluetoothLELLWithPHDR
            if let index = interfaces.firstIndex(where: { $0.linkType == linkType }) { return index }
            appendInterface(linkType, precision: 9)
            return interfaces.count - 1
        }
        while interfaces.count <= record.interface {
            let interface = source[interfaces.count]
            appendInterface(
                interface.linkType.keepsPackets ? interface.linkType : .bluetoothLinuxMonitor,
                precision: interface.precision ?? (record.time.precision <= 6 ? 6 : 9), about: interface)
        }
        return record.interface
    }

    private mutating func appendInterface(
        _ linkType: LinkType, precision: UInt8, about interface: CaptureInterface? = nil
    ) {
        let block = beginBlock(1)
        octets.append(littleEndian: [linkType.rawValue & 0xFFFF, 0])
        let options = octets.count
        for comment in interface?.comments ?? [] { PacketOptions.append(comment: comment, to: &octets) }
        if let name = interface?.name { PacketOptions.append(2, name, to: &octets) }
        if let description = interface?.description { PacketOptions.append(3, description, to: &octets) }
        // if_tsresol: a tick is 10 to the power of this negated.
        octets.append(littleEndian: [0x0001_0009, UInt32(precision)])
        endBlock(block, optionsFrom: options)
        let ticks = (0..<precision).reduce(1 as UInt32) { ticks, _ in ticks * 10 }
        interfaces.append(WrittenInterface(linkType: linkType, ticks: ticks))
    }

    // MARK: Blocks

    /// - Returns: Where the block begins.
    private mutating func beginBlock(_ type: UInt32) -> Int {
        octets.append(littleEndian: [type, 0])
        return octets.count - 8
    }

    /// - Parameter start: Where the options begin, if there are any.
    private mutating func endBlock(_ block: Int, optionsFrom start: Int) {
        // opt_endofopt
        if octets.count > start { octets.append(littleEndian: 0 as UInt32) }
        let length = UInt32(octets.count - block + 4)
        octets.append(littleEndian: length)
        octets.replace(at: block + 4, littleEndian: length)
    }
}
