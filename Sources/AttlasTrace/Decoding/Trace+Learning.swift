import AttlasWire

/// How the attribute tables grow: from answers to discovery requests, and from values. Vol 3, Part G, 4.4–4.7.
extension Trace {
    /// Changes the table of the server's side.
    mutating func withTable(_ server: ConnectionServer, _ change: (inout AttributeTable) -> Void) {
        switch server.side {
        case .peer:
            let peer = connections[server.slot].peer
            peerTable[peer].table.limit = limits.attributesOfAServer
            peerTable.withTable(peer, change)
            if peerTable.hasRefused { reachedLimits.note(.attributes) }
            noteFull(peerTable.peers[peer].table.count)
        case .local:
            let index = connections[server.slot].controllerIndex
            let before = controllers[index].table.heldCount
            controllers[index].table.limit = limits.attributesOfAServer
            controllers[index].table.isClosed = localAttributeCount >= limits.attributes
            if controllers[index].table.isClosed { reachedLimits.note(.attributes) }
            change(&controllers[index].table)
            localAttributeCount += controllers[index].table.heldCount - before
            noteFull(controllers[index].table.count)
        }
    }

    /// - Parameter count: Entries of a server's table.
    private mutating func noteFull(_ count: Int) {
        if count >= limits.attributesOfAServer { reachedLimits.note(.attributesOfAServer) }
        if uuids.isFull { reachedLimits.note(.uuids) }
    }

    func table(of server: ConnectionServer) -> AttributeTable { table(of: server.side, connection: server.slot) }

    /// Where an attribute of the server becomes known.
    func learned(
        _ server: ConnectionServer, _ context: PDUContext, _ inference: Inference? = nil
    ) -> AttributeTable.Learned {
        AttributeTable.Learned(
            frame: context.frame, connection: connections[server.slot].number, time: context.time,
            inference: inference)
    }

    @_semantics("optimize.sil.specialize.generic.never")
    mutating func learn<Sink: EventSink & ~Copyable>(
        _ request: PendingRequest, _ captured: CapturedPDU, _ server: ConnectionServer, _ context: PDUContext,
        into sink: inout Sink
    ) {
        switch captured.pdu {
        case .readByGroupTypeResponse(let pdu):
            guard request.type == types.primaryService || request.type == types.secondaryService else { return }
            var start = request.startingHandle
            for index in 0..<pdu.list.count {
                if request.type == types.primaryService, pdu.handle(index) > start {
                    lackServices(in: start...pdu.handle(index) - 1, server, context)
                }
                start = max(start, pdu.endGroupHandle(index) &+ 1)
                guard let uuid = BluetoothUUID(pdu.value(index)).flatMap({ uuids.index(of: $0) }) else { continue }
                let service = AttributeTable.Service(
                    handle: pdu.handle(index), endHandle: pdu.endGroupHandle(index), uuid: uuid,
                    isPrimary: request.type == types.primaryService, learned: learned(server, context))
                learn(service, server, context, into: &sink)
            }
        case .findByTypeValueResponse(let pdu):
            guard let uuid = request.soughtService else { return }
            for index in 0..<pdu.list.count {
                let service = AttributeTable.Service(
                    handle: pdu.foundHandle(index), endHandle: pdu.groupEndHandle(index), uuid: uuid, isPrimary: true,
                    learned: learned(server, context))
                learn(service, server, context, into: &sink)
            }
        case .readByTypeResponse(let pdu):
            learn(request, pdu, isWhole: captured.isWhole, server, context, into: &sink)
        case .findInformationResponse(let pdu):
            for index in 0..<pdu.list.count {
                insert(pdu.uuid(index), at: pdu.handle(index), wasReadByType: false, server, context, into: &sink)
            }
        default: break
        }
    }

    /// A discovery of primary services found none that begins in the range.
    mutating func lackServices(
        in range: ClosedRange<AttributeHandle>, _ server: ConnectionServer, _ context: PDUContext
    ) {
        guard range.lowerBound > 0, table(of: server).services.first(above: range.lowerBound - 1) != nil else { return }
        let learned = learned(server, context)
        withTable(server) { $0.lackServices(in: range, learned) }
    }

    private mutating func learn<Sink: EventSink & ~Copyable>(
        _ service: AttributeTable.Service, _ server: ConnectionServer, _ context: PDUContext, into sink: inout Sink
    ) {
        compareWithImport(service, server, context, into: &sink)
        withTable(server) { $0.insert(service) }
    }

    private mutating func learn<Sink: EventSink & ~Copyable>(
        _ request: PendingRequest, _ pdu: ReadByTypeResponse, isWhole: Bool, _ server: ConnectionServer,
        _ context: PDUContext, into sink: inout Sink
    ) {
        // A value that does not fit is cut, and so are those of more than 253 octets. Vol 3, Part F, 3.4.4.2.
        let longest = min(connections[server.slot].bearers[context.bearer].mtu - 4, 253)
        for index in 0..<pdu.list.count {
            let value = pdu.value(index)
            if let type = request.type,
                learn(declaration: type, at: pdu.handle(index), value, server, context, into: &sink)
            {
                continue
            }
            switch request.type {
            case types.characteristic, types.include: continue
            case let type?:
                insert(uuids[type], at: pdu.handle(index), wasReadByType: true, server, context, into: &sink)
                guard isWhole else { continue }
                let isComplete = value.count < longest
                learn(valueOf: pdu.handle(index), value, isComplete: isComplete, server, context, into: &sink)
            case nil: return
            }
        }
    }

    /// - Returns: whether the value is a declaration of this type.
    private mutating func learn<Sink: EventSink & ~Copyable>(
        declaration type: UUIDIndex, at handle: AttributeHandle, _ value: Bytes, _ server: ConnectionServer,
        _ context: PDUContext, into sink: inout Sink
    ) -> Bool {
        switch type {
        case types.characteristic:
            guard let declaration = CharacteristicDeclaration(value),
                let uuid = declaration.uuid.flatMap({ uuids.index(of: $0) })
            else { return false }
            let characteristic = AttributeTable.Characteristic(
                handle: handle, valueHandle: declaration.valueHandle, properties: declaration.properties, uuid: uuid,
                learned: learned(server, context))
            compareWithImport(handle, types.characteristic, server, context, into: &sink)
            compareWithImport(characteristic.valueHandle, uuid, server, context, into: &sink)
            withTable(server) { $0.insert(characteristic) }
        case types.include:
            guard let declaration = IncludeDeclaration(value) else { return false }
            let include = AttributeTable.Include(
                handle: handle, includedHandle: declaration.includedHandle, endHandle: declaration.endGroupHandle,
                uuid: declaration.uuid.flatMap { uuids.index(of: $0) }, learned: learned(server, context))
            compareWithImport(handle, types.include, server, context, into: &sink)
            withTable(server) { $0.insert(include) }
            guard let uuid = include.uuid,
                table(of: server).service(containing: include.includedHandle) == nil
            else { break }
            let service = AttributeTable.Service(
                handle: include.includedHandle, endHandle: include.endHandle, uuid: uuid, isPrimary: nil,
                learned: learned(server, context))
            learn(service, server, context, into: &sink)
        case types.primaryService, types.secondaryService:
            return learn(
                serviceAt: handle, value, isPrimary: type == types.primaryService, server, context, into: &sink)
        default: return false
        }
        return true
    }

    private mutating func learn<Sink: EventSink & ~Copyable>(
        serviceAt handle: AttributeHandle, _ value: Bytes, isPrimary: Bool?, _ server: ConnectionServer,
        _ context: PDUContext, into sink: inout Sink
    ) -> Bool {
        guard let uuid = BluetoothUUID(value).flatMap({ uuids.index(of: $0) }) else { return false }
        let end = table(of: server).end(ofServiceAt: handle, types: types)
        let service = AttributeTable.Service(
            handle: handle, endHandle: end, uuid: uuid, isPrimary: isPrimary, learned: learned(server, context))
        learn(service, server, context, into: &sink)
        return true
    }

    /// Asked for each value of an unknown handle: a table that is returned is copied.
    private func includesUnnamed(_ handle: AttributeHandle, _ server: ConnectionServer) -> Bool {
        switch server.side {
        case .peer: peerTable.peers[connections[server.slot].peer].table.includesUnnamed(handle)
        case .local: controllers[connections[server.slot].controllerIndex].table.includesUnnamed(handle)
        }
    }

    private mutating func insert<Sink: EventSink & ~Copyable>(
        _ uuid: BluetoothUUID, at handle: AttributeHandle, wasReadByType: Bool, _ server: ConnectionServer,
        _ context: PDUContext, into sink: inout Sink
    ) {
        guard let index = uuids.index(of: uuid) else { return }
        compareWithImport(handle, index, server, context, into: &sink)
        let attribute = AttributeTable.TypedAttribute(
            handle: handle, uuid: index, type: uuid, wasReadByType: wasReadByType, learned: learned(server, context))
        withTable(server) { $0.insert(attribute) }
    }

    /// Values with facts about the server itself.
    ///
    /// - Parameter isComplete: Whether this is all of the value; the beginning of a name will do as long as there is none.
    mutating func learn<Sink: EventSink & ~Copyable>(
        valueOf handle: AttributeHandle, _ value: Bytes, isComplete: Bool, _ server: ConnectionServer,
        _ context: PDUContext, into sink: inout Sink
    ) {
        let attribute = lookUp(handle, server)
        if isComplete, attribute == nil || attribute?.role == .declaration {
            return learn(declarationAt: handle, attribute?.type, value, server, context, into: &sink)
        }
        guard let attribute, attribute.role == .value else { return }
        switch attribute.type {
        case types.deviceName where server.side == .peer:
            let peer = connections[server.slot].peer
            guard isComplete || peerTable[peer].name == nil, let name = value.name else { return }
            peerTable[peer].name = name
        case types.databaseHash where value.count == 16:
            let hash = AttributeTable.DatabaseHash(
                value: value.uint128(at: 0), frame: context.frame, connection: connections[server.slot].number)
            compareWithImport(hash, server, context, into: &sink)
            withTable(server) { $0.insert(hash) }
        default: break
        }
    }

    /// Learns a declaration from a Read Request's response. A known one adds nothing.
    @_semantics("optimize.sil.specialize.generic.never")
    private mutating func learn<Sink: EventSink & ~Copyable>(
        declarationAt handle: AttributeHandle, _ type: UUIDIndex?, _ value: Bytes, _ server: ConnectionServer,
        _ context: PDUContext, into sink: inout Sink
    ) {
        if let type {
            _ = learn(declaration: type, at: handle, value, server, context, into: &sink)
        } else if includesUnnamed(handle, server) {
            // A service of 128 bits: its UUID does not fit into the include declaration. Vol 3, Part G, 4.5.1.
            _ = learn(serviceAt: handle, value, isPrimary: nil, server, context, into: &sink)
        }
    }

    /// The range named by a Service Changed indication becomes unknown again.
    mutating func serviceChanged(_ pdu: HandleValueIndication, _ server: ConnectionServer, _ context: PDUContext) {
        let value = pdu.attributeValue
        guard value.count == 4,
            attribute(pdu.attributeHandle, server: server.side, connection: server.slot)?.type == types.serviceChanged
        else { return }
        let start = max(1, value.uint16(at: 0))
        let end = value.uint16(at: 2)
        guard start <= end else { return }
        let number = connections[server.slot].number
        withTable(server) { $0.forget(start...end, frame: context.frame, connection: number) }
    }
}
