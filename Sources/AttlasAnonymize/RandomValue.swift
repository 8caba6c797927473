import AttlasDissection
import AttlasWire

/// Another value with the same fields, as its definition permits it.
struct RandomValue {
    private var octets: [UInt8]
    /// Before anything was replaced in it.
    private let first: [UInt8]
    private let dissector: Dissector
    private let original: Dissection
    private let access: AttributeAccess
    private var generator: RandomOctets

    init(
        _ octets: [UInt8], insteadOf first: [UInt8], _ dissector: Dissector, _ dissection: Dissection,
        _ access: AttributeAccess, _ generator: RandomOctets
    ) {
        self.octets = octets
        self.first = first
        self.dissector = dissector
        original = dissection
        self.access = access
        self.generator = generator
    }

    /// Makes other numbers of its numbers, or zeros if that is impossible: no part of the original stays.
    mutating func change() {
        // Octets that no field reads, and those of a truncated field.
        for index in original.unexplained.clamped(to: octets.indices) { octets[index] = 0 }
        if let fault = original.fault, fault.offset < octets.count {
            for index in fault.offset..<octets.count { octets[index] = 0 }
        }
        let fields = (0..<original.count).filter { isFree(at: $0) }
        let before = octets
        for index in fields { change(index) }
        if hasSameFields { return }
        // A number decides which fields there are: each alone, and those that do stay as they are.
        octets = before
        for index in fields {
            let last = octets
            change(index)
            if !hasSameFields { octets = last }
        }
        if !hasSameFields { octets = [UInt8](repeating: 0, count: octets.count) }
    }

    private func definition(_ index: Int) -> FieldDescription? {
        let field = original[index].field
        return field == DissectedField.unexplainedOctets ? nil : dissector.fields[Int(field)]
    }

    /// Whether it measures something: no flags, no kind of thing, no special value, no check, no point in time.
    private func isFree(at index: Int) -> Bool {
        guard let field = definition(index), original[index].special == .none, !field.isGiven, field.bits.isEmpty,
            field.layoutBits == 0, field.role != .padding, !isInTime(index)
        else { return false }
        if case .none = field.labels { return true }
        // The only field of a person's property, such as the gender: nothing depends on it.
        return original.count == 1 && dissector.sensitivity?.subject == .identity
    }

    /// A time of the device reveals no more than the times of the capture.
    private func isInTime(_ index: Int) -> Bool {
        let depth = original[index].depth
        guard depth > 0 else { return false }
        var around = index - 1
        while around > 0, original[around].depth >= depth { around -= 1 }
        guard let field = definition(around) else { return false }
        return field.name.contains("Time") || field.name.contains("Date")
    }

    private mutating func change(_ index: Int) {
        guard let field = definition(index) else { return }
        let place = original[index]
        let range = place.range
        switch field.type {
        case .unsigned(let bits), .signed(let bits):
            write(number(place.raw, field, isSigned: field.type == .signed(bits: bits)), bits, place, field)
        case .medfloat16:
            let mantissa = number(Int64(Int16(truncatingIfNeeded: place.raw << 4) >> 4), field, isSigned: true)
            write(place.raw & 0xF000 | mantissa & 0x0FFF, 16, place, field)
        case .medfloat32:
            let mantissa = number(Int64(Int32(truncatingIfNeeded: place.raw << 8) >> 8), field, isSigned: true)
            write(place.raw & 0xFF00_0000 | mantissa & 0xFF_FFFF, 32, place, field)
        // The sign and the exponent stay.
        case .float32: write(place.raw & ~0x7F_FFFF | generator.next() & 0x7F_FFFF, 32, place, field)
        case .float64: write(place.raw & ~0xF_FFFF_FFFF_FFFF | generator.next() & 0xF_FFFF_FFFF_FFFF, 64, place, field)
        case .timeExponential8, .powerOfTwo64: write(number(place.raw, field, isSigned: false), 8, place, field)
        // Replaced by the same everywhere: Anonymizer.
        case .utf8, .utf8z, .secret, .address: break
        case .bytes, .advertisingData, .varint, .coded(.zigzag), .coded(.decimalDigits), .coded(.signMagnitude):
            for index in range { octets[index] = 0 }
        case .coded:
            for index in range where UInt8(ascii: "0")...UInt8(ascii: "9") ~= octets[index] {
                octets[index] = UInt8(ascii: "0")
            }
        case .uuid, .uuid16, .handle, .connectionHandle, .structure, .use: break
        }
    }

    /// About as large, so that it may be one of the same kind.
    private mutating func number(_ old: Int64, _ field: FieldDescription, isSigned: Bool) -> Int64 {
        let size = isSigned ? old.magnitude : UInt64(bitPattern: old)
        if case .ranges(let labels) = field.labels, !labels.isEmpty {
            return labels[Int(generator.next() & .max) % labels.count].first
        }
        guard size > 0 else { return 0 }
        // 1 becomes 2 or 3.
        let width = UInt64(max(2, 64 - size.leadingZeroBitCount))
        let least = UInt64(1) << (width - 1)
        for _ in 0..<16 {
            let random = least | UInt64(bitPattern: generator.next()) & (least - 1)
            let new = isSigned && old < 0 ? -Int64(truncatingIfNeeded: random) : Int64(bitPattern: random)
            let isPermitted = field.permitted?.contains(new) ?? true
            if isPermitted, !field.specials.contains(where: { $0.contains(new) }) { return new }
        }
        return field.permitted?.lowerBound ?? 0
    }

    private mutating func write(_ number: Int64, _ bits: Int, _ place: DissectedField, _ field: FieldDescription) {
        let number = UInt64(bitPattern: number)
        let range = place.range
        if bits.isMultiple(of: 8), place.bitOffset == 0, range.count == bits / 8 {
            for (index, octet) in range.enumerated() {
                let shift = UInt64(8 * (field.isBigEndian ? range.count - 1 - index : index))
                octets[octet] = UInt8(truncatingIfNeeded: number >> shift)
            }
            return
        }
        // Bits that share octets with other fields, the least significant first.
        for bit in 0..<bits {
            let position =
                field.isBigEndian ? range.count * 8 - Int(place.bitOffset) - bits + bit : Int(place.bitOffset) + bit
            let octet = field.isBigEndian ? range.upperBound - 1 - position / 8 : range.lowerBound + position / 8
            guard range.contains(octet) else { continue }
            let mask = UInt8(1) << UInt8(position % 8)
            octets[octet] = number >> UInt64(bit) & 1 == 1 ? octets[octet] | mask : octets[octet] & ~mask
        }
    }

    // MARK: Checks

    /// Whether the definition finds the same fields in it, and no fault that was not there.
    private var hasSameFields: Bool {
        var new = original
        dissector.dissect(Bytes(octets.span), operation: access, into: &new)
        guard new.count == original.count, new.fault == original.fault, new.unexplained == original.unexplained,
            new.hasOutOfRange == original.hasOutOfRange, new.hasReservedBits == original.hasReservedBits
        else { return false }
        return (0..<new.count).allSatisfy {
            let (new, old) = (new[$0], original[$0])
            return new.field == old.field && new.offset == old.offset && new.length == old.length
                && new.special == old.special && new.isOutOfRange == old.isOutOfRange
        }
    }

    /// With checksums over the new contents, where they fitted before.
    mutating func renewed() -> [UInt8] {
        for index in 0..<original.count {
            guard let field = definition(index), let check = field.check else { continue }
            let range = original[index].range
            let covered = field.checkedOctets(of: original, at: index) ?? 0..<octets.count
            func sum(_ octets: [UInt8]) -> UInt64 {
                check.of(Bytes(octets.span), from: covered.lowerBound, to: covered.upperBound, without: range)
            }
            guard range.upperBound <= octets.count, sum(first) == UInt64(bitPattern: original[index].raw) else {
                continue
            }
            write(Int64(bitPattern: sum(octets)), range.count * 8, original[index], field)
        }
        return octets
    }
}

/// Random numbers that a seed decides: SplitMix64, whose state is secret.
struct RandomOctets {
    private var state: UInt64

    init(state: UInt64) {
        self.state = state
    }

    mutating func next() -> Int64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return Int64(bitPattern: mixed ^ mixed >> 31)
    }
}
