import AttlasWire

/// Blocks that hold a packet.
extension PCAPNG {
    /// Enhanced Packet Block and its obsolete forerunner, the Packet Block. Sections 4.3 and A.
    ///
    /// ```
    /// | interface 32 (16, and drops 16) | time, upper 32 | time, lower 32 | captured 32 | original 32 | packet … | options |
    /// ```
    mutating func packet(_ input: borrowing InputBuffer, _ length: Int, isEnhanced: Bool) -> RecordHeader? {
        let bytes = input.bytes
        let number = isEnhanced ? bytes.uint32(at: 8, order) : UInt32(bytes.uint16(at: 8, order))
        let ticks = UInt64(bytes.uint32(at: 12, order)) << 32 | UInt64(bytes.uint32(at: 16, order))
        let captured = bytes.uint32(at: 20, order)
        let original = bytes.uint32(at: 24, order)
        guard let index = index(ofInterface: number) else { return brokenByInterface(input, number) }

        lastTime = Timestamp(
            ticks: ticks, resolution: interfaces[index].resolution, offset: interfaces[index].timeOffset)
        if let reason = contradiction(captured: captured, original: original) { return broken(input, reason) }
        let end = 28 + Int(captured)
        guard end <= length - 4 else {
            return broken(input, "packet of \(captured) bytes in a block that has room for \(length - 32)")
        }
        var options = PacketOptions()
        let optionsStart = 28 + Int(captured).paddedTo32Bits
        if optionsStart < length - 4 { options.read(bytes.slice(optionsStart..<length - 4), order) }
        if !isEnhanced {
            let drops = bytes.uint16(at: 10, order)
            // All ones: not known.
            options.drops = drops == .max ? 0 : UInt64(drops)
        }
        return record(input, index, place: 28..<end, missing: original - captured, options)
    }

    /// Simple Packet Block: original length 32, packet. Of the section's first interface, without a time. Section 4.4.
    mutating func simplePacket(_ input: borrowing InputBuffer, _ length: Int) -> RecordHeader? {
        guard let index = index(ofInterface: 0) else { return brokenByInterface(input, 0) }
        let original = input.bytes.uint32(at: 8, order)
        let limit = interfaces[index].snapLength
        // The block does not say how much was captured: as much as the interface allows. Its end may be padding.
        let captured = limit == 0 ? original : min(original, limit)
        guard captured <= length - 16 else {
            return broken(input, "packet of \(captured) bytes in a block that has room for \(length - 16)")
        }
        if let reason = contradiction(captured: captured, original: original) { return broken(input, reason) }
        return record(
            input, index, place: 12..<12 + Int(captured), missing: original - captured, PacketOptions())
    }

    private mutating func record(
        _ input: borrowing InputBuffer, _ index: Int, place: Range<Int>, missing: UInt32, _ options: PacketOptions
    ) -> RecordHeader? {
        interfaces[index].lost = interfaces[index].lost.addingSaturating(options.drops)
        guard let framing = interfaces[index].framing else { return refuse(input, index) }
        let lost = options.drops.addingSaturating(interfaces[index].untoldLost)
        interfaces[index].untoldLost = 0
        var header = RecordHeader(
            frame: frame, offset: input.offset, time: lastTime,
            head: PacketHead(framing, input.bytes.slice(place), direction: options.direction),
            controller: UInt16(clamping: index), place: input.place(place.lowerBound, place.count),
            missing: missing, lost: UInt32(clamping: lost))
        header.comments = options.comments
        return header
    }

    /// Says once per interface that its packets cannot be read.
    private mutating func refuse(_ input: borrowing InputBuffer, _ index: Int) -> RecordHeader? {
        skipped += 1
        guard !interfaces[index].isRefused else { return nil }
        interfaces[index].isRefused = true
        let type = interfaces[index].about.linkType.numberAndName
        let number = index - firstInterface
        var record = broken(
            input, "interface \(number) has link type \(type): not supported yet, its packets are skipped")
        record.controller = UInt16(clamping: index)
        return record
    }

    private func brokenByInterface(_ input: borrowing InputBuffer, _ number: UInt32) -> RecordHeader {
        broken(
            input, "packet of interface \(number), but its section describes \(interfaces.count - firstInterface)")
    }
}

/// What the options of a packet block add.
private struct PacketOptions {
    /// Packets lost since the one before it of the same interface.
    var drops: UInt64 = 0
    var direction = Direction.unknown
    var comments: [String] = []

    mutating func read(_ bytes: borrowing Bytes, _ order: ByteOrder) {
        forEachPCAPNGOption(in: bytes, order) { code, value in
            switch code {
            // opt_comment: the block that it is in is its limit.
            case 1: comments.append(String(decoding: value.copy(), as: UTF8.self))
            // epb_flags: the lowest two bits are 1 for inbound, 2 for outbound.
            case 2 where value.count == 4:
                switch value.uint32(at: 0, order) & 0b11 {
                case 1: direction = .rx
                case 2: direction = .tx
                default: break
                }
            // epb_dropcount
            case 4 where value.count == 8: drops = value.uint64(at: 0, order)
            default: break
            }
        }
    }
}
