import AttlasWire

extension Dissector {
    /// Reads `value` into `dissection`, which is emptied first.
    ///
    /// Any octets will do: what is missing is a fault, what is left over is unexplained, and both keep the fields before.
    public func dissect(_ value: Bytes, operation: ATTOperation, into dissection: inout Dissection) {
        dissection.reset(registerCount: registerCount)
        dissection.program = Int(operation.rawValue)
        var run = Run(end: value.count)
        var position = programs[Int(operation.rawValue)].entry
        while true {
            let step = operations[position]
            position &+= 1
            switch step.code {
            case .finish:
                dissection.unexplained = run.offset..<value.count
                return
            case .skipUnlessBits:
                let bits = UInt64(bitPattern: dissection.registers[Int(step.register)])
                if bits & step.a != step.b { position = Int(step.target) }
            case .skipUnless:
                let holds = evaluate(Int(step.a), run, dissection.registers) ?? 0
                if holds == 0 { position = Int(step.target) }
            case .jump:
                position = Int(step.target)
            case .repeatToEnd, .repeatCount, .next, .clear:
                if let target = loop(step, &run, &dissection) { position = target }
            default:
                read(step, value, &run, &dissection)
            }
            if run.hasFault {
                dissection.closeStructures(at: run.offset)
                dissection.unexplained = value.count..<value.count
                return
            }
        }
    }

    /// How far reading has come.
    struct Run {
        var offset = 0
        /// Where the value ends, or the structure whose size is known.
        var end: Int
        var hasFault = false

        init(end: Int) {
            self.end = end
        }

        var left: Int { end - offset }
    }

    @inline(__always)
    private func read(_ step: Operation, _ value: Bytes, _ run: inout Run, _ dissection: inout Dissection) {
        switch step.code {
        case .unsigned:
            guard let raw = load(step, value, &run, &dissection) else { return }
            finish(integer: Int64(bitPattern: raw), step, &run, &dissection)
        case .signed:
            guard let raw = load(step, value, &run, &dissection) else { return }
            let unused = UInt64(64 &- Int(step.octets) &* 8)
            finish(integer: Int64(bitPattern: raw << unused) >> Int64(unused), step, &run, &dissection)
        case .shared:
            readShared(step, value, &run, &dissection)
        case .medfloat16, .medfloat32, .float32, .float64:
            guard let raw = load(step, value, &run, &dissection) else { return }
            let special = Self.special(step.code, raw)
            append(step, raw: Int64(bitPattern: raw), special: special, length: Int(step.octets), &run, &dissection)
        case .octets, .uuid:
            readOctets(step, &run, &dissection)
        case .terminated:
            var length = 0
            while length < run.left, value[run.offset + length] != 0 { length += 1 }
            guard length < run.left else { return fault(.truncated, step, need: length + 1, &run, &dissection) }
            append(step, raw: 0, special: .none, length: length + 1, &run, &dissection)
        case .begin:
            begin(step, &run, &dissection)
        default:
            end(step, &run, &dissection)
        }
    }

    // MARK: Numbers

    @inline(__always)
    private func load(
        _ step: Operation, _ value: Bytes, _ run: inout Run, _ dissection: inout Dissection
    ) -> UInt64? {
        guard run.left >= Int(step.octets) else {
            fault(.truncated, step, need: Int(step.octets), &run, &dissection)
            return nil
        }
        let offset = run.offset
        switch step.octets {
        case 1: return UInt64(value[offset])
        case 2: return UInt64(value.uint16(at: offset))
        case 3: return UInt64(value.uint24(at: offset))
        case 4: return UInt64(value.uint32(at: offset))
        case 6: return value.uint48(at: offset)
        case 8: return value.uint64(at: offset)
        default:
            var raw: UInt64 = 0
            for index in (0..<Int(step.octets)).reversed() { raw = raw << 8 | UInt64(value[offset + index]) }
            return raw
        }
    }

    @inline(__always)
    private func finish(integer raw: Int64, _ step: Operation, _ run: inout Run, _ dissection: inout Dissection) {
        dissection.registers[Int(step.register)] = raw
        let special = step.hasSpecials ? special(raw, field: Int(step.field)) : .none
        append(step, raw: raw, special: special, length: Int(step.octets), &run, &dissection)
    }

    private func readShared(
        _ step: Operation, _ value: Bytes, _ run: inout Run, _ dissection: inout Dissection
    ) {
        guard let octets = load(step, value, &run, &dissection) else { return }
        let piece = SharedPiece(packed: step.b)
        let unused = UInt64(64 - piece.width)
        let bits = (octets >> UInt64(piece.shift)) << unused
        let raw = piece.isSigned ? Int64(bitPattern: bits) >> Int64(unused) : Int64(bitPattern: bits >> unused)
        dissection.registers[Int(step.register)] = raw
        let special = step.hasSpecials ? special(raw, field: Int(step.field)) : .none
        let first = piece.shift / 8
        let length = (piece.shift + piece.width + 7) / 8 - first
        let start = run.offset
        run.offset += first
        append(step, raw: raw, special: special, length: length, &run, &dissection)
        guard !run.hasFault else { return }
        dissection.fields[dissection.fields.count - 1].bitOffset = UInt8(piece.shift % 8)
        run.offset = start + (piece.isLast ? Int(step.octets) : 0)
    }

    private func special(_ raw: Int64, field: Int) -> SpecialValue {
        guard let index = fields[field].specials.firstIndex(where: { $0.contains(raw) }) else { return .none }
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

    // MARK: Octets

    private func readOctets(_ step: Operation, _ run: inout Run, _ dissection: inout Dissection) {
        guard let size = size(step.b, run, dissection.registers) else {
            return fault(.size, step, need: 0, &run, &dissection)
        }
        guard size <= run.left else { return fault(.truncated, step, need: size, &run, &dissection) }
        if step.code == .uuid, size != 2, size != 4, size != 16 {
            return fault(.uuidLength, step, need: size < 2 ? 2 : size < 4 ? 4 : 16, &run, &dissection)
        }
        append(step, raw: 0, special: .none, length: size, &run, &dissection)
    }

    /// nil when it cannot be computed or is negative.
    func size(_ packed: UInt64, _ run: Run, _ registers: [Int64]) -> Int? {
        switch SizeRule(packed: packed) {
        case .rest: return run.left
        case .constant(let octets): return octets
        case .expression(let index):
            guard let size = evaluate(index, run, registers), size >= 0 else { return nil }
            // A size that no value reaches is a truncation, not an overflow later on.
            return Int(min(size, 1 << 30))
        }
    }

    private func evaluate(_ index: Int, _ run: Run, _ registers: [Int64]) -> Int64? {
        expressions[index].evaluate(registers: registers, left: run.left)
    }

    // MARK: Records

    @inline(__always)
    func append(
        _ step: Operation, raw: Int64, special: SpecialValue, length: Int, _ run: inout Run,
        _ dissection: inout Dissection
    ) {
        guard dissection.fields.count < Compiler.fieldLimit else {
            return fault(.fieldLimit, step, need: length, &run, &dissection)
        }
        let isReserved = UInt64(bitPattern: raw) & step.a != 0 && step.code != .begin
        if isReserved { dissection.hasReservedBits = true }
        dissection.fields.append(
            DissectedField(
                field: step.field, depth: step.depth, special: special, hasReservedBits: isReserved, bitOffset: 0,
                offset: Int32(truncatingIfNeeded: run.offset), length: Int32(truncatingIfNeeded: length), raw: raw))
        run.offset += length
    }

    /// - Parameter need: octets from here on.
    func fault(
        _ reason: DissectionFault.Reason, _ step: Operation, need: Int, _ run: inout Run,
        _ dissection: inout Dissection
    ) {
        run.hasFault = true
        dissection.fault = DissectionFault(
            reason: reason, field: Int(step.field), need: run.offset + need, have: run.end)
    }
}
