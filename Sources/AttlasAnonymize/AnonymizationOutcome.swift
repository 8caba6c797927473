/// The replacements made, and the parts that were not understood.
package struct AnonymizationOutcome: Sendable {
    /// How often each was replaced where it is expected.
    package internal(set) var addresses = 0
    package internal(set) var keys = 0
    package internal(set) var texts = 0
    package internal(set) var values = 0
    /// How often secrets were replaced anywhere else.
    package internal(set) var elsewhere = 0
    /// Payloads of vendors and of other protocols, which became 0.
    package internal(set) var zeroed = 0
    /// Comments, which were left out.
    package internal(set) var comments = 0
    /// Octets that were not understood, and became 0.
    package private(set) var unknownOctets = 0
    /// Where the first of them are.
    package private(set) var unknown: [(frame: Int, range: Range<Int>)] = []
    /// The number of places with unknown octets; `unknown` lists only the first.
    package private(set) var unknownPlaces = 0
    /// Packets from the air that are written decrypted.
    package internal(set) var decrypted = 0
    /// Packets from the air that no key decrypts.
    package internal(set) var encrypted = 0

    private static let listLimit = 1_000

    package init() {}

    mutating func note(unknown range: Range<Int>, frame: Int) {
        unknownPlaces += 1
        unknownOctets += range.count
        if unknown.count < Self.listLimit { unknown.append((frame, range)) }
    }
}
