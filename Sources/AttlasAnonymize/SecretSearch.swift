import AttlasWire

/// Finds octets that must not be in a capture: addresses, also written as text, and other secrets, in both octet orders. Its time does not
/// depend on their number.
package struct SecretSearch: Sendable {
    /// Shorter ones occur by chance.
    package static let leastLength = 4
    /// Octets other than 0x00 and 0xFF: with fewer, runs of zeros look like it.
    package static let leastDistinctive = 3
    /// Octets of all secrets together.
    package static let octetLimit = 16 << 20

    /// A place at which a secret is.
    package struct Match: Equatable, Sendable {
        package enum Secret: Equatable, Sendable {
            /// Number in the list of secrets.
            case octets(Int)
            /// Number in the list of addresses.
            case address(Int)
            /// The same as 12 hexadecimal digits.
            case text(ofAddress: Int)
        }

        package let secret: Secret
        /// Its octets are in the opposite order.
        package let isReversed: Bool
        package let range: Range<Int>
    }

    private struct Pattern {
        let secret: Int32
        let isReversed: Bool
    }

    /// One bit for each hash of first octets: nearly everything is refused here.
    private var filter: [UInt64]
    private let filterBits: Int
    /// Lengths of the secrets that begin with these octets, in order.
    private var lengths: [UInt32: [Int]] = [:]
    /// By the hash of all octets.
    private var patterns: [UInt64: Pattern] = [:]
    /// Seeds the hashes: no capture can be crafted so that two secrets have the same hash.
    private let seed = UInt64.random(in: .min ... .max)
    /// In order.
    package let addresses: [UInt64]
    /// Secrets that are too short or too plain: they are not searched for.
    package private(set) var undistinctive = 0
    /// Secrets beyond the limit: neither.
    package private(set) var beyondLimit = 0
    /// Secrets that are searched for.
    package private(set) var count = 0

    /// - Parameters:
    ///   - secrets: Each is searched in both octet orders.
    ///   - addresses: In order.
    package init(_ secrets: [[UInt8]], addresses: [UInt64] = []) {
        self.addresses = addresses
        // 16 bits for each, or more.
        filterBits = min(max(16, Int.bitWidth - (32 * (secrets.count + addresses.count)).leadingZeroBitCount), 28)
        filter = [UInt64](repeating: 0, count: 1 << (filterBits - 6))
        var left = Self.octetLimit
        var searched: [Int] = []
        for (index, secret) in secrets.enumerated() {
            if secret.count < Self.leastLength || !Self.isDistinctive(secret) {
                undistinctive += 1
            } else if secret.count > left {
                beyondLimit += 1
            } else {
                left -= secret.count
                searched.append(index)
            }
        }
        for index in searched { insert(secrets[index], Pattern(secret: Int32(index), isReversed: false)) }
        for index in searched { insert(secrets[index].reversed(), Pattern(secret: Int32(index), isReversed: true)) }
        for word in lengths.keys { lengths[word]?.sort() }
        count = searched.count
        for address in addresses {
            guard Self.isDistinctive(address) else {
                undistinctive += 1
                continue
            }
            count += 1
            enter(UInt32(truncatingIfNeeded: address))
            enter(UInt32(truncatingIfNeeded: Self.reversed(address)))
        }
    }

    private static func isDistinctive(_ octets: some Sequence<UInt8>) -> Bool {
        octets.count { $0 != 0 && $0 != 0xFF } >= leastDistinctive
    }

    private static func isDistinctive(_ address: UInt64) -> Bool { isDistinctive(address.littleEndianOctets.prefix(6)) }

    private static func reversed(_ address: UInt64) -> UInt64 { address.byteSwapped >> 16 }

    private func place(_ word: UInt32) -> Int { Int(word &* 0x9E37_79B1) >> (32 - filterBits) }

    private mutating func enter(_ word: UInt32) {
        let place = place(word)
        filter[place >> 6] |= 1 << UInt64(place & 63)
    }

    private mutating func insert(_ octets: [UInt8], _ pattern: Pattern) {
        let hash = octets.reduce(seed, Self.hash)
        // The same in both orders, or the other order of another secret.
        guard patterns[hash] == nil else { return }
        patterns[hash] = pattern
        let word = Bytes(octets.span).uint32(at: 0)
        if lengths[word]?.contains(octets.count) != true { lengths[word, default: []].append(octets.count) }
        enter(word)
    }

    private static func hash(_ hash: UInt64, _ octet: UInt8) -> UInt64 {
        let mixed = (hash ^ UInt64(octet)) &* 0x9E37_79B9_7F4A_7C15
        return mixed ^ mixed >> 32
    }

    /// The number of an address in the list; nil if it is not in it.
    package func index(ofAddress address: UInt64) -> Int? {
        var (low, high) = (0, addresses.count)
        while low < high {
            let middle = (low + high) / 2
            if addresses[middle] < address { low = middle + 1 } else { high = middle }
        }
        return low < addresses.count && addresses[low] == address ? low : nil
    }

    // MARK: Searching

    /// The first secret at `start` or after it, the longest of those that begin there.
    package func next(in bytes: borrowing Bytes, from start: Int) -> Match? {
        var start = start
        let filter = filter.span
        let hasAddresses = !addresses.isEmpty
        while start <= bytes.count - 4 {
            let word = bytes.uint32(at: start)
            if hasAddresses, Self.digit(UInt8(truncatingIfNeeded: word)) != nil, let match = text(in: bytes, at: start)
            {
                return match
            }
            let place = place(word)
            if filter[place >> 6] >> UInt64(place & 63) & 1 == 1 {
                if let match = octets(word, in: bytes, at: start) ?? address(in: bytes, at: start) { return match }
            }
            start += 1
        }
        return nil
    }

    private func octets(_ word: UInt32, in bytes: borrowing Bytes, at start: Int) -> Match? {
        var match: Match?
        var (hash, end) = (seed, start)
        for length in lengths[word] ?? [] where start + length <= bytes.count {
            while end < start + length {
                hash = Self.hash(hash, bytes[end])
                end += 1
            }
            guard let pattern = patterns[hash] else { continue }
            match = Match(
                secret: .octets(Int(pattern.secret)), isReversed: pattern.isReversed, range: start..<end)
        }
        return match
    }

    private func address(in bytes: borrowing Bytes, at start: Int) -> Match? {
        guard start + 6 <= bytes.count, let (index, isReversed) = index(ofEitherOrder: bytes.uint48(at: start)) else {
            return nil
        }
        return Match(secret: .address(index), isReversed: isReversed, range: start..<start + 6)
    }

    private func index(ofEitherOrder value: UInt64) -> (Int, isReversed: Bool)? {
        guard
            let found = index(ofAddress: value).map({ ($0, isReversed: false) })
                ?? index(ofAddress: Self.reversed(value)).map({ ($0, isReversed: true) })
        else { return nil }
        return Self.isDistinctive(value) ? found : nil
    }

    /// Twelve hexadecimal digits, with the same separator between all pairs or none.
    private func text(in bytes: borrowing Bytes, at start: Int) -> Match? {
        guard start + 12 <= bytes.count else { return nil }
        let separator = Self.digit(bytes[start + 2]) == nil ? bytes[start + 2] : nil
        guard separator == nil || start + 17 <= bytes.count else { return nil }
        var value: UInt64 = 0
        var place = start
        for pair in 0..<6 {
            if let separator, pair > 0 {
                guard bytes[place] == separator else { return nil }
                place += 1
            }
            guard let high = Self.digit(bytes[place]), let low = Self.digit(bytes[place + 1]) else { return nil }
            value = value << 8 | UInt64(high << 4 | low)
            place += 2
        }
        // The most significant octet comes first.
        return index(ofEitherOrder: value).map {
            Match(secret: .text(ofAddress: $0.0), isReversed: $0.isReversed, range: start..<place)
        }
    }

    @inline(__always)
    static func digit(_ octet: UInt8) -> UInt8? {
        switch octet {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): octet - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): octet - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): octet - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}
