import AttlasDissection
import AttlasWire

/// A value for use after its event, with its fields if a definition reads it.
public struct KeptValue: Sendable {
    private let stored: [UInt8]
    private let isWithheld: Bool
    /// nil if no definition reads the value.
    public let fields: (dissector: Dissector, dissection: Dissection)?
    /// Where the value ends is no fault.
    public let isPartial: Bool
    /// It was joined from several values.
    public let isMessage: Bool

    init(
        _ stored: [UInt8], _ fields: (dissector: Dissector, dissection: Dissection)?, isWithheld: Bool,
        isPartial: Bool, isMessage: Bool
    ) {
        self.stored = stored
        self.fields = fields
        self.isWithheld = isWithheld
        self.isPartial = isPartial
        self.isMessage = isMessage
    }

    /// Copies a value that is being read.
    public init(_ reading: borrowing ValueReading, _ dissection: Dissection) {
        let octets = reading.octets
        self.init(
            octets.copy(), (reading.dissector, dissection), isWithheld: octets.isWithheld,
            isPartial: reading.isPartial, isMessage: reading.isMessage)
    }

    /// The octets, or only their number if they are withheld.
    public var octets: ShownOctets {
        @_lifetime(borrow self) get { ShownOctets(Bytes(stored.span), isWithheld: isWithheld) }
    }
}
