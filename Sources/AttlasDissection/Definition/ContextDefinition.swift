import AttlasWire

/// A number that a layout needs and the value does not contain: a flag of a feature characteristic, or the service.
public struct ContextDefinition: Sendable {
    package enum Source: Hashable, Sendable {
        /// The 16-bit UUID of the characteristic's service.
        case service
        /// A field or a flag of another characteristic of the service, or of a descriptor of the characteristic.
        case attribute(BluetoothUUID, field: String)
        /// A field or a flag of the client's last write to the same attribute: the request that the value answers.
        case request(field: String)
    }

    /// Its name in expressions.
    package var name: String
    package var source: Source
    /// The default if the capture lacks the number: an expression that may use `left`, the length of the value.
    var otherwise: SourceText
    var position: SourcePosition

    package init(name: String, source: Source, otherwise: SourceText, position: SourcePosition) {
        self.name = name
        self.source = source
        self.otherwise = otherwise
        self.position = position
    }
}

/// A number that two values of one attribute yield together: the change of one field over the change of another, or over the
/// time that passed.
package struct DerivedDefinition: Sendable {
    /// Used instead of a field with the time: the capture's clock.
    static let clock = "clock"

    var name: String
    var change: String
    /// The name of a field, or `clock`.
    var per: String
    /// On top of the scales of both fields.
    var scale: Scale.Ratio
    var unit: String?
    var position: SourcePosition

    package init(
        name: String, change: String, per: String, scale: Scale.Ratio, unit: String? = nil, position: SourcePosition
    ) {
        self.name = name
        self.change = change
        self.per = per
        self.scale = scale
        self.unit = unit
        self.position = position
    }
}

/// Layouts that a file cannot define, because other attributes of the device, or its controller, do. The fields of the definition are used
/// while those are unknown.
///
/// To add one: a case here, a file in Shaping/, its sources in `ValueShape`, octet tests, and a conversation in
/// `ValueHistoryTests`.
public enum NamedDecoder: String, CaseIterable, Sendable {
    /// The report that the Report Map describes and the Report Reference names.
    case hidReport = "hid-report"
    /// Each field is laid out as the value of the characteristic that the descriptor belongs to.
    case characteristicValue = "characteristic-value"
    /// The steps of ranging data, as channel sounding was configured and filtered.
    case rangingData = "ranging-data"
}

/// The way to join the parts of a message that a device splits over several values.
public struct AssemblyDefinition: Hashable, Sendable {
    package enum Rule: Hashable, Sendable {
        /// An unsigned integer of `octets` octets at `offset` of the message; with `plus`, the octets of the whole.
        case length(offset: Int, octets: Int, isBigEndian: Bool, plus: Int)
        case total(Int)
        /// The octet at `offset` of the message is its kind, which determines the octets of the whole. Without `otherwise`, a value of
        /// another kind is a whole message.
        case kind(offset: Int, lengths: [KindLength], otherwise: Int?)
        case terminator([UInt8])
        /// Each part begins with a header.
        case header(PartHeader)
        /// Each value is a message.
        case value
        /// Frames of RFC 1055 (SLIP), or of consistent overhead byte stuffing (COBS) up to a zero octet.
        case stuffed(OctetStuffing)
    }

    /// The octets of messages of some kinds.
    package struct KindLength: Hashable, Sendable {
        package let kinds: ClosedRange<Int>
        package let octets: Int

        package init(kinds: ClosedRange<Int>, octets: Int) {
            self.kinds = kinds
            self.octets = octets
        }
    }

    /// A little-endian number before each part, which gives the position of the part in its message.
    package struct PartHeader: Hashable, Sendable {
        package var octets: Int
        /// The bits with the position, and their values in the only part of a message, the first, one in between and the last.
        package var mask: UInt64
        package var complete: UInt64
        package var first: UInt64
        package var middle: UInt64
        package var last: UInt64
        /// The bits that count parts; 0: none do.
        package var sequence: UInt64
        /// The header of the first part belongs to the message.
        package var isKept: Bool
        /// The headers of the first part, which have the length of the message; empty if the last part is marked instead.
        package var lengths: [HeaderLength] = []

        package init(
            octets: Int, mask: UInt64, complete: UInt64, first: UInt64, middle: UInt64, last: UInt64,
            sequence: UInt64, isKept: Bool
        ) {
            self.octets = octets
            self.mask = mask
            self.complete = complete
            self.first = first
            self.middle = middle
            self.last = last
            self.sequence = sequence
            self.isKept = isKept
        }

        /// Any part may be the first.
        var hasFirst: Bool { first != middle }
        /// The first part has its number where the others have it.
        var numbersFirst: Bool { lengths.isEmpty || mask & sequence != 0 }
    }

    /// A header of the first part that has the octets of the message in some of its bits.
    package struct HeaderLength: Hashable, Sendable {
        /// The bits of its first octet that distinguish it from others, and their value.
        var mask: UInt8
        var value: UInt8
        var octets: Int
        var isBigEndian: Bool
        /// The bits with the length.
        var bits: UInt64

        package init(mask: UInt8, value: UInt8, octets: Int, isBigEndian: Bool, bits: UInt64) {
            self.mask = mask
            self.value = value
            self.octets = octets
            self.isBigEndian = isBigEndian
            self.bits = bits
        }

        /// nil if the part has another header.
        func length(in part: Bytes) -> Int? {
            guard part.count >= octets, part[0] & mask == value else { return nil }
            var number: UInt64 = 0
            for index in 0..<octets {
                number = number << 8 | UInt64(part[isBigEndian ? index : octets - 1 - index])
            }
            return Int(truncatingIfNeeded: (number & bits) >> UInt64(bits.trailingZeroBitCount))
        }
    }

    /// A code in which one octet only ends frames.
    package enum OctetStuffing: String, CaseIterable, Sendable {
        case slip, cobs

        /// The octet that ends a frame.
        package var end: UInt8 { self == .slip ? 0xC0 : 0x00 }
    }

    /// An octet that precedes those which are like marks, and the bits of these that change.
    package struct Escape: Hashable, Sendable {
        package var octet: UInt8
        package var mask: UInt8

        package init(octet: UInt8, mask: UInt8) {
            self.octet = octet
            self.mask = mask
        }

        /// The octets that a message has without escapes.
        package func decode(_ message: some Sequence<UInt8>) -> [UInt8] {
            var octets: [UInt8] = []
            var isEscaped = false
            for next in message {
                if !isEscaped, next == octet {
                    isEscaped = true
                } else {
                    octets.append(isEscaped ? next ^ mask : next)
                    isEscaped = false
                }
            }
            return octets
        }
    }

    /// The cipher of a message's octets.
    package struct Cipher: Hashable, Sendable {
        package enum Kind: Int, Sendable {
            /// The exclusive or with the key, which is repeated.
            case exclusiveOr
            /// AES-128, each block for itself: SP 800-38A, ECB. Octets after the last whole block are as they are.
            case blocks
            /// AES-128 of a counter: SP 800-38A, CTR.
            case counter

            package var words: String {
                switch self {
                case .exclusiveOr: "an exclusive or with a key"
                case .blocks: "decrypted with AES (ECB)"
                case .counter: "decrypted with AES (CTR)"
                }
            }
        }

        package var kind: Kind
        package var key: [UInt8]
        /// The first block of the counter.
        package var counter: [UInt8] = []
        /// Octets at the start that are as they are.
        package var start: Int

        package init(_ kind: Kind, key: [UInt8], counter: [UInt8] = [], start: Int = 0) {
            self.kind = kind
            self.key = key
            self.counter = counter
            self.start = start
        }
    }

    package var operations: [AttributeAccess]
    package var rule: Rule
    /// A part that comes later than this after the part before begins a new message.
    var timeoutMilliseconds: Int
    /// The octets that every message begins with; empty if nothing is known about that.
    package var start: [UInt8] = []
    /// Escaping of the octets between the start and the terminator.
    package var escape: Escape?
    /// Applied to the whole message.
    package var cipher: Cipher?

    package init(operations: [AttributeAccess], rule: Rule, timeoutMilliseconds: Int) {
        self.operations = operations
        self.rule = rule
        self.timeoutMilliseconds = timeoutMilliseconds
    }

    /// Applies to all operations, with the usual timeout.
    package init(_ rule: Rule, start: [UInt8] = [], escape: Escape? = nil) {
        self.init(operations: [], rule: rule, timeoutMilliseconds: 10_000)
        self.start = start
        self.escape = escape
    }
}
