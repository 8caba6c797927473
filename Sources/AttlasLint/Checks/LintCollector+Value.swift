import AttlasCapture
import AttlasDissection
import AttlasIncidents
import AttlasTrace
import AttlasValues
import AttlasWire

/// Results of reading values by their definitions.
extension LintCollector {
    /// Judges every whole value of an event.
    mutating func judgeValues(_ event: borrowing Event, in trace: borrowing Trace) {
        guard let slot = event.connection, let server = event.server else { return }
        var cutAt = Int.max
        switch event.detail {
        case .att(let operation):
            if !operation.mayHaveReadableValue || operation.fault?.limit == .capturedLength { return }
            cutAt = operation.longestValue(trace.connections[slot].bearers[0].mtu)
        case .assembled(let assembled): guard assembled.outcome == .complete else { return }
        default: return
        }
        event.forEachAttribute(in: trace) { value in
            guard !value.isPartial, let count = value.count else { return true }
            guard count < cutAt else {
                if count == cutAt { judgeFull(value, slot, event, in: trace) }
                return true
            }
            guard let reading = values.read(value, in: trace) else {
                checkAssignment(value, slot, event, in: trace)
                return true
            }
            guard reading.isDissected, reading.dissector.confidence == .a else { return true }
            met.insert(.values)
            guard isDubious(reading.dissector) else { return true }
            let place = place(slot, event.direction, server: server, value.handle, value.attribute, in: trace)
            judge(reading.octets, values.dissection, of: reading.dissector, place, Moment(event))
            return true
        }
    }

    /// A value that fills its PDU.
    private mutating func judgeFull(
        _ value: borrowing AttributeValue, _ slot: Int, _ event: borrowing Event, in trace: borrowing Trace
    ) {
        guard slot < watches.count, watches[slot].isMTUKnown, let server = event.server,
            let reading = values.read(value, in: trace), reading.isDissected, reading.dissector.confidence == .a
        else { return }
        let fault = values.dissection.fault
        if case .att(let operation) = event.detail, case .readResponse = operation.pdu {
            // It has all its fields: nothing is left to read.
            let last = reading.dissector.fields.last?.type
            if fault == nil, last != .utf8, last != .utf8z { watches[slot][server].fullRead = nil }
            return
        }
        guard let fault, fault.reason == .truncated else { return }
        report(
            .cutAtMTU, Moment(event),
            place(slot, event.direction, server: server, value.handle, value.attribute, in: trace),
            "\(reading.dissector.name) ends within \(reading.dissector.fields[fault.field].name): \(fault.need) octets needed, "
                + "\(fault.have) fit; the MTU is \(trace.connections[slot].bearers[0].mtu).")
    }

    /// A characteristic of the Bluetooth SIG may be used in another service: only a value of another format is a finding.
    private mutating func checkAssignment(
        _ value: borrowing AttributeValue, _ slot: Int, _ event: borrowing Event, in trace: borrowing Trace
    ) {
        guard let assigned = values.unfitDissector(of: value, in: trace), assigned.confidence == .a else { return }
        let place = place(slot, event.direction, server: event.server, value.handle, value.attribute, in: trace)
        report(
            .assignedUUIDReused, Moment(event), place,
            "\(assigned.uuid) is assigned to \(assigned.name); these \(value.count ?? 0) octets do not have its format."
        )
    }

    /// Whether there may be a finding about the value that was read last. Nearly all values have none, and neither a place nor a copy of
    /// the dissection is made for them.
    private mutating func isDubious(_ dissector: Dissector) -> Bool {
        if values.dissection.fault != nil || !values.dissection.unexplained.isEmpty { return true }
        for index in 0..<values.dissection.count {
            let record = values.dissection[index]
            guard record.field != DissectedField.unexplainedOctets else { continue }
            if record.hasReservedBits || record.hasWrongCheck || record.isOutOfRange || record.special == .reserved {
                return true
            }
            let field = dissector.fields[Int(record.field)]
            switch field.type {
            case .utf8, .utf8z: return true
            default: break
            }
            if dissector.isUndefined(record) { return true }
            guard field.hasEnumeratedBits else { continue }
            for bits in field.bits where dissector.isUndefined(bits, bits.value(in: record.raw)) { return true }
        }
        return false
    }

    private mutating func judge(
        _ value: ShownOctets, _ dissection: Dissection, of dissector: Dissector, _ place: LintFinding.Place,
        _ moment: Moment
    ) {
        if let fault = dissection.fault {
            if fault.reason == .truncated {
                report(
                    .valueTooShort, moment, place,
                    "\(dissector.name) ends within \(dissector.fields[fault.field].name): \(fault.need) octets needed, "
                        + "\(fault.have) available.")
            }
            // Octets after a missing field have no meaning.
            return
        }
        if !dissection.unexplained.isEmpty {
            let octets = dissection.unexplained.count
            report(
                .valueTooLong, moment, place,
                "\(dissector.name): \(octets) octet\(octets == 1 ? "" : "s") after the last field.")
        }
        for index in 0..<dissection.count {
            let record = dissection[index]
            guard record.field != DissectedField.unexplainedOctets else { continue }
            judge(record, value, of: dissector, place, moment)
        }
    }

    private mutating func judge(
        _ record: DissectedField, _ value: ShownOctets, of dissector: Dissector, _ place: LintFinding.Place,
        _ moment: Moment
    ) {
        let field = dissector.fields[Int(record.field)]
        let number = Int(record.field)
        if record.hasReservedBits {
            let bits = UInt64(bitPattern: record.raw) & field.unnamedBits
            report(
                .reservedBits, moment, place, field: number,
                "\(field.name): 0x\(String(bits, radix: 16, uppercase: true)) of 0x"
                    + "\(String(UInt64(bitPattern: record.raw), radix: 16, uppercase: true)) is reserved.")
        }
        if record.hasWrongCheck {
            let expected =
                field.check.map { "the \($0.title) of the octets that it covers" }
                ?? (field.constant == nil ? "a number" : "what its definition says")
            report(.wrongCheck, moment, place, field: number, "\(field.name) is not \(expected).")
        }
        if record.special == .reserved {
            report(.reservedSpecial, moment, place, field: number, "\(field.name) is a reserved special value.")
        }
        if dissector.isUndefined(record) {
            report(
                .undefinedEnumeration, moment, place, field: number,
                "\(field.name): \(record.raw) is not defined.")
        }
        for bits in field.bits where dissector.isUndefined(bits, bits.value(in: record.raw)) {
            report(
                .undefinedEnumeration, moment, place, field: number,
                "\(field.name), \(bits.name): \(bits.value(in: record.raw)) is not defined.")
        }
        if record.isOutOfRange, let permitted = field.permitted, let value = dissector.number(of: record) {
            let (least, greatest) = permitted.scaled(by: field.scale)
            let unit = field.unit.map { " \($0)" } ?? ""
            report(
                .valueOutOfRange, moment, place, field: number,
                "\(field.name): \(value)\(unit) is outside the permitted range \(least) to \(greatest)\(unit).")
        }
        switch field.type {
        case .utf8, .utf8z:
            if String(validating: value.octets(of: record, by: dissector).copy(), as: UTF8.self) == nil {
                report(.invalidUTF8, moment, place, field: number, "\(field.name) is not UTF-8.")
            }
        default: break
        }
    }
}

extension ATTOperation {
    /// Octets from which on a value may have been cut to fit the PDU. Core Specification, Vol 3, Part F, 3.4.4.2 and
    /// 3.4.7.1.
    fileprivate func longestValue(_ mtu: Int) -> Int {
        switch pdu {
        case .handleValueNotification, .handleValueIndication: mtu - 3
        case .readByTypeResponse: min(mtu - 4, 253)
        case .readResponse: mtu - 1
        default: .max
        }
    }
}
