import AttlasCapture
import AttlasTrace
import AttlasWire

/// Replacements that depend on the original and a seed only, so that one device is the same everywhere, and in every capture that is
/// anonymized with that seed.
///
/// They cannot be recomputed without the seed: they are SHA-256 of the seed, the kind and the original.
package struct Pseudonyms: Sendable {
    package static let seedLength = 32

    /// SHA-256 after the seed and its length, which separates the seed from an original.
    private let seeded: SHA256

    /// - Parameter seed: Secret, and at least `seedLength` octets.
    package init?(seed: [UInt8]) {
        guard seed.count >= Self.seedLength else { return nil }
        var hash = SHA256()
        hash.update(Bytes((UInt32(truncatingIfNeeded: seed.count).littleEndianOctets + seed).span))
        seeded = hash
    }

    /// The kind of an original. Equal octets of different kinds have different replacements.
    enum Kind: UInt8 {
        case address, prand, key, text, octets, value
    }

    /// A key, most significant octet first. No key, which is zero, stays none.
    package func key(_ original: UInt128) -> UInt128 {
        guard original != 0 else { return 0 }
        return number(.key, original, octets: 16)
    }

    /// An address of the same kind. A resolvable one resolves with the replacement of its key.
    ///
    /// - Parameter irk: By which the original resolves; nil if the device's key is unknown.
    package func address(_ original: BluetoothAddress, irk: UInt128? = nil) -> BluetoothAddress {
        let isRandom = original.isRandom
        guard original.kind == .resolvable else {
            let random = UInt64(
                truncatingIfNeeded: number(.address, UInt128(original.value) << 1 | (isRandom ? 1 : 0), octets: 6))
            guard isRandom else { return BluetoothAddress(random, isRandom: false) }
            // The two most significant bits are the kind.
            return BluetoothAddress(random & ~(0b11 << 46) | original.value & 0b11 << 46, isRandom: true)
        }
        let prand = UInt32(truncatingIfNeeded: original.value >> 24) & 0x3F_FFFF
        let replaced = UInt32(truncatingIfNeeded: number(.prand, UInt128(prand), octets: 3)) & 0x3F_FFFF | 0x40_0000
        let hash: UInt32
        if let irk {
            hash = AddressHash.ah(key(irk), replaced)
        } else {
            // All of it, so that one address stays one.
            hash = UInt32(truncatingIfNeeded: number(.address, UInt128(original.value) << 1 | 1, octets: 3))
        }
        return BluetoothAddress(UInt64(replaced) << 24 | UInt64(hash), isRandom: true)
    }

    /// A text of the same number of octets: letters and digits for everything but blanks and punctuation, so that it still looks like the
    /// original. Empty stays empty. Invalid UTF-8 stays invalid.
    ///
    /// - Parameter attempt: From 1 on, other texts, of letters only: there are more of them.
    package func text(_ original: [UInt8], attempt: UInt8 = 0) -> [UInt8] {
        let random = stream(.text, original + (attempt == 0 ? [] : [attempt]), count: original.count)
        let hasLetters = original.contains { ($0 | 0x20) >= 0x61 || (0x30...0x39).contains($0) }
        var text = zip(original, random).map { octet, random in
            switch octet {
            case 1... where attempt > 0: UInt8(ascii: "a") + random % 26
            case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt8(ascii: "0") + random % 10
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt8(ascii: "A") + random % 26
            case 0: octet
            case 0x20...0x2F, 0x3A...0x40: hasLetters ? octet : UInt8(ascii: "a") + random % 26
            // Others, and each octet of a character beyond ASCII.
            default: UInt8(ascii: "a") + random % 26
            }
        }
        if let place = original.firstIndex(where: { $0 >= 0x80 }), String(validating: original, as: UTF8.self) == nil {
            text[place] = 0xFF
        }
        return text
    }

    /// Any octets of the same number.
    package func octets(_ original: [UInt8]) -> [UInt8] { stream(.octets, original, count: original.count) }

    /// Random numbers for a value: it is another one in each frame, so that equal ones are not recognized.
    func generator(frame: Int, index: Int) -> RandomOctets {
        let place = UInt128(UInt64(truncatingIfNeeded: frame)) << 64 | UInt128(UInt64(truncatingIfNeeded: index))
        return RandomOctets(state: UInt64(truncatingIfNeeded: number(.value, place, octets: 8)))
    }

    // MARK: Randomness

    private func number(_ kind: Kind, _ original: UInt128, octets: Int) -> UInt128 {
        var text = InlineArray<16, UInt8>(repeating: 0)
        for index in 0..<16 { text[index] = UInt8(truncatingIfNeeded: original >> (8 * index)) }
        let words = words(kind, Bytes(text.span), 0)
        let number = (0..<4).reduce(0 as UInt128) { $0 << 32 | UInt128(words[$1]) }
        return number >> UInt128(128 - 8 * octets)
    }

    /// As many octets as it takes.
    private func stream(_ kind: Kind, _ original: [UInt8], count: Int) -> [UInt8] {
        var octets: [UInt8] = []
        var block: UInt32 = 0
        while octets.count < count {
            octets.append(bigEndian: words(kind, Bytes(original.span), block))
            block += 1
        }
        octets.removeLast(octets.count - count)
        return octets
    }

    /// SHA-256 of the seed, the kind, the number of the block and the original.
    private func words(_ kind: Kind, _ original: borrowing Bytes, _ block: UInt32) -> InlineArray<8, UInt32> {
        var hash = seeded
        var head = InlineArray<5, UInt8>(repeating: kind.rawValue)
        for index in 0..<4 { head[index + 1] = UInt8(truncatingIfNeeded: block >> (8 * UInt32(index))) }
        hash.update(Bytes(head.span))
        hash.update(original)
        return hash.words()
    }
}
