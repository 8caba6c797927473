import AttlasWire

/// Walks the operations over one value. Everything it writes lies in the spans of a `Dissection`.
struct Decoder: ~Copyable, ~Escapable {
    let dissector: Dissector
    let operations: Span<Operation>
    let value: Bytes
    var state: State
    var records: MutableSpan<DissectedField>
    var registers: MutableSpan<Int64>
    var frames: MutableSpan<Dissection.Frame>

    /// How far reading has come.
    struct State {
        /// Index of the next operation.
        var position: Int
        var offset = 0
        /// Where the value ends, or the structure whose size is known.
        var end: Int
        var count = 0
        var frameCount = 0
        /// Summary of the last case that has one, from 1.
        var summary = 0
        var hasReservedBits = false
        var hasWrongCheck = false
        var hasOutOfRange = false
        var isDone = false
        /// There is no record left for the next field.
        var needsRoom = false
        var fault: DissectionFault?

        init(position: Int, end: Int) {
            self.position = position
            self.end = end
        }

        var left: Int { end &- offset }
    }

    @_lifetime(copy operations, copy value, copy records, copy registers, copy frames)
    init(
        _ dissector: Dissector, _ operations: Span<Operation>, _ value: Bytes, _ state: State,
        _ records: consuming MutableSpan<DissectedField>, _ registers: consuming MutableSpan<Int64>,
        _ frames: consuming MutableSpan<Dissection.Frame>
    ) {
        self.dissector = dissector
        self.operations = operations
        self.value = value
        self.state = state
        self.records = records
        self.registers = registers
        self.frames = frames
    }

    mutating func run() {
        while !state.isDone {
            let place = state.position
            // Each case loads only the members that it needs.
            var step: Operation { operations[place] }
            // An operation adds one record at most. The buffer grows up to the limit of fields.
            if state.count >= records.count {
                guard records.count >= Compiler.fieldLimit else {
                    state.needsRoom = true
                    return
                }
                if step.code.addsRecord { return fail(.fieldLimit, step, need: 0) }
            }
            state.position &+= 1
            switch step.code {
            case .unsigned:
                let step = step
                guard let raw = load(step) else { break }
                finish(step, Int64(bitPattern: raw), octets: Int(step.octets))
            case .skipUnlessBits:
                let bits = UInt64(bitPattern: registers[Int(step.register)])
                if bits & step.a != step.b { state.position = Int(step.target) }
            case .signed:
                guard let raw = load(step) else { break }
                let unused = UInt64(64 &- Int(step.octets) &* 8)
                finish(step, Int64(bitPattern: raw << unused) >> Int64(unused), octets: Int(step.octets))
            case .compute:
                let step = step
                guard let number = evaluate(Int(step.b)) else {
                    // There is no record that its range could be about.
                    if operations[state.position].code == .permit { state.position &+= 1 }
                    break
                }
                finish(step, number, octets: 0)
            case .finish:
                state.isDone = true
            case .skipUnless:
                if (evaluate(Int(step.a)) ?? 0) == 0 { state.position = Int(step.target) }
            case .jump:
                state.position = Int(step.target)
            case .medfloat16, .medfloat32, .float32, .float64:
                guard let raw = load(step) else { break }
                append(
                    step, raw: Int64(bitPattern: raw), special: Self.special(step.code, raw), length: Int(step.octets))
            case .shared: readShared(step)
            case .varint: readVarint(step)
            case .octets, .uuid: readOctets(step)
            case .terminated: readTerminated(step)
            case .marked: readMarked(step)
            case .decimalDigits, .signMagnitude: readCoded(step)
            case .zigzag: readVarint(step)
            case .decimalText, .hexadecimalText: readNumberInText(step)
            case .begin: begin(step)
            case .end: end(step)
            case .repeatToEnd, .repeatCount, .repeatToMarker: openLoop(step)
            case .next: next(step)
            case .nextBeforeMarker: nextBeforeMarker(step)
            case .summarize: state.summary = Int(step.a)
            case .permit:
                let (last, step) = (state.count - 1, step)
                let isInside = Int64(bitPattern: step.a)...Int64(bitPattern: step.b) ~= records[last].raw
                if isInside || records[last].special != .none { break }
                records[last].isOutOfRange = true
                state.hasOutOfRange = true
            case .clear: for register in Int(step.a)..<Int(step.b) { registers[register] = 0 }
            }
        }
    }

    // MARK: Records

    @inline(__always)
    mutating func append(_ step: Operation, raw: Int64, special: SpecialValue, length: Int, bitOffset: UInt8 = 0) {
        // Only a field of flags has bits without a name; a special value has no bits.
        let isReserved = special == .none && UInt64(bitPattern: raw) & step.a != 0
        if isReserved { state.hasReservedBits = true }
        records[state.count] = DissectedField(
            field: step.field, depth: step.depth, special: special, hasReservedBits: isReserved, hasWrongCheck: false,
            isOutOfRange: false, bitOffset: bitOffset, offset: Int32(truncatingIfNeeded: state.offset),
            length: Int32(truncatingIfNeeded: length), raw: raw)
        state.count &+= 1
        state.offset &+= length
    }

    /// - Parameter need: octets from here on.
    mutating func fail(_ reason: DissectionFault.Reason, _ step: Operation, need: Int) {
        state.fault = DissectionFault(
            reason: reason, field: Int(step.field), depth: Int(step.depth), offset: state.offset,
            need: state.offset + need, have: state.end)
        state.isDone = true
        // The structures that were being read end where reading stopped.
        for index in 0..<state.frameCount where frames[index].record >= 0 {
            records[frames[index].record].length = Int32(truncatingIfNeeded: state.offset - frames[index].start)
        }
    }

    // MARK: Numbers

    @inline(__always)
    mutating func load(_ step: Operation) -> UInt64? {
        let octets = Int(step.octets)
        guard state.left >= octets else {
            fail(.truncated, step, need: octets)
            return nil
        }
        let offset = state.offset
        if step.isBigEndian {
            var raw: UInt64 = 0
            for index in 0..<octets { raw = raw << 8 | UInt64(value[offset + index]) }
            return raw
        }
        switch octets {
        case 1: return UInt64(value[offset])
        case 2: return UInt64(value.uint16(at: offset))
        case 3: return UInt64(value.uint24(at: offset))
        case 4: return UInt64(value.uint32(at: offset))
        case 6: return value.uint48(at: offset)
        case 8: return value.uint64(at: offset)
        default:
            var raw: UInt64 = 0
            for index in (0..<octets).reversed() { raw = raw << 8 | UInt64(value[offset + index]) }
            return raw
        }
    }

    @inline(__always)
    mutating func finish(_ step: Operation, _ raw: Int64, octets: Int, bitOffset: UInt8 = 0) {
        registers[Int(step.register)] = raw
        let special = step.hasSpecials ? special(raw, field: Int(step.field)) : .none
        append(step, raw: raw, special: special, length: octets, bitOffset: bitOffset)
        if step.hasCheck, special == .none { verify(step, UInt64(bitPattern: raw), octets: octets) }
    }

    /// Checks the number that was just read against the octets around it: those of the innermost structure with a known end, or of the
    /// whole value.
    private mutating func verify(_ step: Operation, _ raw: UInt64, octets: Int) {
        let field = dissector.fields[Int(step.field)]
        guard let check = field.check else { return }
        let gap = state.offset - octets..<state.offset
        if let fields = field.checked {
            // Without one of the fields, nothing is known about it.
            guard let range = fields.range(in: records.span, before: state.count - 1) else { return }
            if check.of(value, from: range.lowerBound, to: range.upperBound, without: gap) != raw { markWrong() }
            return
        }
        var start = 0
        for index in 0..<state.frameCount where frames[index].isSized {
            start = Int(records[frames[index].record].offset)
        }
        if check.of(value, from: start, to: state.end, without: gap) != raw { markWrong() }
    }

    /// The last record.
    mutating func markWrong() {
        records[state.count - 1].hasWrongCheck = true
        state.hasWrongCheck = true
    }

    private mutating func readShared(_ step: Operation) {
        guard let octets = load(step) else { return }
        let piece = SharedPiece(packed: step.b)
        let unused = UInt64(64 - piece.width)
        let bits = (octets >> UInt64(piece.shift)) << unused
        let raw = piece.isSigned ? Int64(bitPattern: bits) >> Int64(unused) : Int64(bitPattern: bits >> unused)
        let start = state.offset
        let (first, end) = (piece.shift / 8, (piece.shift + piece.width + 7) / 8)
        state.offset += step.isBigEndian ? Int(step.octets) - end : first
        finish(step, raw, octets: end - first, bitOffset: UInt8(piece.shift % 8))
        state.offset = start + (piece.isLast ? Int(step.octets) : 0)
    }

    private mutating func readVarint(_ step: Operation) {
        var raw: UInt64 = 0
        for length in 0..<min(state.left, 10) {
            let octet = value[state.offset + length]
            raw |= UInt64(octet & 0x7F) << UInt64(7 * length)
            guard octet < 0x80 else { continue }
            let number = step.code == .zigzag ? Int64(raw >> 1) ^ -Int64(raw & 1) : Int64(bitPattern: raw)
            return finish(step, number, octets: length + 1)
        }
        if state.left < 10 { return fail(.truncated, step, need: state.left + 1) }
        fail(.varintLength, step, need: 0)
    }

    private func special(_ raw: Int64, field: Int) -> SpecialValue {
        guard let index = dissector.fields[field].specials.firstIndex(where: { $0.contains(raw) }) else { return .none }
        return .defined(index)
    }

    private static func special(_ code: Operation.Code, _ raw: UInt64) -> SpecialValue {
        let number: Double
        switch code {
        case .medfloat16: return MedicalFloat(medfloat16: UInt16(truncatingIfNeeded: raw)).special
        case .medfloat32: return MedicalFloat(medfloat32: UInt32(truncatingIfNeeded: raw)).special
        case .float32: number = Double(Float(bitPattern: UInt32(truncatingIfNeeded: raw)))
        default: number = Double(bitPattern: raw)
        }
        if number.isNaN { return .notANumber }
        guard number.isInfinite else { return .none }
        return number < 0 ? .negativeInfinity : .positiveInfinity
    }
}
