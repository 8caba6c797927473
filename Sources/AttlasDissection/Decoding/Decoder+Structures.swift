import AttlasWire

extension Decoder {
    // MARK: Octets

    mutating func readOctets(_ step: Operation) {
        guard let size = size(step.b) else { return fail(.size, step, need: 0) }
        guard size <= state.left else { return fail(.truncated, step, need: size) }
        if step.code == .uuid, size != 2, size != 4, size != 16 {
            return fail(.uuidLength, step, need: size < 2 ? 2 : size < 4 ? 4 : 16)
        }
        let start = state.offset
        append(step, raw: 0, special: .none, length: size)
        if step.keepsPlace {
            let text = dissector.fields[Int(step.field)].content(of: value.slice(start..<start + size))
            keep(step, TextPlace(offset: start, length: text.count))
        }
        if step.hasCheck, let constant = dissector.fields[Int(step.field)].constant, !matches(constant, at: start) {
            markWrong()
        }
    }

    mutating func readTerminated(_ step: Operation) {
        var length = 0
        while length < state.left, value[state.offset + length] != 0 { length += 1 }
        guard length < state.left else { return fail(.truncated, step, need: length + 1) }
        if step.keepsPlace { keep(step, TextPlace(offset: state.offset, length: length)) }
        append(step, raw: 0, special: .none, length: length + 1)
    }

    mutating func readMarked(_ step: Operation) {
        guard let (length, whole) = markedLength(step) else { return }
        if step.keepsPlace { keep(step, TextPlace(offset: state.offset, length: length)) }
        append(step, raw: 0, special: .none, length: whole)
    }

    /// The octets up to the marker of the field, and with it; nil after a fault.
    mutating func markedLength(_ step: Operation) -> (content: Int, whole: Int)? {
        guard let marker = dissector.fields[Int(step.field)].marker else { return (state.left, state.left) }
        var length = 0
        while length + marker.octets.count <= state.left {
            if matches(marker.octets, at: state.offset + length) { return (length, length + marker.octets.count) }
            length += 1
        }
        if marker.isOptional { return (state.left, state.left) }
        fail(.truncated, step, need: state.left + 1)
        return nil
    }

    private mutating func keep(_ step: Operation, _ place: TextPlace) { registers[Int(step.register)] = place.packed }

    /// Whether the value has these octets at a place; not if they go beyond its end.
    private func matches(_ octets: [UInt8], at offset: Int) -> Bool {
        guard offset + octets.count <= state.end else { return false }
        for (index, octet) in octets.enumerated() where value[offset + index] != octet { return false }
        return true
    }

    /// nil when it cannot be computed or is negative.
    func size(_ packed: UInt64) -> Int? {
        switch SizeRule(packed: packed) {
        case .rest: return state.left
        case .constant(let octets): return octets
        case .expression(let index):
            guard let size = evaluate(index), size >= 0 else { return nil }
            // A size that no value reaches is a truncation, not an overflow later on.
            return Int(min(size, 1 << 30))
        }
    }

    func evaluate(_ index: Int) -> Int64? {
        dissector.expressions[index].evaluate(
            registers: registers.span, unread: value.slice(state.offset..<state.end), of: value)
    }

    // MARK: Structures

    mutating func begin(_ step: Operation) {
        let isSized = step.octets != 0
        var end = state.end
        if isSized {
            guard let size = size(step.b) else { return fail(.size, step, need: 0) }
            guard size <= state.left else { return fail(.truncated, step, need: size) }
            end = state.offset + size
        }
        let frame = Dissection.Frame(
            record: state.count, outerEnd: state.end, start: state.offset, remaining: 0, isSized: isSized)
        append(step, raw: 0, special: .none, length: 0)
        push(frame)
        state.end = end
    }

    mutating func end(_ step: Operation) {
        let frame = pop()
        if frame.isSized, state.left > 0 {
            var unexplained = step
            unexplained.field = DissectedField.unexplainedOctets
            unexplained.depth += 1
            append(unexplained, raw: 0, special: .none, length: state.left)
        }
        records[frame.record].length = Int32(truncatingIfNeeded: state.offset - frame.start)
        state.end = frame.outerEnd
    }

    // MARK: Loops

    mutating func openLoop(_ step: Operation) {
        var rounds = Int.max
        if step.code == .repeatCount {
            guard let count = size(step.a) else { return fail(.size, step, need: 0) }
            rounds = count
        }
        if step.code == .repeatToMarker, state.left == 0 || isAtMarker(step) { rounds = 0 }
        // "rest" is one or more: where there is nothing left, the first round finds that out.
        guard rounds > 0 else {
            state.position = Int(step.target)
            return
        }
        push(.init(record: -1, outerEnd: state.end, start: state.offset, remaining: rounds, isSized: false))
    }

    mutating func next(_ step: Operation) {
        let top = state.frameCount - 1
        let frame = frames[top]
        // A round that consumes nothing would never end.
        guard frame.remaining > 1, state.offset > frame.start, frame.remaining != .max || state.left > 0 else {
            state.frameCount = top
            return
        }
        frames[top].start = state.offset
        if frame.remaining != .max { frames[top].remaining -= 1 }
        state.position = Int(step.target)
    }

    mutating func nextBeforeMarker(_ step: Operation) {
        if isAtMarker(step) { state.frameCount -= 1 } else { next(step) }
    }

    private func isAtMarker(_ step: Operation) -> Bool {
        guard let end = dissector.fields[Int(step.field)].repetitionEnd else { return false }
        return matches(end, at: state.offset)
    }

    /// Depths are limited when a definition is compiled, so there is always room.
    private mutating func push(_ frame: Dissection.Frame) {
        frames[state.frameCount] = frame
        state.frameCount += 1
    }

    private mutating func pop() -> Dissection.Frame {
        state.frameCount -= 1
        return frames[state.frameCount]
    }
}
