import AttlasDissection

/// A value with its fields, kept when the event that it came with is gone.
public struct KeptReading: Sendable {
    public let octets: [UInt8]
    public let dissector: Dissector
    public let dissection: Dissection
    /// Where the value ends is no fault.
    public let isPartial: Bool

    /// Its octets are withheld.
    public var holdsKey: Bool { dissector.holdsKey(dissection) }

    public init(_ octets: [UInt8], _ dissector: Dissector, _ dissection: Dissection, isPartial: Bool) {
        self.octets = octets
        self.dissector = dissector
        self.dissection = dissection
        self.isPartial = isPartial
    }
}
