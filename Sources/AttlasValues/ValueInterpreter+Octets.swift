import AttlasCapture
import AttlasDissection
import AttlasTrace
import AttlasWire

/// Which octets are shown, and which are withheld because they hold a key or may hold one.
extension ValueInterpreter {
    // MARK: Values

    /// The octets of a value; nil if the event carries none. `read` gives those of a value that a definition reads.
    @_lifetime(copy value)
    public mutating func octets(of value: borrowing AttributeValue, in trace: borrowing Trace) -> ShownOctets? {
        guard let octets = value.octets else { return nil }
        return ShownOctets(octets, isWithheld: isWithheld(value, in: trace))
    }

    /// Copies a value of the event that is being received, and reads it only where the output depends on that; nil if the event carries
    /// none.
    package mutating func unread(_ value: borrowing AttributeValue, in trace: borrowing Trace) -> UnreadValue? {
        guard let octets = value.octets else { return nil }
        if let dissector = dissector(of: value, in: trace), !dissector.hasSecrets, dissector.context.isEmpty,
            !dissector.hasParts(value.access)
        {
            return UnreadValue(
                ShownOctets(octets, isWithheld: false), by: dissector, value.access, isPartial: value.isPartial)
        }
        if let reading = read(value, in: trace) { return UnreadValue(reading, value.access, dissection.context) }
        guard let shown = self.octets(of: value, in: trace) else { return nil }
        return UnreadValue(shown, isPartial: value.isPartial)
    }

    /// The octets of the event's attributes in a row: a value, a part of one, or several; nil if the event carries none.
    @_lifetime(copy event)
    public mutating func octets(of event: borrowing Event, in trace: borrowing Trace) -> ShownOctets? {
        guard case .att(let operation) = event.detail, let octets = operation.pdu.value else { return nil }
        return ShownOctets(octets, isWithheld: hasWithheldValue(event, in: trace))
    }

    /// Reads a value that was kept.
    /// - Parameters:
    ///   - type: of the attribute; nil if it is unknown.
    ///   - former: the type when the value passed.
    ///   - isMessage: whether it was joined from its parts: a part alone is not laid out as the message is.
    public mutating func read(
        kept value: StoredOctets, _ type: UUIDIndex?, former: UUIDIndex?, _ access: AttributeAccess,
        at place: ValuePlace?, ending: AttributeValue.Ending, isMessage: Bool, in trace: borrowing Trace
    ) -> KeptValue {
        let octets = value.octets
        let isPartial = ending != .whole
        // The meaning of its octets depends on the attribute at that time.
        let mayHaveHeldKey = former != type && mayHoldKey(former, nil, in: trace)
        guard !mayHaveHeldKey, let type, let dissector = dissector(type, place?.serviceType, place, in: trace),
            isMessage || !dissector.hasParts(access), !isPartial || !dissector.hasSecrets,
            dissect(Bytes(octets.span), dissector, access, at: place, in: trace)
        else {
            let isWithheld = mayHaveHeldKey || mayHoldKey(type, place?.serviceType, in: trace)
            return KeptValue(octets, nil, isWithheld: isWithheld, isPartial: isPartial, isMessage: isMessage)
        }
        return KeptValue(
            octets, (dissector, dissection), isWithheld: dissector.holdsKey(dissection), isPartial: isPartial,
            isMessage: isMessage)
    }

    private mutating func mayHoldKey(_ type: UUIDIndex?, _ service: UUIDIndex?, in trace: borrowing Trace) -> Bool {
        guard let type else { return false }
        return defined(type, service, in: trace)?.hasSecrets ?? false
    }

    private mutating func isWithheld(_ value: borrowing AttributeValue, in trace: borrowing Trace) -> Bool {
        guard value.octets != nil, mayHoldKey(value, in: trace) else { return false }
        return read(value, in: trace)?.value.isWithheld ?? true
    }

    private mutating func mayHoldKey(_ value: borrowing AttributeValue, in trace: borrowing Trace) -> Bool {
        let attribute = value.attribute
        if mayHoldKey(value.type, attribute?.service, in: trace) { return true }
        // It may be laid out as its characteristic is.
        return attribute?.role == .descriptor
            && mayHoldKey(attribute?.characteristic, attribute?.service, in: trace)
    }

    /// Whether one of the values that the event carries is withheld.
    private mutating func hasWithheldValue(_ event: borrowing Event, in trace: borrowing Trace) -> Bool {
        guard library.withholdsKeys else { return false }
        var isRow = false
        if case .att(let operation) = event.detail {
            if case .findByTypeValueRequest(let pdu) = operation.pdu {
                return library.dissector(for: pdu.attributeType)?.hasSecrets ?? false
            }
            // Values without the limits between them.
            if case .readMultipleResponse = operation.pdu { isRow = true }
        }
        var isFound = false
        event.forEachAttribute(in: trace) { value in
            isFound = isRow ? mayHoldKey(value, in: trace) : isWithheld(value, in: trace)
            return !isFound
        }
        return isFound
    }

    // MARK: Packets

    /// The octets of the packet that the event reports, without those that other events report; nil for an event without any.
    @_lifetime(copy event)
    public mutating func packet(of event: borrowing Event, in trace: borrowing Trace) -> ShownOctets? {
        switch event.detail {
        case .att(let operation):
            return ShownOctets(operation.pdu.bytes, isWithheld: hasWithheldValue(event, in: trace))
        case .assembled(let assembled):
            return ShownOctets(assembled.value, isWithheld: hasWithheldValue(event, in: trace))
        case .smp(let pdu): return ShownOctets(pdu.bytes, isWithheld: library.withholdsKeys && pdu.holdsKey)
        case .command(let command):
            return ShownOctets(command.bytes, isWithheld: HCIParameters(command, library).octets.isWithheld)
        case .hciEvent(let event):
            return ShownOctets(event.bytes, isWithheld: HCIParameters(event, library).octets.isWithheld)
        case .monitor(let opcode, let bytes):
            return ShownOctets(
                bytes, isWithheld: HCIParameters(monitorOpcode: opcode, bytes, library).octets.isWithheld)
        case .data(let packet):
            return ShownOctets(packet.bytes, isWithheld: library.withholdsKeys && packet.mayHoldKey)
        case .packetLogger(let type, let bytes):
            return type.isText ? nil : ShownOctets(bytes, isWithheld: false)
        case .advertising(let report): return ShownOctets(report.data.bytes, isWithheld: false)
        case .air(let packet): return packet.isPartOfFrame ? nil : ShownOctets(packet.pdu, isWithheld: false)
        case .l2cap(let frame):
            if frame.channel.isFixed { return nil }
            let isBearer = trace.isBearer(frame, ofConnection: event.connection, event.direction)
            return ShownOctets(frame.payload, isWithheld: library.withholdsKeys && isBearer)
        case .signal(let signal):
            return ShownOctets(signal.bytes.prefix(L2CAPSignal.headerLength + signal.length), isWithheld: false)
        case .sdu(let sdu): return ShownOctets(sdu.bytes, isWithheld: library.withholdsKeys && sdu.carriesAttributes)
        default: return nil
        }
    }

    /// Whether the octets of a record are withheld.
    /// - Parameter event: the event of the record.
    public mutating func withholds(
        _ record: Bytes, _ content: Record.Content, of event: borrowing Event, in trace: borrowing Trace
    ) -> Bool {
        guard library.withholdsKeys else { return false }
        switch (content, event.detail) {
        case (.packet(.command), _):
            guard let command = try? HCICommand(record) else { return true }
            return HCIParameters(command, library).octets.isWithheld
        case (.packet(.event), _):
            guard let hciEvent = try? HCIEvent(record) else { return true }
            return HCIParameters(hciEvent, library).octets.isWithheld
        case (.monitor(let opcode), _): return HCIParameters(monitorOpcode: opcode, record, library).octets.isWithheld
        case (_, .att), (_, .assembled), (_, .smp): return packet(of: event, in: trace)?.isWithheld ?? true
        case (_, .mtu), (_, .signal), (_, .connection), (_, .identified), (_, .importedTable), (_, .subscription):
            return false
        case (_, .air), (_, .l2cap), (_, .sdu), (_, .data): return packet(of: event, in: trace)?.isWithheld ?? true
        // The contents of a record that could not be read are unknown.
        default: return true
        }
    }
}

extension DataPacket {
    /// The handle never connected, but the frame may be one of the Security Manager all the same.
    fileprivate var mayHoldKey: Bool {
        guard type == HCIPacketType.acl.rawValue, let packet = try? ACLPacket(bytes) else { return false }
        guard packet.boundary != .continuing, let frame = try? L2CAPFrame(packet.data) else { return true }
        return frame.channel.isFixed
    }
}

extension AirPacket {
    /// A fragment of an L2CAP frame, whose octets are reported with the contents of the frame.
    fileprivate var isPartOfFrame: Bool {
        guard case .data(let pdu) = kind else { return false }
        return pdu.llid != .control
    }
}

extension L2CAPChannel {
    /// A channel whose PDUs are reported one by one.
    public var isFixed: Bool {
        [.signaling, .attribute, .lowEnergySignaling, .securityManager, .securityManagerBREDR].contains(self)
    }
}
