/// The same numbers for the same seed, on every machine: SplitMix64, https://prng.di.unimi.it/splitmix64.c.
package struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    package init(seed: UInt64) {
        state = seed
    }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
        return value ^ value >> 31
    }

    /// A number below `limit`; 0 when that is 0.
    mutating func below(_ limit: Int) -> Int {
        limit > 0 ? Int(next() % UInt64(limit)) : 0
    }

    package mutating func pick(in range: Range<Int>) -> Int {
        range.lowerBound + below(range.count)
    }

    mutating func octet() -> UInt8 {
        UInt8(truncatingIfNeeded: next() >> 24)
    }

    /// True once in `times`.
    mutating func once(in times: Int) -> Bool {
        below(times) == 0
    }

    /// A random user's input on the full screens, after an octet of options.
    package mutating func screenScript() -> [UInt8] {
        let length = 20 + below(180)
        return [octet()] + (1..<length).map { _ in once(in: 2) ? pick(ScreenScript.keys) : octet() }
    }

    mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[below(elements.count)]
    }
}
