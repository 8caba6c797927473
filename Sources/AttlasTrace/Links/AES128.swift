internal import CCrypto

/// AES-128 of one block, by OpenSSL: with the key ready for as many blocks as there are. FIPS 197.
struct AES128: Sendable {
    /// The first octet of a block first.
    typealias Block = InlineArray<16, UInt8>

    private var schedule = AES_KEY()

    /// - Parameter key: The most significant octet is the first one.
    init(key: UInt128) {
        let octets = Self.block(key)
        unsafe octets.span.withUnsafeBufferPointer { unsafe attlas_aes128_schedule($0.baseAddress, &schedule) }
    }

    func encrypt(_ block: Block) -> Block {
        var output = Block(repeating: 0)
        var room = output.mutableSpan
        unsafe block.span.withUnsafeBufferPointer { block in
            unsafe room.withUnsafeMutableBufferPointer { output in
                unsafe withUnsafePointer(to: schedule) {
                    unsafe attlas_aes128_encrypt_with($0, block.baseAddress, output.baseAddress)
                }
            }
        }
        return output
    }

    func encrypt(_ block: UInt128) -> UInt128 {
        let output = encrypt(Self.block(block))
        return output.indices.reduce(0) { $0 << 8 | UInt128(output[$1]) }
    }

    /// The most significant octet first.
    private static func block(_ value: UInt128) -> Block {
        Block { UInt8(truncatingIfNeeded: value >> UInt128(120 - 8 * $0)) }
    }
}
