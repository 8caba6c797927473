import AttlasWire

/// pcap and pcapng are written in the byte order of the machine that captured.
enum ByteOrder: Sendable {
    case little, big
}

extension Bytes {
    @inline(__always)
    func uint16(at offset: Int, _ order: ByteOrder) -> UInt16 {
        order == .little ? uint16(at: offset) : bigEndianUInt16(at: offset)
    }

    @inline(__always)
    func uint32(at offset: Int, _ order: ByteOrder) -> UInt32 {
        order == .little ? uint32(at: offset) : bigEndianUInt32(at: offset)
    }

    @inline(__always)
    func uint64(at offset: Int, _ order: ByteOrder) -> UInt64 {
        order == .little ? uint64(at: offset) : bigEndianUInt64(at: offset)
    }

    /// Whether the octets begin with the ones of `text`.
    package func starts(with text: StaticString) -> Bool {
        contains(text, at: 0)
    }

    /// Whether the octets of `text` are at `offset`; false when they would go beyond the end.
    package func contains(_ text: StaticString, at offset: Int) -> Bool {
        let wanted = text.octets
        guard offset >= 0, offset + wanted.count <= count else { return false }
        for index in 0..<wanted.count where self[offset + index] != wanted[index] { return false }
        return true
    }

    /// Where `text`, which is not empty, begins.
    func offset(of text: StaticString) -> Int? {
        let first = text.octets[0]
        var offset = 0
        while offset <= count - text.utf8CodeUnitCount {
            if self[offset] == first, contains(text, at: offset) { return offset }
            offset += 1
        }
        return nil
    }
}
