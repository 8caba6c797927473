import AttlasDissection
import AttlasWire

/// What became of one value: who reads it, which octets were read, and what the values before it add.
///
/// The fields are in `ValueInterpreter.dissection` until the next value is read.
public struct ValueReading: ~Escapable {
    public let dissector: Dissector
    /// The octets that the event carries.
    public let value: Bytes
    /// More of the value may follow, or the capture cut it: where it ends is no fault.
    public let isPartial: Bool
    /// Of a value that is a part of a message: what that has become with it.
    public let message: MessageState?
    /// Why the message before was given up.
    public let loss: MessageAssembler.Loss?
    public let rates: [DerivedRate]
    private let whole: [UInt8]

    @_lifetime(copy value)
    init(
        _ dissector: Dissector, value: Bytes, isPartial: Bool, message: MessageState? = nil,
        loss: MessageAssembler.Loss? = nil, rates: [DerivedRate] = []
    ) {
        self.dissector = dissector
        self.value = value
        self.isPartial = isPartial
        self.message = message
        self.loss = loss
        self.rates = rates
        if case .complete(let octets, _) = message { whole = octets } else { whole = [] }
    }

    private var isMessage: Bool {
        if case .complete = message { true } else { false }
    }

    /// Whether `ValueInterpreter.dissection` has its fields.
    public var isDissected: Bool { message == nil || isMessage }

    /// What the fields are of: the value, or the message that it completes.
    public var octets: Bytes {
        @_lifetime(borrow self) get { isMessage ? Bytes(whole.span) : value }
    }

    /// A copy of `octets`.
    public var copiedOctets: [UInt8] { isMessage ? whole : value.copy() }
}

/// What a message in parts has become.
public enum MessageState: Sendable {
    /// It goes on. `have`: octets so far; `need`: of the whole, when the parts so far tell.
    case part(number: Int, have: Int, need: Int?)
    /// `frames`: of its parts.
    case complete(octets: [UInt8], frames: [Int])
    /// The value continues a message whose beginning was not seen.
    case stray
}

/// How fast a field of the value changes: measured from the value before.
public struct DerivedRate: Sendable {
    public let field: DerivedField
    public let value: Double
    public let sinceFrame: Int
}
