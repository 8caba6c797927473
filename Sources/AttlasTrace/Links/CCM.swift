import AttlasWire

/// AES-CCM with a nonce of 13 octets, as LE links and Bluetooth Mesh use it. RFC 3610; Core Specification, Vol 6, Part E; Mesh Protocol, 3.9.2.2.
struct CCM: Sendable {
    private let key: AES128

    init(key: UInt128) {
        self.key = AES128(key: key)
    }

    /// Decrypts a payload. False, and `output` means nothing, when its MIC is wrong.
    ///
    /// - Parameters:
    ///   - payload: With the MIC at its end: at least its octets.
    ///   - nonce: 13 octets after a most significant one that is 0, and two more zeros at the end.
    ///   - header: An octet that the MIC covers as well.
    ///   - micLength: 4 or 8 octets.
    @inline(__always)
    func decrypt(
        _ payload: borrowing Bytes, nonce: UInt128, header: UInt8?, micLength: Int, into output: inout [UInt8]
    ) -> Bool {
        let length = payload.count - micLength
        guard length >= 0 else { return false }
        // The MIC of the whole: B0, the header, then the payload.
        // Adata, M' and L'. RFC 3610, 2.2.
        let flags = UInt128((header == nil ? 0x00 : 0x40) | ((micLength - 2) / 2) << 3 | 0x01)
        var mac = key.encrypt(flags << 120 | nonce | UInt128(UInt16(truncatingIfNeeded: length)))
        if let header { mac = key.encrypt(mac ^ UInt128(0x0100 | UInt16(header)) << 104) }

        let counterBlock = 0x01 << 120 | nonce
        output.removeAll(keepingCapacity: true)
        var offset = 0
        var index: UInt16 = 1
        while offset < length {
            var stream = key.encrypt(counterBlock | UInt128(index))
            let count = min(16, length - offset)
            var block: UInt128 = 0
            for place in offset..<offset + count {
                let octet = payload[place] ^ UInt8(truncatingIfNeeded: stream >> 120)
                stream <<= 8
                output.append(octet)
                block = block << 8 | UInt128(octet)
            }
            mac = key.encrypt(mac ^ block << UInt128(128 - 8 * count))
            offset += count
            index &+= 1
        }
        let mask = mac ^ key.encrypt(counterBlock)
        var mic: UInt64 = 0
        for place in length..<payload.count { mic = mic << 8 | UInt64(payload[place]) }
        return mic == UInt64(truncatingIfNeeded: mask >> UInt128(128 - 8 * micLength))
    }
}
