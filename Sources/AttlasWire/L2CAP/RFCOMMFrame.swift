/// A frame of RFCOMM without its check. TS 07.10, 5.2.1; RFCOMM, 5.1 and 6.5.
package struct RFCOMMFrame: ~Escapable, Copyable {
    /// 0 is the channel that controls the others.
    package let dlci: UInt8
    /// The frame type without the P/F bit.
    package let type: UInt8
    /// Frames that the receiver of this one may send in addition.
    package let credits: UInt8?
    /// What is sent on the channel, as far as it was captured.
    package let information: Bytes
    /// Octets of it that are not there.
    package let missing: Int

    /// Unnumbered Information with Header Check: the frames that have data.
    package static let uih: UInt8 = 0xEF
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
        // With flow control by credits, which all versions since 1.1 have, P/F says that credits follow the length.
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

    /// The Server Channel, which a service has.
    package var serverChannel: UInt8 { dlci >> 1 }
}
