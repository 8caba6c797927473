import AttlasCapture
import AttlasWire

/// Isochronous streams: which connection or broadcast each handle belongs to. Core Specification, Vol 4, Part E, 7.8.97 to 7.8.107.
extension Trace {
    private typealias Streams = IsochronousStreams

    /// What the host asks for.
    mutating func followIsochronous(_ command: HCICommand, _ context: PDUContext) {
        let parameters = command.parameters
        switch command.opcode.rawValue {
        // LE Set CIG Parameters, and the same for tests: the identifiers of the streams, whose handles the answer has.
        case 0x2062: pend(parameters, stride: 9, context)
        case 0x2063: pend(parameters, stride: 14, context)
        // LE Create CIS.
        case 0x2064 where !parameters.isEmpty:
            for index in 0..<Int(parameters[0]) where parameters.count >= 1 + 4 * (index + 1) {
                let handle = parameters.uint16(at: 1 + 4 * index) & 0x0FFF
                let link = parameters.uint16(at: 3 + 4 * index) & 0x0FFF
                streams.proposals[Streams.key(context.controller, handle), default: .init()].link = link
            }
        // LE BIG Create Sync: the train, and which of its streams.
        case 0x206B where parameters.count >= 24:
            let key = PeriodicTrains.Key.handle(controller: context.controller, parameters.uint16(at: 1) & 0x0FFF)
            let indexes = parameters.dropFirst(24).prefix(Int(parameters[23])).copy()
            streams.groups[Streams.key(context.controller, UInt16(parameters[0]))] =
                Streams.Group(train: trains[key]?.train.number, indexes: indexes)
        // LE Create BIG: all but the Broadcast_Code.
        case 0x2068 where parameters.count >= 15:
            let key = PeriodicTrains.Key.own(controller: context.controller, parameters[1])
            let own = Streams.Group.Own(
                advertisingHandle: parameters[1], sduInterval: parameters.uint24(at: 3),
                maxSDU: parameters.uint16(at: 6), isFramed: parameters[13] != 0, isEncrypted: parameters[14] != 0)
            streams.groups[Streams.key(context.controller, UInt16(parameters[0]))] =
                Streams.Group(train: trains[key]?.train.number, own: own)
        default: break
        }
    }

    private mutating func pend(_ parameters: Bytes, stride: Int, _ context: PDUContext) {
        guard parameters.count >= 15 else { return }
        var identifiers: [UInt8] = []
        for index in 0..<Int(parameters[14]) where parameters.count > 15 + stride * index {
            identifiers.append(parameters[15 + stride * index])
        }
        streams.pendingIdentifiers[context.controller] = identifiers
    }

    /// The answer to LE Set CIG Parameters.
    mutating func learnStreams(_ results: Bytes, _ context: PDUContext) {
        let identifiers = streams.pendingIdentifiers.removeValue(forKey: context.controller) ?? []
        guard results.count >= 3, identifiers.count == Int(results[2]) else { return }
        for (index, identifier) in identifiers.enumerated() where results.count >= 3 + 2 * (index + 1) {
            let handle = results.uint16(at: 3 + 2 * index) & 0x0FFF
            streams.proposals[Streams.key(context.controller, handle)] = Streams.Proposal(
                group: results[1], stream: identifier)
        }
    }

    /// A central asks this host.
    mutating func propose(_ event: LECISRequestEvent, _ context: PDUContext) {
        streams.proposals[Streams.key(context.controller, event.streamHandle)] = Streams.Proposal(
            link: event.connectionHandle, group: event.group, stream: event.stream)
    }

    mutating func establish<Sink: EventSink & ~Copyable>(
        _ event: LECISEstablishedEvent, _ context: PDUContext, into sink: inout Sink
    ) {
        guard event.status == .success else { return }
        endStream(event.connectionHandle, nil, context, into: &sink)
        let proposal = streams.proposals[Streams.key(context.controller, event.connectionHandle)]
        let slot = proposal?.link.flatMap { links.slot(context.controller, $0) }
        let central = Self.way(event.centralPHY, event.centralMaxPDU)
        let peripheral = Self.way(event.peripheralPHY, event.peripheralMaxPDU)
        let isCentral = slot.flatMap { connections[$0].isCentral } ?? true
        let stream = IsochronousStream(
            kind: .connected(group: proposal?.group, stream: proposal?.stream), controller: context.controller,
            handle: event.connectionHandle, isoInterval: event.isoInterval,
            transmit: isCentral ? central : peripheral, receive: isCentral ? peripheral : central)
        streams.insert(stream)
        emit(context, slot, .stream(.established(stream)), into: &sink)
    }

    private static func way(_ phy: LEPHY?, _ maxPDU: UInt16) -> IsochronousStream.Way? {
        maxPDU == 0 ? nil : IsochronousStream.Way(phy: phy, maxPDU: maxPDU)
    }

    mutating func establish<Sink: EventSink & ~Copyable>(
        _ event: LEBIGEstablishedEvent, _ context: PDUContext, into sink: inout Sink
    ) {
        guard event.status == .success else { return }
        let group = streams.groups[Streams.key(context.controller, UInt16(event.bigHandle))] ?? Streams.Group()
        let way = Self.way(event.phy, event.maxPDU)
        for index in 0..<event.count {
            let handle = event.connectionHandle(index)
            endStream(handle, nil, context, into: &sink)
            // The streams of an own broadcast count from 1; of another's the host chose.
            let number =
                event.isOwn
                ? UInt8(truncatingIfNeeded: index + 1)
                : index < group.indexes.count
                    ? group.indexes[index] : nil
            let stream = IsochronousStream(
                kind: .broadcast(big: event.bigHandle, index: number, train: group.train, isOwn: event.isOwn),
                controller: context.controller, handle: handle, isoInterval: event.isoInterval,
                transmit: event.isOwn ? way : nil, receive: event.isOwn ? nil : way)
            streams.insert(stream)
            emit(context, nil, .stream(.established(stream)), into: &sink)
        }
        if event.isOwn, let own = group.own { announce(event, own, context, into: &sink) }
    }

    /// What the train of an own group says of it from now on, as the controller chose it.
    private func announce<Sink: EventSink & ~Copyable>(
        _ event: LEBIGEstablishedEvent, _ own: IsochronousStreams.Group.Own, _ context: PDUContext,
        into sink: inout Sink
    ) {
        guard let state = trains[.own(controller: context.controller, own.advertisingHandle)], let phy = event.phy
        else { return }
        let group = BIGInfo(
            streams: UInt8(truncatingIfNeeded: event.count), isoInterval: event.isoInterval, maxPDU: event.maxPDU,
            sduInterval: own.sduInterval, maxSDU: own.maxSDU, phy: phy, isFramed: own.isFramed,
            isEncrypted: own.isEncrypted)
        emit(context, nil, .periodic(PeriodicReport(state.train, .group(group))), into: &sink)
    }

    mutating func end<Sink: EventSink & ~Copyable>(
        _ event: LEBIGEndedEvent, _ context: PDUContext, into sink: inout Sink
    ) {
        endGroup(event.bigHandle, event.reason, context, into: &sink)
    }

    /// The host takes no more of a group: Command Complete of LE BIG Terminate Sync. 7.8.107.
    mutating func endSync<Sink: EventSink & ~Copyable>(
        _ event: CommandCompleteEvent, _ context: PDUContext, into sink: inout Sink
    ) {
        let results = event.returnParameters
        guard event.commandOpcode.rawValue == 0x206C, results.count >= 2, results[0] == 0 else { return }
        endGroup(results[1], nil, context, into: &sink)
    }

    private mutating func endGroup<Sink: EventSink & ~Copyable>(
        _ group: UInt8, _ reason: HCIErrorCode?, _ context: PDUContext, into sink: inout Sink
    ) {
        let ended = streams.removeAll(of: context.controller) { stream in
            if case .broadcast(group, _, _, _) = stream.kind { return true }
            return false
        }
        for stream in ended { emit(context, nil, .stream(.ended(stream, reason)), into: &sink) }
    }

    /// - Returns: whether the handle was a stream's.
    @discardableResult
    mutating func endStream<Sink: EventSink & ~Copyable>(
        _ handle: ConnectionHandle, _ reason: HCIErrorCode?, _ context: PDUContext, into sink: inout Sink
    ) -> Bool {
        guard let stream = streams.remove(context.controller, handle) else { return false }
        emit(context, nil, .stream(.ended(stream, reason)), into: &sink)
        return true
    }

    /// The controller keeps neither streams nor trains, nor parts of advertisements.
    mutating func endStreams<Sink: EventSink & ~Copyable>(_ context: PDUContext, into sink: inout Sink) {
        trains.forget(context.controller)
        advertisingSets.forget(context.controller)
        advertisingParts.forget(context.controller)
        streams.forget(context.controller)
        for stream in streams.removeAll(of: context.controller, where: { _ in true }) {
            emit(context, nil, .stream(.ended(stream, nil)), into: &sink)
        }
    }
}
