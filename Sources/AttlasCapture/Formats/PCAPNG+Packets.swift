import AttlasWire

/// Blocks that hold a packet.
extension PCAPNG {
    /// Enhanced Packet Block and its obsolete forerunner, the Packet Block. Sections 4.3 and A.
    ///
    /// ```
    /// | interface 32 (16, and drops 16) | time, upper 32 | time, lower 32 | captured 32 | original 32 | packet … | options |
    /// ```
    func packet(_ input: borrowing InputBuffer, _ length: Int, isEnhanced: Bool) -> RecordHeader? {
        let bytes = input.bytes
        let number = isEnhanced ? bytes.uint32(at: 8, order) : UInt32(bytes.uint16(at: 8, order))
        let ticks = UInt64(bytes.uint32(at: 12, order)) << 32 | UInt64(bytes.uint32(at: 16, order))
        let captured = bytes.uint32(at: 20, order)
        let original = bytes.uint32(at: 24, order)
        guard let index = index(ofInterface: number) else { return brokenByInterface(input, number) }

        hasTimes = true
        lastTime = Timestamp(
            ticks: ticks, resolution: interfaces[index].resolution, offset: interfaces[index].timeOffset)
        if let reason = contradiction(captured: captured, original: original) { return broken(input, reason) }
        let end = 28 + Int(captured)
        guard end <= length - 4 else {
            return broken(input, .packetBeyondBlock(captured, room: UInt32(clamping: length - 32)))
        }
        let optionsStart = min(28 + Int(captured).paddedTo32Bits, length - 4)
        let options = optionsStart..<length - 4
        var facts = PacketOptions(bytes.slice(options), order).facts
        if !isEnhanced {
            let drops = bytes.uint16(at: 10, order)
            // All ones: not known.
            facts.drops = drops == .max ? 0 : UInt64(drops)
        }
        return record(input, index, place: 28..<end, missing: original - captured, facts, options: options)
    }

    /// Simple Packet Block: original length 32, packet. It belongs to the section's first interface, and has no time. Section 4.4.
    func simplePacket(_ input: borrowing InputBuffer, _ length: Int) -> RecordHeader? {
        guard let index = index(ofInterface: 0) else { return brokenByInterface(input, 0) }
        let original = input.bytes.uint32(at: 8, order)
        let limit = interfaces[index].snapLength
        // The block lacks the captured length: as much as the interface allows. Its end may be padding.
        let captured = limit == 0 ? original : min(original, limit)
        guard captured <= length - 16 else {
            return broken(input, .packetBeyondBlock(captured, room: UInt32(clamping: length - 16)))
        }
        if let reason = contradiction(captured: captured, original: original) { return broken(input, reason) }
        timeless += 1
        return record(
            input, index, place: 12..<12 + Int(captured), missing: original - captured, PacketOptions.Facts(),
            options: 0..<0)
    }

    private func record(
        _ input: borrowing InputBuffer, _ index: Int, place: Range<Int>, missing: UInt32, _ facts: PacketOptions.Facts,
        options: Range<Int>
    ) -> RecordHeader? {
        interfaces[index].lost = interfaces[index].lost.addingSaturating(facts.drops)
        guard let framing = interfaces[index].framing else { return refuse(input, index) }
        if case .usb(let framing) = framing {
            interfaces[index].untoldLost = interfaces[index].untoldLost.addingSaturating(facts.drops)
            usb.take(
                input.bytes.slice(place), framing, order, missing: missing, interface: index,
                options: input.bytes.slice(options).copy())
            return nil
        }
        let lost = facts.drops.addingSaturating(interfaces[index].untoldLost)
        interfaces[index].untoldLost = 0
        let head = PacketHead(framing, input.bytes.slice(place), direction: facts.direction)
        lastTime = interfaces[index].clock.time(framing, input.bytes.slice(place), head, file: lastTime)
        var header = RecordHeader(
            frame: frame, offset: input.offset, time: lastTime, head: head,
            controller: UInt16(clamping: index), place: input.place(place.lowerBound, place.count),
            missing: missing, lost: UInt32(clamping: lost))
        header.options = input.place(options.lowerBound, options.count)
        header.order = order
        header.interface = UInt16(clamping: index)
        return header
    }

    /// The record of a packet from USB.
    func record(_ packet: USBTransport.Packet, _ input: inout InputBuffer, offset: UInt64) -> RecordHeader {
        let lost = UInt32(clamping: interfaces[packet.interface].untoldLost)
        interfaces[packet.interface].untoldLost = 0
        var header = RecordHeader(packet, in: &input, frame: frame, offset: offset, time: lastTime, lost: lost)
        header.order = order
        header.interface = UInt16(clamping: packet.interface)
        return header
    }

    /// Reports once per interface that its packets cannot be read.
    private func refuse(_ input: borrowing InputBuffer, _ index: Int) -> RecordHeader? {
        skipped += 1
        guard !interfaces[index].isRefused else { return nil }
        interfaces[index].isRefused = true
        let type = interfaces[index].about.linkType.numberAndName
        let number = index - firstInterface
        var record = broken(
            input,
            .kept(.init("interface \(number) has link type \(type): not supported yet, its packets are skipped")))
        record.controller = UInt16(clamping: index)
        return record
    }

    private func brokenByInterface(_ input: borrowing InputBuffer, _ number: UInt32) -> RecordHeader {
        broken(
            input, .undescribedInterface(number, described: UInt32(clamping: interfaces.count - firstInterface)))
    }
}
