import AttlasCapture
import AttlasWire

/// How connections begin and end.
extension Trace {
    /// Begins a connection instance. One that still holds the handle is superseded by it.
    mutating func connect<Sink: EventSink & ~Copyable>(
        _ setup: Connection.Setup, _ context: PDUContext, into sink: inout Sink
    ) -> Int {
        let handle = setup.handle
        if let slot = links.slot(context.controller, handle) { end(slot, .superseded, context, into: &sink) }
        if liveCount >= limits.connections {
            reachedLimits.note(.connections)
            endOldest(context, into: &sink)
        }
        unannouncedHandles.forget(context.controller, handle)

        // A controller that knows the device reports both addresses.
        let isReported = context.making == .reported
        // An app may not log the address: then it is zeros.
        let address = isReported && setup.address?.value == 0 ? nil : setup.address
        if let privateAddress = setup.privateAddress, let address { identities.state(privateAddress, address) }
        let identity = address.flatMap { identities.identity(of: $0) }
        connectionCount += 1
        var connection = Connection(
            number: connectionCount, controller: context.controller,
            controllerIndex: controllerIndex(context.controller),
            handle: handle, transport: setup.transport, isCentral: setup.isCentral,
            peer: peerTable.connect(identity ?? address, alias: address), begun: context.time)
        connection.privateAddress = setup.privateAddress ?? (identity == nil ? nil : address)
        connection.parameters = setup.parameters
        connection.hasBeginning = setup.address != nil && context.reported != .notInLog
        connection.isWhole =
            connection.hasBeginning && !isReported && (setup.transport == .classic || setup.parameters != nil)
        if isReported { sides.areOfApp = true }
        connection.bearer.isMTUKnown = connection.isWhole && setup.transport == .lowEnergy
        let slot = place(connection)
        links.insert(context.controller, handle, slot: slot)
        return slot
    }

    /// Begins a connection instance that was captured from the air. A link that still has the Access Address is superseded by it.
    ///
    /// - Parameter link: The link; its addresses are nil when the connection setup was not heard.
    mutating func connect<Sink: EventSink & ~Copyable>(
        _ link: AirLink, central: BluetoothAddress?, peripheral: BluetoothAddress?, parameters: Connection.Parameters?,
        _ context: PDUContext, into sink: inout Sink
    ) -> Int {
        if let slot = air.slot(link.accessAddress) { end(slot, .superseded, context, into: &sink) }
        if liveCount >= limits.connections {
            reachedLimits.note(.connections)
            endOldest(context, into: &sink)
        }
        let identity = peripheral.flatMap { identities.identity(of: $0) }
        let centralIdentity = central.flatMap { identities.identity(of: $0) }
        connectionCount += 1
        var connection = Connection(
            number: connectionCount, controller: context.controller,
            controllerIndex: controllerIndex(ofCentral: centralIdentity ?? central, context.controller), handle: 0,
            accessAddress: link.accessAddress, central: central, transport: .lowEnergy,
            isCentral: central == nil ? nil : true,
            peer: peerTable.connect(identity ?? peripheral, alias: peripheral), begun: context.time)
        connection.privateAddress = identity == nil ? nil : peripheral
        connection.parameters = parameters
        connection.hasBeginning = peripheral != nil
        connection.isWhole = connection.hasBeginning
        connection.bearer.isMTUKnown = peripheral != nil
        let slot = place(connection)
        air.insert(link, slot: slot)
        return slot
    }

    /// Gives a connection a slot.
    private mutating func place(_ connection: Connection) -> Int {
        if peerTable.hasForgotten { reachedLimits.note(.peers) }
        peerTable[connection.peer].mtu = connection.transport == .classic ? Bearer.classicMTU : Bearer.defaultMTU
        peerTable[connection.peer].isMTUKnown = connection.bearer.isMTUKnown
        let slot: Int
        if let free = freeSlots.popLast() {
            slot = free
            connections[slot] = connection
        } else {
            slot = connections.count
            connections.append(connection)
        }
        connections[slot].losses = losses.count
        connections[slot].ownLosses = losses.count(of: connection.controller)
        if !connection.isWhole { connections[slot].bearer.excuseWhatPrecedes() }
        peerTable[connection.peer].slots.append(slot)
        slotsByAge.note(slot, stamp: connectionCount) { connections[$0].number == $1 }
        return slot
    }

    /// Reports the end of a connection, then frees its slot.
    @_semantics("optimize.sil.specialize.generic.never")
    mutating func end<Sink: EventSink & ~Copyable>(
        _ slot: Int, _ end: ConnectionEnd, _ context: PDUContext, into sink: inout Sink
    ) {
        abandonAll(slot, atEndOf: .connection, context, into: &sink)
        tellEnds(slot, isOpen: end == .superseded, context, into: &sink)
        emit(context, slot, .connection(.ended(end)), into: &sink)
        if let accessAddress = connections[slot].accessAddress {
            air.remove(accessAddress)
        } else {
            links.remove(connections[slot].controller, connections[slot].handle)
        }
        peerTable.disconnect(connections[slot].peer, slot)
        channelCount -= connections[slot].channelCount
        connections[slot].release()
        freeSlots.append(slot)
    }

    /// Ends all connections of a controller that was reset or is gone.
    mutating func endAll<Sink: EventSink & ~Copyable>(
        _ cause: ConnectionEnd.ControllerEnd, _ context: PDUContext, into sink: inout Sink
    ) {
        unannouncedHandles.forget(context.controller)
        endStreams(context, into: &sink)
        controllers[controllerIndex(context.controller)].attempts = [:]
        let ended = links.liveSlots.filter { connections[$0].controller == context.controller }
        for slot in ended.sorted(by: { connections[$0].number < connections[$1].number }) {
            end(slot, .controller(cause), context, into: &sink)
        }
    }

    @_semantics("optimize.sil.specialize.generic.never")
    private mutating func endOldest<Sink: EventSink & ~Copyable>(_ context: PDUContext, into sink: inout Sink) {
        let oldest = slotsByAge.removeOldest { slot, number in
            guard connections[slot].number == number else { return false }
            if let accessAddress = connections[slot].accessAddress { return air.slot(accessAddress) == slot }
            return links.slot(connections[slot].controller, connections[slot].handle) == slot
        }
        if let oldest { end(oldest, .superseded, context, into: &sink) }
    }

    var liveSlots: [Int] { links.liveSlots + air.liveSlots }
    private var liveCount: Int { links.count + air.count }

    /// The place of a central captured from the air, whose GATT server is kept as a recorded host's is. All beyond the limit share
    /// that of the unknown ones.
    private mutating func controllerIndex(ofCentral address: BluetoothAddress?, _ index: UInt16) -> Int {
        if let known = air.centrals[address] { return known }
        guard air.centrals.count < AirLinks.centralLimit || address == nil else {
            return controllerIndex(ofCentral: nil, index)
        }
        air.centrals[address] = controllers.count
        var controller = Controller(index: index)
        controller.address = address
        controller.isHeard = true
        controllers.append(controller)
        return controllers.count - 1
    }

    mutating func controllerIndex(_ index: UInt16) -> Int {
        if let known = controllerIndexes[index] { return known }
        controllerIndexes[index] = controllers.count
        controllers.append(Controller(index: index))
        return controllers.count - 1
    }
}
