import AttlasDissection
import AttlasWire

/// A value for use after its event, with its fields if a definition reads it.
public struct KeptValue: Sendable {
    private let stored: [UInt8]
    private let isWithheld: Bool
    /// nil if no definition reads the value.
    public let fields: (dissector: Dissector, dissection: Dissection)?
    /// The value's end is not a fault.
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

/// A value for use after its event, whose fields are read again on demand: keeping it costs a copy of its octets.
package struct UnreadValue: Sendable {
    private let stored: [UInt8]
    private let isWithheld: Bool
    /// nil if no definition reads the value.
    package let dissector: Dissector?
    private let access: AttributeAccess
    private let context: [Int64?]
    /// The value's end is not a fault.
    package let isPartial: Bool
    /// More of the message follows: it has no fields.
    package let isPart: Bool

    /// Copies a value that is being read.
    init(_ reading: borrowing ValueReading, _ access: AttributeAccess, _ context: [Int64?]) {
        let octets = reading.octets
        stored = octets.copy()
        isWithheld = octets.isWithheld
        dissector = reading.dissector
        self.access = access
        self.context = context
        isPartial = reading.isPartial
        isPart = !reading.isDissected
    }

    /// Octets of a value, or of several without the limits between them.
    /// - Parameter dissector: nil if no definition reads them. It needs no context, and is not of a message in parts.
    package init(
        _ octets: borrowing ShownOctets, by dissector: Dissector? = nil, _ access: AttributeAccess = .read,
        isPartial: Bool
    ) {
        stored = octets.copy()
        isWithheld = octets.isWithheld
        (self.dissector, self.access, context, isPart) = (dissector, access, [], false)
        self.isPartial = isPartial
    }

    /// The octets, or only their number if they are withheld.
    package var octets: ShownOctets {
        @_lifetime(borrow self) get { ShownOctets(Bytes(stored.span), isWithheld: isWithheld) }
    }

    /// nil if it has no fields.
    package func read() -> (dissector: Dissector, dissection: Dissection)? {
        guard let dissector, !isPart else { return nil }
        var dissection = Dissection()
        dissection.context = context
        dissector.dissect(Bytes(stored.span), operation: access, into: &dissection)
        return (dissector, dissection)
    }
}
