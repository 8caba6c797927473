import AttlasWire

extension AssemblyDefinition.Cipher {
    func decipher(_ message: inout [UInt8]) {
        switch kind {
        case .exclusiveOr:
            for index in message.indices.dropFirst(start) { message[index] ^= key[(index - start) % key.count] }
        case .blocks:
            let cipher = AES128(key: Self.block(key, 0))
            for place in stride(from: start, through: message.count - 16, by: 16) {
                let decrypted = cipher.decrypt(Self.block(message, place)).littleEndianOctets
                message.replaceSubrange(place..<place + 16, with: decrypted.reversed())
            }
        case .counter:
            let cipher = AES128(key: Self.block(key, 0))
            var counter = Self.block(counter, 0)
            for place in stride(from: start, to: message.count, by: 16) {
                let stream = cipher.encrypt(counter).littleEndianOctets.reversed()
                for (index, octet) in zip(place..<message.count, stream) { message[index] ^= octet }
                counter &+= 1
            }
        }
    }

    /// The most significant octet first.
    private static func block(_ octets: [UInt8], _ place: Int) -> UInt128 {
        Bytes(octets.span).uint128(at: place).byteSwapped
    }
}
