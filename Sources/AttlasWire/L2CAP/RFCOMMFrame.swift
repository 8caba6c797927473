/// A frame of RFCOMM without its check. TS 07.10, 5.2.1; RFCOMM, 5.1 and 6.5.
package struct RFCOMMFrame: ~Escapable, Copyable {
    /// 0 is the channel that controls the others.
    package let dlci: UInt8
    /// The frame type without the P/F bit.
    package let type: UInt8
    /// Frames that the receiver of this one may send in addition.
    package let credits: UInt8?
    /// Data on the channel, as far as it was captured.
    package let information: Bytes
    /// Octets of it that are not there.
    package let missing: Int

    /// Unnumbered Information with Header Check: the frames that have data.
    package static let uih: UInt8 = 0xEF
    /// Asks for a channel.
    package static let sabm: UInt8 = 0x2F
    /// Accepts a channel, or its end.
    package static let ua: UInt8 = 0x63
    /// There is no such channel.
    package static let dm: UInt8 = 0x0F
    /// Ends a channel.
    package static let disc: UInt8 = 0x43
    private static let finalBit: UInt8 = 0x10

    /// nil if the octets end within the header.
    @_lifetime(copy bytes)
    package init?(_ bytes: Bytes) {
        guard bytes.count >= 3 else { return nil }
        dlci = bytes[0] >> 2
        type = bytes[1] & ~Self.finalBit
        var start = 3
        var length = Int(bytes[2] >> 1)
        if bytes[2] & 1 == 0 {
            guard bytes.count >= 4 else { return nil }
            length |= Int(bytes[3]) << 7
            start = 4
        }
        // With flow control by credits, which all versions since 1.1 have, P/F means that credits follow the length.
        if type == Self.uih, dlci != 0, bytes[1] & Self.finalBit != 0 {
            guard bytes.count > start else { return nil }
            credits = bytes[start]
            start += 1
        } else {
            credits = nil
        }
        information = bytes.dropFirst(start).prefix(length)
        missing = length - information.count
    }
}

/// The credits that the sender of a DLC Parameter Negotiation gives the other side. RFCOMM, 5.5.3; TS 07.10, 5.4.6.3.1.
package struct RFCOMMInitialCredits {
    package let dlci: UInt8
    package let credits: Int

    private static let negotiation: UInt8 = 0x20
    /// Convergence layers that request flow control by credits, and accept it.
    private static let asksForCredits: UInt8 = 0xF
    private static let givesCredits: UInt8 = 0xE

    /// - Parameter command: information on DLCI 0; nil if it is another command, or without credits.
    package init?(_ command: Bytes) {
        guard command.count >= 10, command[0] >> 2 == Self.negotiation, command[1] >> 1 == 8 else { return nil }
        let layer = command[3] >> 4
        guard layer == Self.asksForCredits || layer == Self.givesCredits else { return nil }
        dlci = command[2] & 0x3F
        credits = Int(command[9] & 7)
    }
}
