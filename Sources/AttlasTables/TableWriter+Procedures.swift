import AttlasProcedures
import AttlasText
import AttlasTrace
import AttlasWire

/// Procedures of the two sides, each in one row.
extension TableWriter {
    mutating func writeProcedures(in trace: borrowing Trace) {
        while let procedure = procedures.next() { write(procedure, in: trace) }
    }

    private mutating func write(_ procedure: Procedure, in trace: borrowing Trace) {
        rows.begin(.procedures)
        rows.add(word: Procedure.Kind.allCases.firstIndex(of: procedure.kind) ?? 0) {
            $0.append(string: procedure.kind.rawValue)
        }
        rows.add(procedure.connection)
        let address =
            procedure.address ?? procedure.slot.flatMap { trace.peerAddress(trace.connections[$0].peer) }
        if let address { rows.addText { $0.append(address) } } else { rows.addNulls(1) }
        rows.add(procedure.asker)
        rows.add(procedure.beganFrame)
        rows.add(procedure.began)
        rows.add(procedure.ended?.frame)
        rows.add(procedure.ended?.time)
        rows.add(procedure.duration)
        rows.add(procedure.steps)
        rows.add(procedure.waited)
        if let opcode = procedure.opcode {
            rows.add(word: Int(opcode.rawValue)) { $0.append(opcode.definition?.name ?? "Unknown") }
        } else {
            rows.addNulls(1)
        }
        if let server = procedure.server { add(server) } else { rows.addNulls(1) }
        add(procedure.handle, procedure.attribute, in: trace)
        let isExcused = procedure.outcome.word.needsEveryPacket && !trace.hasEveryPacket
        let outcome = isExcused ? .doubtful : procedure.outcome.word
        rows.add(word: outcome.rawValue) { $0.append(string: "\(outcome)") }
        if case .refused(let refusal) = procedure.outcome {
            rows.add(refusal.code)
            switch refusal {
            case .att(let code): rows.add(text: text.values.errorName(code, procedure.attribute, in: trace))
            case .smp(let reason): rows.add(text: reason.name)
            case .hci(let code): rows.add(text: code.name)
            case .l2cap(_, let name): rows.add(text: name)
            }
        } else {
            rows.addNulls(2)
        }
        rows.end()
    }
}
