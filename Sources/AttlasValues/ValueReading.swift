import AttlasDissection
import AttlasWire

/// The reading of one value: its dissector, its octets, and the data from earlier values.
///
/// The fields are in `ValueInterpreter.dissection` until the next value is read.
public struct ValueReading: ~Escapable {
    /// Definition that reads the value.
    public let dissector: Dissector
    /// The octets that the event carries.
    public let value: ShownOctets
    /// More of the value may follow, or the capture truncated it: its end is not a fault.
    public let isPartial: Bool
    /// For a value that is a part of a message: the state of the message.
    public let message: MessageState?
    /// The reason why the message before was dropped.
    public let loss: MessageAssembler.Loss?
    /// Rates of change since the previous value.
    public let rates: [DerivedRate]
    /// The content of a mesh Proxy PDU, if NetKeys were given.
    public let mesh: MeshReading?
    private let whole: [UInt8]
    private let isWithheld: Bool

    /// - Parameter isWithheld: the octets with the fields hold a key.
    @_lifetime(copy value)
    init(
        _ dissector: Dissector, value: ShownOctets, isWithheld: Bool, isPartial: Bool, message: MessageState? = nil,
        loss: MessageAssembler.Loss? = nil, rates: [DerivedRate] = [], mesh: MeshReading? = nil
    ) {
        self.dissector = dissector
        self.value = value
        self.isWithheld = isWithheld
        self.isPartial = isPartial
        self.message = message
        self.loss = loss
        self.rates = rates
        self.mesh = mesh
        if case .complete(let stored, _) = message { whole = stored.octets } else { whole = [] }
    }

    /// The fields are those of the message that the value completes.
    var isMessage: Bool {
        if case .complete = message { true } else { false }
    }

    /// Whether `ValueInterpreter.dissection` has its fields.
    public var isDissected: Bool { message == nil || isMessage }

    /// The octets with the fields: the value, or the message that it completes.
    public var octets: ShownOctets {
        @_lifetime(borrow self) get { isMessage ? ShownOctets(Bytes(whole.span), isWithheld: isWithheld) : value }
    }
}

/// The state of a message in parts.
public enum MessageState: Sendable {
    /// It is incomplete. `have`: octets so far; `need`: octets of the whole, if the parts so far contain its length.
    case part(number: Int, have: Int, need: Int?)
    /// `frames`: of its parts.
    case complete(octets: StoredOctets, frames: [Int])
    /// The value continues a message whose beginning was not captured.
    case stray
}

/// The rate of change of a field, measured from the previous value.
public struct DerivedRate: Sendable {
    /// Name and unit.
    public let field: DerivedField
    /// Change per unit of time or of another field.
    public let value: Double
    /// Record of the previous value, from 1.
    public let sinceFrame: Int
}
