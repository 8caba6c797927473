/// The support of a claim.
package struct Evidence: Sendable {
    /// Values that agree, and values that were examined.
    package let support: Int
    package let total: Int
    package let distinct: Int
    /// Of a coincidence's probability after all hypotheses are counted; nil if it is an observation.
    package let bits: Double?
    /// What is counted.
    private let unit: String

    init(support: Int? = nil, of total: Int, distinct: Int, bits: Double? = nil, unit: String = "values") {
        self.unit = unit
        self.support = support ?? total
        self.total = total
        self.distinct = distinct
        self.bits = bits
    }

    /// n of 10⁻ⁿ, which the probability of a coincidence is below.
    package var exponent: Int? { bits.map { min(99, Chance.decimalExponent($0)) } }

    /// `214 of 214 values, by chance < 10⁻⁹`
    package var text: String {
        let values = "\(support) of \(total) \(unit)"
        guard let exponent else { return values }
        let digits = Array("⁰¹²³⁴⁵⁶⁷⁸⁹")
        let raised = String(exponent).compactMap { $0.wholeNumberValue.map { digits[$0] } }
        return "\(values), by chance < 10⁻\(String(raised))"
    }
}

/// Some octets of a value, and what is claimed about them.
package struct InferredField: Sendable {
    package enum Kind: Sendable, Equatable {
        case constant([UInt8])
        /// It selects the layout.
        case opcode([UInt8])
        case counter(step: Int)
        /// The value has this number of octets and `plus` more.
        case length(plus: Int)
        /// Time since 1970.
        case epoch(ticksPerSecond: Int)
        /// Time since a start of the device.
        case uptime(ticksPerSecond: Int)
        case number
        /// IEEE 754.
        case float
        /// SFLOAT of IEEE 11073-20601.
        case medicalFloat
        /// The sum of the numbers of two octets at these places.
        case sum(of: Range<Int>)
        /// Of a device of the capture.
        case address
        case uuid
        /// Bits that change alone.
        case flags(UInt8)
        case text
        /// Encrypted, compressed or random.
        case scrambled
        case check(InferredCheck)
        /// Nothing is claimed.
        case open
    }

    /// From the start of the value, or from its end if it is negative.
    package let place: Int
    package let width: Int
    package var kind: Kind
    package var isBigEndian = false
    package var isSigned = false
    package var evidence: Evidence?
    package var doubts: [String] = []

    init(_ place: Int, _ width: Int, _ kind: Kind, _ evidence: Evidence? = nil, isBigEndian: Bool = false) {
        self.place = place
        self.width = width
        self.kind = kind
        self.evidence = evidence
        self.isBigEndian = isBigEndian
    }

    package var isClaim: Bool { kind != .open }
    var range: Range<Int> { place..<place + width }
}
