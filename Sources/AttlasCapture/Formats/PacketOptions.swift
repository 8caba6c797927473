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

    var isEmpty: Bool { bytes.isEmpty }

    /// What the decoding of the packet needs.
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

    /// A comment as an option, little-endian; of a longer one than fits, its beginning up to a whole character.
    package static func octets(comment: String) -> [UInt8] { octets(1, comment) }

    /// A text as an option.
    package static func octets(_ code: UInt16, _ text: String) -> [UInt8] {
        var text = Array(text.utf8)
        if text.count > 0xFFFC {
            var end = 0xFFFC
            while text[end] & 0xC0 == 0x80 { end -= 1 }
            text.removeSubrange(end...)
        }
        return code.littleEndianOctets + UInt16(text.count).littleEndianOctets + text
            + [UInt8](repeating: 0, count: text.count.paddedTo32Bits - text.count)
    }

    /// opt_comment: the block that it is in is its limit.
    var comments: [String] {
        var comments: [String] = []
        forEachPCAPNGOption(in: bytes, order) { code, value in
            if code == 1 { comments.append(String(decoding: value.copy(), as: UTF8.self)) }
        }
        return comments
    }
}
