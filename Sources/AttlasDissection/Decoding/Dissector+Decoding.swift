import AttlasWire

extension Dissector {
    /// Reads `value` into `dissection`, which is emptied first.
    ///
    /// Any octets will do: what is missing is a fault, what is left over is unexplained, and both keep the fields before.
    public func dissect(_ value: Bytes, operation: AttributeAccess, into dissection: inout Dissection) {
        dissection.reset(registerCount: registerCount)
        if !context.isEmpty { fillContext(value, &dissection) }
        dissection.program = Int(operation.rawValue)
        var state = Decoder.State(position: programs[Int(operation.rawValue)].entry, end: value.count)
        decode(value, &state, &dissection.records, &dissection.registers, &dissection.frames)
        dissection.count = state.count
        dissection.fault = state.fault
        dissection.hasReservedBits = state.hasReservedBits
        dissection.hasWrongCheck = state.hasWrongCheck
        dissection.unexplained = (state.fault == nil ? state.offset : value.count)..<value.count
    }

    /// With the arrays as parameters, so that three spans may change side by side.
    @inline(__always)
    private func decode(
        _ value: Bytes, _ state: inout Decoder.State, _ records: inout [DissectedField], _ registers: inout [Int64],
        _ frames: inout [Dissection.Frame]
    ) {
        let operations = operations
        while true {
            let recordSpan = records.mutableSpan
            let registerSpan = registers.mutableSpan
            let frameSpan = frames.mutableSpan
            var decoder = Decoder(self, operations, value, state, recordSpan, registerSpan, frameSpan)
            decoder.run()
            state = decoder.state
            guard state.needsRoom else { return }
            // A long value for the first time; the buffer keeps its size after that.
            let room = min(records.count, Compiler.fieldLimit - records.count)
            records.append(contentsOf: [DissectedField](repeating: .none, count: room))
            state.needsRoom = false
        }
    }

    /// The first registers hold the context.
    private func fillContext(_ value: Bytes, _ dissection: inout Dissection) {
        for index in context.indices {
            let known = index < dissection.context.count ? dissection.context[index] : nil
            let otherwise = expressions[self.otherwise[index]]
            dissection.registers[index] =
                known ?? otherwise.evaluate(registers: dissection.registers.span, left: value.count, next: 0) ?? 0
        }
    }
}
