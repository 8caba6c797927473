import AttlasWire

/// Client Characteristic Configurations: the subscriptions, and handles that can only be configurations. Core Specification, Vol 3, Part G,
/// 3.3.3.3.
extension Trace {
    mutating func configured<Sink: EventSink & ~Copyable>(
        _ handle: AttributeHandle, _ configuration: UInt16, _ server: ConnectionServer, _ context: PDUContext,
        into sink: inout Sink
    ) {
        guard let attribute = lookUp(handle, server) else {
            if 1...3 ~= configuration {
                connections[server.slot].bearers[context.bearer].configurationCandidates.note(
                    handle, server.side, configuration)
            }
            return
        }
        guard attribute.type == types.clientCharacteristicConfiguration else { return }
        let subscription = Subscription(
            server: server.side, handle: handle, attribute: attribute, configuration: configuration)
        emit(context, server.slot, .subscription(subscription), into: &sink)
    }

    /// A client that finds one handle only after the value of a characteristic that notifies or indicates need not ask for its type, and
    /// BlueZ does not. The write already gets the name: the place implies the type, even if the server rejects the value.
    @inline(__always)
    mutating func inferConfiguration(
        writtenBy pdu: ATTPDU, _ reference: AttributeReference, _ context: PDUContext
    ) {
        switch pdu {
        case .writeRequest(let pdu) where pdu.attributeValue.isConfiguration: break
        case .writeCommand(let pdu) where pdu.attributeValue.isConfiguration: break
        default: return
        }
        inferConfigurationWritten(reference, context)
    }

    @inline(never)
    private mutating func inferConfigurationWritten(_ reference: AttributeReference, _ context: PDUContext) {
        guard let handle = reference.handle, lookUp(handle, reference.server) == nil else { return }
        let slot = reference.server.slot
        let isSole =
            switch reference.server.side {
            case .peer: peerTable.peers[connections[slot].peer].table.isSoleDescriptor(handle)
            case .local: controllers[connections[slot].controllerIndex].table.isSoleDescriptor(handle)
            }
        if isSole { insertConfiguration(handle, .soleDescriptor, reference.server, context) }
    }

    /// Infers a Client Characteristic Configuration: after a write that subscribes, values came from the unknown handle before it.
    @inline(__always)
    mutating func inferConfiguration<Sink: EventSink & ~Copyable>(
        after handle: AttributeHandle, kind: UInt16, _ server: ConnectionServer, _ context: PDUContext,
        into sink: inout Sink
    ) {
        guard !connections[server.slot].bearers[context.bearer].configurationCandidates.isEmpty else { return }
        inferConfigurationWaiting(after: handle, kind: kind, server, context, into: &sink)
    }

    /// There is something that was written to unknown handles.
    @_semantics("optimize.sil.specialize.generic.never")
    @inline(never)
    private mutating func inferConfigurationWaiting<Sink: EventSink & ~Copyable>(
        after handle: AttributeHandle, kind: UInt16, _ server: ConnectionServer, _ context: PDUContext,
        into sink: inout Sink
    ) {
        guard handle < .max,
            let configuration = connections[server.slot].bearers[context.bearer].configurationCandidates.take(
                handle + 1, server.side, kind: kind),
            lookUp(handle + 1, server) == nil
        else { return }
        insertConfiguration(handle + 1, .configurationWrite, server, context)
        configured(handle + 1, configuration, server, context, into: &sink)
    }

    private mutating func insertConfiguration(
        _ handle: AttributeHandle, _ inference: Inference, _ server: ConnectionServer, _ context: PDUContext
    ) {
        let attribute = AttributeTable.TypedAttribute(
            handle: handle, uuid: types.clientCharacteristicConfiguration, type: .clientCharacteristicConfiguration,
            wasReadByType: false,
            learned: learned(server, context, inference))
        withTable(server) { $0.insert(attribute) }
    }
}

extension Bytes {
    /// Whether this is a value that a Client Characteristic Configuration can have.
    fileprivate var isConfiguration: Bool { count == 2 && uint16(at: 0) <= 3 }
}
