import AttlasWire

/// Changes inside records and between them: lengths, opcodes, handles, channels, fragments. A fuzzer that knows only octets seldom makes
/// them.
package struct RecordMutator {
    var generator: SeededGenerator

    package init(seed: UInt64) {
        generator = SeededGenerator(seed: seed)
    }

    /// Records that a list may grow to.
    static let recordLimit = 400

    package mutating func mutate(_ list: inout RecordList) {
        for _ in 0...generator.below(4) { mutateOnce(&list) }
        if list.entries.count > Self.recordLimit {
            list.entries.removeLast(list.entries.count - Self.recordLimit)
        }
    }

    private mutating func mutateOnce(_ list: inout RecordList) {
        guard !list.entries.isEmpty else {
            list.entries.append(PacketTemplates.any(&generator))
            return
        }
        let index = generator.below(list.entries.count)
        switch generator.below(16) {
        case 0: list.entries.insert(PacketTemplates.any(&generator), at: index)
        case 1: list.entries.append(PacketTemplates.any(&generator))
        case 2: list.entries.insert(list.entries[generator.below(list.entries.count)], at: index)
        case 3: list.entries.swapAt(index, generator.below(list.entries.count))
        case 4: if list.entries.count > 1 { list.entries.remove(at: index) }
        case 5: fragment(index, in: &list)
        case 6: join(index, in: &list)
        case 7: repeatPart(index, in: &list)
        case 8: list.entries[index].direction = generator.pick([.tx, .rx, .unknown])
        case 9:
            list.entries[index].missing = generator.pick([0, 0, 1, 4, 0x7F, 0xFF])
            list.entries[index].step = generator.octet()
        case 10: list.entries[index].controller ^= 1
        default: change(&list.entries[index])
        }
    }

    // MARK: One record

    mutating func change(_ entry: inout RecordList.Entry) {
        switch (entry.kind, generator.below(3)) {
        case (.acl, 0), (.acl, 1): changeACL(&entry.octets)
        case (.event, 0): changeLength(&entry.octets, at: 1, width: 1)
        case (.command, 0): changeLength(&entry.octets, at: 2, width: 1)
        default: changeOctets(&entry.octets)
        }
    }

    private mutating func changeACL(_ octets: inout [UInt8]) {
        guard octets.count > 8 else { return changeOctets(&octets) }
        switch generator.below(9) {
        // The connection handle; the boundary flags.
        case 0: set(generator.pick(PacketTemplates.handles) | UInt16(octets[1] & 0xF0) << 8, in: &octets, at: 0)
        case 1: octets[1] = octets[1] & 0x0F | UInt8(generator.below(4)) << 4
        case 2: changeLength(&octets, at: 2, width: 2)
        case 3: changeLength(&octets, at: 4, width: 2)
        case 4: set(generator.pick([4, 4, 5, 6, 1, 2, 0x40, 0x41, 0x42]), in: &octets, at: 6)
        case 5:
            let opcodes: [UInt8] = [
                0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0A, 0x0B, 0x0C, 0x0D, 0x0E, 0x0F, 0x10, 0x11,
                0x12, 0x13, 0x16, 0x17, 0x18, 0x19, 0x1B, 0x1D, 0x1E, 0x20, 0x21, 0x23, 0x52, 0xD2,
            ]
            octets[8] = generator.pick(opcodes)
        // The attribute handle, or the octets in its place.
        case 6: if octets.count > 10 { set(UInt16(generator.below(48)), in: &octets, at: 9) }
        // The payload, with lengths that hold.
        case 7:
            var payload = Array(octets[8...])
            changeOctets(&payload)
            octets.replaceSubrange(8..., with: payload)
            repair(&octets)
        default: repair(&octets)
        }
    }

    /// Makes the lengths of a frame in one packet true.
    private func repair(_ octets: inout [UInt8]) {
        set(UInt16(clamping: octets.count - 4), in: &octets, at: 2)
        set(UInt16(clamping: octets.count - 8), in: &octets, at: 4)
    }

    private func set(_ value: UInt16, in octets: inout [UInt8], at place: Int) {
        octets[place] = UInt8(value & 0xFF)
        octets[place + 1] = UInt8(value >> 8)
    }

    /// A length field of this size: 0, 1, the most, one less, one more.
    private mutating func changeLength(_ octets: inout [UInt8], at place: Int, width: Int) {
        guard place + width <= octets.count else { return changeOctets(&octets) }
        let most = width == 1 ? 0xFF : 0xFFFF
        let now = Int(octets[place]) | (width == 1 ? 0 : Int(octets[place + 1]) << 8)
        let length = generator.pick([0, 1, most, most - 1, max(0, now - 1), min(most, now + 1), now / 2])
        octets[place] = UInt8(length & 0xFF)
        if width == 2 { octets[place + 1] = UInt8(length >> 8) }
    }

    package mutating func changeOctets(_ octets: inout [UInt8]) {
        guard !octets.isEmpty else {
            octets.append(generator.octet())
            return
        }
        let place = generator.below(octets.count)
        switch generator.below(8) {
        case 0: octets[place] ^= 1 << UInt8(generator.below(8))
        case 1: octets[place] = generator.pick([0x00, 0x01, 0x7F, 0x80, 0xFE, 0xFF])
        case 2: octets[place] = generator.octet()
        case 3: octets.removeSubrange(place...)
        case 4: octets.insert(contentsOf: (0...generator.below(4)).map { _ in generator.octet() }, at: place)
        case 5: if octets.count < 1_024 { octets.append(contentsOf: octets[place...]) }
        case 6: if place + 1 < octets.count { set(generator.pick([0, 1, 0xFFFF, 0x8000]), in: &octets, at: place) }
        // Octets that steer terminals, spreadsheets and pages.
        default: octets.replaceSubrange(place..<min(octets.count, place + 4), with: generator.pick(Self.injections))
        }
    }

    static let injections: [[UInt8]] = [
        [0x1B, 0x5B, 0x32, 0x4A], [0x0D, 0x0A], Array("\u{202E}".utf8), Array("=1+1".utf8), Array("<b>".utf8),
        [0xC2, 0x9B], [0x00], Array("\"\\".utf8), [0xFF, 0xFE], Array("\u{2028}".utf8), Array("\u{E0041}".utf8),
    ]

    // MARK: Several records

    /// One ACL packet becomes two: the second continues the first.
    private mutating func fragment(_ index: Int, in list: inout RecordList) {
        let octets = list.entries[index].octets
        guard list.entries[index].kind == .acl, octets.count > 5 else { return }
        let place = 5 + generator.below(octets.count - 5)
        var rest = list.entries[index]
        rest.octets =
            [octets[0], octets[1] & 0xCF | 0x10] + PacketTemplates.little(octets.count - place) + octets[place...]
        list.entries[index].octets.removeSubrange(place...)
        set(UInt16(clamping: place - 4), in: &list.entries[index].octets, at: 2)
        list.entries.insert(rest, at: min(list.entries.count, index + 1 + generator.below(3)))
    }

    /// Two packets become one.
    private mutating func join(_ index: Int, in list: inout RecordList) {
        guard index + 1 < list.entries.count, list.entries[index].octets.count < 2_048 else { return }
        let next = list.entries.remove(at: index + 1)
        list.entries[index].octets += next.octets.dropFirst(next.kind == .acl ? 4 : 0)
    }

    /// A few records come again.
    private mutating func repeatPart(_ index: Int, in list: inout RecordList) {
        guard list.entries.count < Self.recordLimit / 2 else { return }
        let end = min(list.entries.count, index + 1 + generator.below(12))
        list.entries.insert(contentsOf: list.entries[index..<end], at: generator.below(list.entries.count + 1))
    }
}
