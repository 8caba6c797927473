import AttlasWire

extension AssemblyDefinition.Cipher {
    func decipher(_ message: inout [UInt8]) {
        switch kind {
        case .exclusiveOr:
            for index in message.indices.dropFirst(start) { message[index] ^= key[(index - start) % key.count] }
        case .blocks:
            let cipher = AES128(key: UInt128(octets: key))
            for block in stride(from: start, through: message.count - 16, by: 16) {
                let decrypted = cipher.decrypt(UInt128(octets: message[block..<block + 16]))
                for index in 0..<16 {
                    message[block + index] = UInt8(truncatingIfNeeded: decrypted >> UInt128(120 - 8 * index))
                }
            }
        case .counter:
            let cipher = AES128(key: UInt128(octets: key))
            var counter = UInt128(octets: counter)
            for block in stride(from: start, to: message.count, by: 16) {
                let stream = cipher.encrypt(counter)
                for index in 0..<min(16, message.count - block) {
                    message[block + index] ^= UInt8(truncatingIfNeeded: stream >> UInt128(120 - 8 * index))
                }
                counter &+= 1
            }
        }
    }
}

extension UInt128 {
    /// The most significant octet first.
    fileprivate init(octets: some Sequence<UInt8>) {
        self = octets.reduce(0) { $0 << 8 | UInt128($1) }
    }
}
