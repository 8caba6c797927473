import AttlasWire

/// Finds octets that must not be in a capture: all secrets at once, by their first four octets.
package struct SecretSearch: Sendable {
    /// Shorter ones occur by chance.
    package static let leastLength = 4
    /// Octets of all secrets together.
    package static let octetLimit = 16 << 20

    /// A place at which a secret is.
    package struct Match: Equatable, Sendable {
        /// Number of the secret in the list.
        package let secret: Int
        /// Its octets are in the opposite order.
        package let isReversed: Bool
        package let range: Range<Int>
    }

    private struct Pattern {
        let octets: [UInt8]
        let secret: Int32
        let isReversed: Bool
    }

    private static let filterBits = 22
    /// One bit for each hash of first octets: nearly everything is refused here.
    private var filter = [UInt64](repeating: 0, count: 1 << (filterBits - 6))
    /// By the first octets, the longest first.
    private var patterns: [UInt32: [Pattern]] = [:]
    /// Secrets that are too short: they are not searched for.
    package private(set) var tooShort = 0
    /// Secrets beyond the limit: neither.
    package private(set) var beyondLimit = 0
    /// Secrets that are searched for.
    package private(set) var count = 0

    /// - Parameter secrets: Each is searched in both octet orders. Their numbers are those of this list.
    package init(_ secrets: [[UInt8]]) {
        var left = Self.octetLimit
        for (index, secret) in secrets.enumerated() {
            guard secret.count >= Self.leastLength else {
                tooShort += 1
                continue
            }
            guard secret.count <= left else {
                beyondLimit += 1
                continue
            }
            left -= secret.count
            count += 1
            insert(Pattern(octets: secret, secret: Int32(index), isReversed: false))
            let reversed = Array(secret.reversed())
            if reversed != secret { insert(Pattern(octets: reversed, secret: Int32(index), isReversed: true)) }
        }
        for key in patterns.keys { patterns[key]?.sort { $0.octets.count > $1.octets.count } }
    }

    private static func place(_ word: UInt32) -> Int { Int(word &* 0x9E37_79B1) >> (32 - filterBits) }

    private mutating func insert(_ pattern: Pattern) {
        let octets = pattern.octets
        let word = UInt32(octets[0]) | UInt32(octets[1]) << 8 | UInt32(octets[2]) << 16 | UInt32(octets[3]) << 24
        patterns[word, default: []].append(pattern)
        let place = Self.place(word)
        filter[place >> 6] |= 1 << UInt64(place & 63)
    }

    /// The first secret at `start` or after it.
    package func next(in bytes: borrowing Bytes, from start: Int) -> Match? {
        var start = start
        let filter = filter.span
        while start <= bytes.count - 4 {
            let word = bytes.uint32(at: start)
            let place = Self.place(word)
            if filter[place >> 6] >> UInt64(place & 63) & 1 == 1, let match = match(word, in: bytes, at: start) {
                return match
            }
            start += 1
        }
        return nil
    }

    private func match(_ word: UInt32, in bytes: borrowing Bytes, at start: Int) -> Match? {
        for pattern in patterns[word] ?? [] where start + pattern.octets.count <= bytes.count {
            let end = start + pattern.octets.count
            if bytes.slice(start..<end).isEqual(to: Bytes(pattern.octets.span)) {
                return Match(secret: Int(pattern.secret), isReversed: pattern.isReversed, range: start..<end)
            }
        }
        return nil
    }
}
