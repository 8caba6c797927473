/// One step of a compiled layout.
///
/// A layout is a flat array of these: no tree is walked, no name looked up and nothing allocated while a value is read.
/// Depths, field indices and jump targets are all settled when the definition is compiled.
struct Operation: BitwiseCopyable, Sendable {
    enum Code: UInt8, Sendable {
        case finish
        /// `octets` little-endian octets; `a`: the bits that have no name.
        case unsigned, signed
        /// A number of as many octets as have their top bit set, and one more.
        case varint
        /// The number of the expression `b`, of no octets; no field where it is undefined.
        case compute
        /// A piece of `octets` octets shared by several fields; `b`: shift, width, sign and whether it is the last one.
        case shared
        /// IEEE 11073 and IEEE 754 numbers of `octets` octets.
        case medfloat16, medfloat32, float32, float64
        /// Octets as they are; `size` in `b`.
        case octets
        /// The same, and there must be 2, 4 or 16 of them.
        case uuid
        /// Octets up to a zero, which counts.
        case terminated
        /// Octets up to the marker of the field, which counts.
        case marked
        /// An integer in another code: `octets` octets; `size` in `b` or a marker for one in text.
        case decimalDigits, signMagnitude, zigzag, decimalText, hexadecimalText
        case begin, end
        /// A loop over the operations up to `target`; its `next` jumps back.
        case repeatToEnd, repeatCount, next
        /// The same up to the marker of the field `field`, which may come at once.
        case repeatToMarker, nextBeforeMarker
        /// To `target` unless (register & a) == b.
        case skipUnlessBits
        /// To `target` unless the expression `a` holds.
        case skipUnless
        case jump
        /// The number of the last record is marked unless it is special or from `a` to `b`.
        case permit
        /// Registers from `a` up to `b` are absent again: the next round of a loop has not read them yet.
        case clear
        /// The summary `a` is that of the value.
        case summarize

        /// `end` only for octets that nothing explains, which is unknown before.
        var addsRecord: Bool {
            switch self {
            case .unsigned, .signed, .varint, .compute, .shared, .medfloat16, .medfloat32, .float32, .float64, .octets,
                .uuid, .terminated, .marked, .decimalDigits, .signMagnitude, .zigzag, .decimalText, .hexadecimalText,
                .begin, .end:
                true
            case .finish, .repeatToEnd, .repeatCount, .next, .repeatToMarker, .nextBeforeMarker, .skipUnlessBits,
                .skipUnless, .jump, .permit, .clear, .summarize:
                false
            }
        }
    }

    var code: Code
    var depth: UInt8 = 0
    var octets: UInt8 = 0
    var hasSpecials = false
    var isBigEndian = false
    /// The field has an expected value.
    var hasCheck = false
    /// An expression compares the text: its register has its place.
    var keepsPlace = false
    var field: UInt16 = 0
    var register: UInt16 = 0
    var target: UInt16 = 0
    var a: UInt64 = 0
    var b: UInt64 = 0

    init(_ code: Code) {
        self.code = code
    }
}

/// Where a text is in a value. Packed into a register; 0 of one that was not read.
struct TextPlace {
    var offset: Int
    var length: Int

    var packed: Int64 { Int64(offset) << 32 | Int64(length) }

    init(offset: Int, length: Int) {
        self.offset = offset
        self.length = length
    }

    init(packed: Int64) {
        offset = Int(packed >> 32)
        length = Int(packed & 0xFFFF_FFFF)
    }
}

/// How many octets an `octets` or a sized structure takes.
enum SizeRule {
    case rest
    case constant(Int)
    case expression(Int)

    /// Two bits of kind below the number.
    var packed: UInt64 {
        switch self {
        case .rest: 0
        case .constant(let octets): UInt64(octets) << 2 | 1
        case .expression(let index): UInt64(index) << 2 | 2
        }
    }

    init(packed: UInt64) {
        switch packed & 3 {
        case 0: self = .rest
        case 1: self = .constant(Int(packed >> 2))
        default: self = .expression(Int(packed >> 2))
        }
    }
}

/// Where a piece of shared octets lies. Packed into an operation's `b`.
struct SharedPiece {
    var shift: Int
    var width: Int
    var isSigned: Bool
    var isLast: Bool

    var packed: UInt64 {
        UInt64(shift) | UInt64(width) << 8 | (isSigned ? 1 << 16 : 0) | (isLast ? 1 << 17 : 0)
    }

    init(shift: Int, width: Int, isSigned: Bool, isLast: Bool) {
        self.shift = shift
        self.width = width
        self.isSigned = isSigned
        self.isLast = isLast
    }

    init(packed: UInt64) {
        shift = Int(packed & 0xFF)
        width = Int(packed >> 8 & 0xFF)
        isSigned = packed >> 16 & 1 != 0
        isLast = packed >> 17 & 1 != 0
    }
}
