import AttlasWire

extension Dissector {
    /// Reads `value` into `dissection`, which is emptied first.
    ///
    /// It accepts any octets: missing octets are a fault, remaining octets are unexplained, and both keep the fields before.
    ///
    /// - Parameter first: where its fields begin in the value, which has at least this number of octets.
    public func dissect(
        _ value: Bytes, from first: Int = 0, operation: AttributeAccess = .read, into dissection: inout Dissection
    ) {
        dissection.reset(registerCount: registerCount)
        if !context.isEmpty { fillContext(value, &dissection) }
        dissection.program = Int(operation.rawValue)
        var start = Decoder.State(position: programs[Int(operation.rawValue)].entry, end: value.count)
        start.offset = first
        let state = decode(value, start, &dissection.records, &dissection.registers, &dissection.frames)
        dissection.count = state.count
        dissection.fault = state.fault
        dissection.hasReservedBits = state.hasReservedBits
        dissection.hasWrongCheck = state.hasWrongCheck
        dissection.hasOutOfRange = state.hasOutOfRange
        dissection.caseSummary = state.summary
        dissection.unexplained = (state.fault == nil ? state.offset : value.count)..<value.count
    }

    /// With the arrays as parameters, so that three spans may change side by side.
    @inline(__always)
    private func decode(
        _ value: Bytes, _ state: Decoder.State, _ records: inout [DissectedField], _ registers: inout [Int64],
        _ frames: inout [Dissection.Frame]
    ) -> Decoder.State {
        let recordSpan = records.mutableSpan
        let registerSpan = registers.mutableSpan
        let frameSpan = frames.mutableSpan
        let operations = operations
        var decoder = Decoder(self, operations.span, value, state, recordSpan, registerSpan, frameSpan)
        decoder.run()
        if decoder.state.needsRoom {
            let state = decoder.state
            return decodeOn(value, state, &records, &registers, &frames)
        }
        return decoder.state
    }

    /// A long value for the first time; the buffer keeps its size after that. Not a loop, through which the whole state would
    /// go for every value.
    @inline(never)
    private func decodeOn(
        _ value: Bytes, _ state: Decoder.State, _ records: inout [DissectedField], _ registers: inout [Int64],
        _ frames: inout [Dissection.Frame]
    ) -> Decoder.State {
        let room = min(records.count, Compiler.fieldLimit - records.count)
        records.append(contentsOf: [DissectedField](repeating: .none, count: room))
        var state = state
        state.needsRoom = false
        return decode(value, state, &records, &registers, &frames)
    }

    /// The first registers hold the context.
    private func fillContext(_ value: Bytes, _ dissection: inout Dissection) {
        for index in context.indices {
            let known = index < dissection.context.count ? dissection.context[index] : nil
            let otherwise = expressions[self.otherwise[index]]
            dissection.registers[index] =
                known ?? otherwise.evaluate(registers: dissection.registers.span, unread: value, of: value) ?? 0
        }
    }
}
