extension Dissector {
    // MARK: Structures

    func begin(_ step: Operation, _ run: inout Run, _ dissection: inout Dissection) {
        let frame = Dissection.Frame(
            record: dissection.fields.count, outerEnd: run.end, start: run.offset, remaining: 0, isSized: step.octets != 0)
        var inner = run.end
        if step.octets != 0 {
            guard let size = size(step.b, run, dissection.registers) else {
                return fault(.size, step, need: 0, &run, &dissection)
            }
            guard size <= run.left else { return fault(.truncated, step, need: size, &run, &dissection) }
            inner = run.offset + size
        }
        append(step, raw: 0, special: .none, length: 0, &run, &dissection)
        guard !run.hasFault else { return }
        dissection.frames.append(frame)
        // A structure without a size ends where its fields do.
        run.end = inner
    }

    func end(_ step: Operation, _ run: inout Run, _ dissection: inout Dissection) {
        let frame = dissection.frames.removeLast()
        if frame.isSized, run.left > 0 {
            var unexplained = step
            unexplained.field = DissectedField.unexplainedOctets
            unexplained.depth += 1
            append(unexplained, raw: 0, special: .none, length: run.left, &run, &dissection)
        }
        dissection.fields[frame.record].length = Int32(truncatingIfNeeded: run.offset - frame.start)
        run.end = frame.outerEnd
    }

    // MARK: Loops

    /// - Returns: where to go on, unless with the next operation.
    func loop(_ step: Operation, _ run: inout Run, _ dissection: inout Dissection) -> Int? {
        switch step.code {
        case .clear:
            for register in Int(step.a)..<Int(step.b) { dissection.registers[register] = 0 }
            return nil
        case .next:
            let frame = dissection.frames[dissection.frames.count - 1]
            // A round that consumes nothing would go on for ever.
            guard frame.remaining > 1, run.offset > frame.start, frame.remaining != .max || run.left > 0 else {
                dissection.frames.removeLast()
                return nil
            }
            dissection.frames[dissection.frames.count - 1].start = run.offset
            if frame.remaining != .max { dissection.frames[dissection.frames.count - 1].remaining -= 1 }
            return Int(step.target)
        default:
            var rounds = Int.max
            if step.code == .repeatCount {
                guard let count = size(step.a, run, dissection.registers) else {
                    fault(.size, step, need: 0, &run, &dissection)
                    return nil
                }
                rounds = count
            }
            // "rest" is one or more: where there is nothing left, the first round finds that out.
            guard rounds > 0 else { return Int(step.target) }
            dissection.frames.append(
                Dissection.Frame(record: -1, outerEnd: run.end, start: run.offset, remaining: rounds, isSized: false))
            return nil
        }
    }
}

extension Dissection {
    /// After a fault: the structures that were being read end where reading stopped.
    mutating func closeStructures(at offset: Int) {
        for frame in frames where frame.record >= 0 {
            fields[frame.record].length = Int32(truncatingIfNeeded: offset - frame.start)
        }
        frames.removeAll(keepingCapacity: true)
    }
}
