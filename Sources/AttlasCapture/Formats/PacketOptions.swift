import AttlasWire

/// The options after a packet of pcapng. Section 3.5, and 4.3 for a packet's own.
package struct PacketOptions: ~Escapable, Copyable {
    private let bytes: Bytes
    private let order: ByteOrder

    @inline(__always)
    @_lifetime(copy bytes)
    init(_ bytes: Bytes, _ order: ByteOrder) {
        self.bytes = bytes
        self.order = order
    }

    /// Little-endian ones, as `append` makes them.
    @_lifetime(copy bytes)
    package init(_ bytes: Bytes) {
        self.init(bytes, .little)
    }

    /// Facts that decoding the packet needs.
    struct Facts {
        /// Packets lost since the one before it of the same interface.
        var drops: UInt64 = 0
        var direction = Direction.unknown
    }

    var facts: Facts {
        var facts = Facts()
        forEachPCAPNGOption(in: bytes, order) { code, value in
            switch code {
            // epb_flags: the lowest two bits are 1 for inbound, 2 for outbound.
            case 2 where value.count == 4:
                switch value.uint32(at: 0, order) & 0b11 {
                case 1: facts.direction = .rx
                case 2: facts.direction = .tx
                default: break
                }
            // epb_dropcount
            case 4 where value.count == 8: facts.drops = value.uint64(at: 0, order)
            default: break
            }
        }
        return facts
    }

    /// Appends a comment as an option, little-endian; of a longer one than fits, its beginning up to a whole character.
    package static func append(comment: String, to octets: inout [UInt8]) { append(1, comment, to: &octets) }

    /// Appends a text as an option.
    package static func append(_ code: UInt16, _ text: String, to octets: inout [UInt8]) {
        append(code, to: &octets) { $0 += text.utf8 }
    }

    /// Appends an option whose text `write` appends.
    package static func append(_ code: UInt16, to octets: inout [UInt8], _ write: (inout [UInt8]) -> Void) {
        octets.append(littleEndian: UInt32(code))
        let start = octets.count
        write(&octets)
        if octets.count - start > 0xFFFC {
            var end = start + 0xFFFC
            while octets[end] & 0xC0 == 0x80 { end -= 1 }
            octets.removeSubrange(end...)
        }
        let length = octets.count - start
        octets.replace(at: start - 2, littleEndian: UInt16(length))
        for _ in length..<length.paddedTo32Bits { octets.append(0) }
    }

    /// opt_comment: the block that it is in is its limit.
    package var comments: [String] {
        var comments: [String] = []
        forEachPCAPNGOption(in: bytes, order) { code, value in
            if code == 1 { comments.append(String(decoding: value.copy(), as: UTF8.self)) }
        }
        return comments
    }
}
