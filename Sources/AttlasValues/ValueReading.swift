import AttlasDissection
import AttlasWire

/// The reading of one value: its dissector, its octets, and the data from earlier values.
///
/// The fields are in `ValueInterpreter.dissection` until the next value is read.
public struct ValueReading: ~Escapable {
    public let dissector: Dissector
    /// The octets that the event carries.
    public let value: Bytes
    /// More of the value may follow, or the capture cut it: where it ends is no fault.
    public let isPartial: Bool
    /// For a value that is a part of a message: the state of the message.
    public let message: MessageState?
    /// The reason why the message before was dropped.
    public let loss: MessageAssembler.Loss?
    public let rates: [DerivedRate]
    /// Of a mesh Proxy PDU, if NetKeys were given: what it carries.
    public let mesh: MeshReading?
    private let whole: [UInt8]

    @_lifetime(copy value)
    init(
        _ dissector: Dissector, value: Bytes, isPartial: Bool, message: MessageState? = nil,
        loss: MessageAssembler.Loss? = nil, rates: [DerivedRate] = [], mesh: MeshReading? = nil
    ) {
        self.dissector = dissector
        self.value = value
        self.isPartial = isPartial
        self.message = message
        self.loss = loss
        self.rates = rates
        self.mesh = mesh
        if case .complete(let octets, _) = message { whole = octets } else { whole = [] }
    }

    private var isMessage: Bool {
        if case .complete = message { true } else { false }
    }

    /// Whether `ValueInterpreter.dissection` has its fields.
    public var isDissected: Bool { message == nil || isMessage }

    /// The octets with the fields: the value, or the message that it completes.
    public var octets: Bytes {
        @_lifetime(borrow self) get { isMessage ? Bytes(whole.span) : value }
    }

    /// A copy of `octets`.
    public var copiedOctets: [UInt8] { isMessage ? whole : value.copy() }
}

/// The state of a message in parts.
public enum MessageState: Sendable {
    /// It is incomplete. `have`: octets so far; `need`: octets of the whole, if the parts so far contain its length.
    case part(number: Int, have: Int, need: Int?)
    /// `frames`: of its parts.
    case complete(octets: [UInt8], frames: [Int])
    /// The value continues a message whose beginning was not captured.
    case stray
}

/// The rate of change of a field, measured from the previous value.
public struct DerivedRate: Sendable {
    public let field: DerivedField
    public let value: Double
    public let sinceFrame: Int
}
