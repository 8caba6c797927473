import AttlasWire

/// How the attribute tables grow: from answers to discovery requests, and from what values say. Vol 3, Part G, 4.4–4.7.
extension Trace {
    /// Changes the table of the server's side.
    mutating func withTable(_ server: ServerSide, _ slot: Int, _ change: (inout AttributeTable) -> Void) {
        switch server {
        case .peer: change(&peerTable[connections[slot].peer].table)
        case .local:
            let index = connections[slot].controllerIndex
            change(&controllers[index].table)
        }
    }

    mutating func learn(
        _ request: PendingRequest, _ pdu: ATTPDU, _ server: ServerSide, isWhole: Bool, _ slot: Int, _ moment: Moment
    ) {
        let learned = AttributeTable.Learned(
            frame: moment.frame, connection: connections[slot].number, inference: nil)
        switch pdu {
        case .readByGroupTypeResponse(let pdu):
            guard request.type == types.primaryService || request.type == types.secondaryService else { return }
            for index in 0..<pdu.list.count {
                guard let uuid = BluetoothUUID(pdu.value(index)).flatMap({ uuids.index(of: $0) }) else { continue }
                let service = AttributeTable.Service(
                    handle: pdu.handle(index), endHandle: pdu.endGroupHandle(index), uuid: uuid,
                    isPrimary: request.type == types.primaryService, learned: learned)
                withTable(server, slot) { $0.insert(service) }
            }
        case .findByTypeValueResponse(let pdu):
            guard let uuid = request.soughtService else { return }
            for index in 0..<pdu.list.count {
                let service = AttributeTable.Service(
                    handle: pdu.foundHandle(index), endHandle: pdu.groupEndHandle(index), uuid: uuid, isPrimary: true,
                    learned: learned)
                withTable(server, slot) { $0.insert(service) }
            }
        case .readByTypeResponse(let pdu):
            learn(request, pdu, server, isWhole: isWhole, slot, learned)
        case .findInformationResponse(let pdu):
            for index in 0..<pdu.list.count {
                let uuid = pdu.uuid(index)
                // A declaration says nothing by its type alone.
                if let short = uuid.uint16, (0x2800...0x28FF).contains(short) { continue }
                insert(uuid, at: pdu.handle(index), server, slot, learned)
            }
        default: break
        }
    }

    private mutating func learn(
        _ request: PendingRequest, _ pdu: ReadByTypeResponse, _ server: ServerSide, isWhole: Bool, _ slot: Int,
        _ learned: AttributeTable.Learned
    ) {
        for index in 0..<pdu.list.count {
            let value = pdu.value(index)
            switch request.type {
            case types.characteristic:
                guard value.count > 3,
                    let uuid = BluetoothUUID(value.dropFirst(3)).flatMap({ uuids.index(of: $0) })
                else { continue }
                let characteristic = AttributeTable.Characteristic(
                    handle: pdu.handle(index), valueHandle: value.uint16(at: 1),
                    properties: CharacteristicProperties(rawValue: value[0]), uuid: uuid, learned: learned)
                withTable(server, slot) { $0.insert(characteristic) }
            case types.include:
                guard value.count >= 4 else { continue }
                // A 128-bit UUID is left out; it stands in the included service's own declaration.
                let uuid = BluetoothUUID(value.dropFirst(4)).flatMap { uuids.index(of: $0) }
                let include = AttributeTable.Include(
                    handle: pdu.handle(index), includedHandle: value.uint16(at: 0), endHandle: value.uint16(at: 2),
                    uuid: uuid, learned: learned)
                withTable(server, slot) { $0.insert(include) }
            case let type?:
                insert(uuids[type], at: pdu.handle(index), server, slot, learned)
                if isWhole { learn(valueOf: pdu.handle(index), value, server, slot) }
            case nil: return
            }
        }
    }

    private mutating func insert(
        _ uuid: BluetoothUUID, at handle: AttributeHandle, _ server: ServerSide, _ slot: Int,
        _ learned: AttributeTable.Learned
    ) {
        guard let index = uuids.index(of: uuid) else { return }
        let isDescriptor = uuid.uint16.map { (0x2900...0x29FF).contains($0) } ?? false
        let attribute = AttributeTable.TypedAttribute(
            handle: handle, uuid: index, isDescriptor: isDescriptor, learned: learned)
        withTable(server, slot) { $0.insert(attribute) }
    }

    /// Values that say something about the server itself.
    mutating func learn(valueOf handle: AttributeHandle, _ value: Bytes, _ server: ServerSide, _ slot: Int) {
        guard let attribute = attribute(handle, server: server, connection: slot), attribute.role == .value else {
            return
        }
        switch attribute.type {
        case types.deviceName where server == .peer:
            guard let name = value.name else { return }
            let peer = connections[slot].peer
            if peerTable[peer].name != name { peerTable[peer].name = name }
        case types.databaseHash where value.count == 16:
            let hash = value.uint128(at: 0)
            let number = connections[slot].number
            withTable(server, slot) { table in
                // Another hash, another table: what earlier connections showed no longer holds.
                if let known = table.databaseHash, known != hash { table.forget(learnedBefore: number) }
                table.databaseHash = hash
            }
        default: break
        }
    }

    /// The range named by a Service Changed indication becomes unknown again.
    mutating func serviceChanged(_ pdu: HandleValueIndication, _ server: ServerSide, _ slot: Int) {
        let value = pdu.attributeValue
        guard value.count == 4,
            attribute(pdu.attributeHandle, server: server, connection: slot)?.type == types.serviceChanged
        else { return }
        let start = max(1, value.uint16(at: 0))
        let end = value.uint16(at: 2)
        guard start <= end else { return }
        withTable(server, slot) { $0.forget(start...end) }
    }

    // MARK: Client Characteristic Configuration

    mutating func configured<Sink: EventSink & ~Copyable>(
        _ handle: AttributeHandle, _ configuration: UInt16, _ server: ServerSide, _ slot: Int, _ moment: Moment,
        into sink: inout Sink
    ) {
        guard let attribute = attribute(handle, server: server, connection: slot) else {
            if configuration == 1 || configuration == 2 {
                connections[slot].bearer.configurationCandidates.note(handle)
            }
            return
        }
        guard attribute.type == types.clientCharacteristicConfiguration else { return }
        let subscription = Subscription(
            server: server, handle: handle, attribute: attribute, configuration: configuration)
        emit(moment, slot, .subscription(subscription), into: &sink)
    }

    /// A value came from an unknown handle, and 0x0001 or 0x0002 was written to the next one before: that one is its
    /// Client Characteristic Configuration.
    mutating func inferConfiguration(
        _ handle: AttributeHandle, _ server: ServerSide, _ slot: Int, _ moment: Moment
    ) {
        guard handle < 0xFFFF, connections[slot].bearer.configurationCandidates.take(handle + 1) else { return }
        let learned = AttributeTable.Learned(
            frame: moment.frame, connection: connections[slot].number, inference: .configurationWrite)
        let attribute = AttributeTable.TypedAttribute(
            handle: handle + 1, uuid: types.clientCharacteristicConfiguration, isDescriptor: true, learned: learned)
        withTable(server, slot) { $0.insert(attribute) }
    }
}
