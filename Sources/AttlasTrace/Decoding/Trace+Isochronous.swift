import AttlasCapture
import AttlasWire

/// Isochronous streams: which connection or broadcast each handle belongs to. Core Specification, Vol 4, Part E, 7.8.97 to 7.8.107.
extension Trace {
    private typealias Streams = IsochronousStreams

    /// Follows the host's commands about isochronous streams.
    mutating func followIsochronous(_ command: HCICommand, _ context: PDUContext) {
        if let set = LESetCIGParametersCommand(command) {
            // The identifiers of the streams, whose handles the answer has.
            streams.pendingGroups[context.controller] = Streams.PendingGroup(
                identifiers: (0..<set.count).map { set.cisID($0) },
                intervals: Streams.SDUIntervals(central: set.centralSDUInterval, peripheral: set.peripheralSDUInterval))
        } else if let create = LECreateCISCommand(command) {
            for index in 0..<create.count {
                let key = Streams.key(context.controller, create.cisConnectionHandle(index))
                streams.proposals[key, default: .init()].link = create.aclConnectionHandle(index)
            }
        } else if let sync = LEBIGCreateSyncCommand(command) {
            let key = PeriodicTrains.Key.handle(controller: context.controller, sync.syncHandle)
            streams.groups[Streams.key(context.controller, UInt16(sync.bigHandle))] =
                Streams.Group(train: trains[key]?.train.number, indexes: sync.bis.copy())
        } else if let create = LECreateBIGCommand(command) {
            let key = PeriodicTrains.Key.own(controller: context.controller, create.advertisingHandle)
            let own = Streams.Group.Own(
                advertisingHandle: create.advertisingHandle, sduInterval: create.sduInterval, maxSDU: create.maxSDU,
                isFramed: create.isFramed, isEncrypted: create.isEncrypted)
            streams.groups[Streams.key(context.controller, UInt16(create.bigHandle))] =
                Streams.Group(train: trains[key]?.train.number, own: own)
        }
    }

    /// The answer to LE Set CIG Parameters.
    mutating func learnStreams(_ event: CommandCompleteEvent, _ context: PDUContext) {
        guard event.status == .success else { return }
        guard let pending = streams.pendingGroups.removeValue(forKey: context.controller),
            let group = event.isochronousGroup, pending.identifiers.count == group.count
        else { return }
        for (index, identifier) in pending.identifiers.enumerated() {
            guard let handle = event.streamHandle(index) else { return }
            streams.proposals[Streams.key(context.controller, handle)] = Streams.Proposal(
                group: group.cigID, stream: identifier, intervals: pending.intervals)
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
        let proposal = streams.proposals[Streams.key(context.controller, event.connectionHandle)]
        let slot = slot(ofStream: event.connectionHandle, context)
        let kind = IsochronousStream.Kind.connected(group: proposal?.group, stream: proposal?.stream)
        guard event.status == .success else {
            return emit(context, slot, .stream(.failed(kind, event.status)), into: &sink)
        }
        endStream(event.connectionHandle, nil, context, into: &sink)
        let central = Self.way(
            event.centralPHY, event.centralMaxPDU, event.centralSDUInterval ?? proposal?.intervals?.central,
            event.centralTransportLatency)
        let peripheral = Self.way(
            event.peripheralPHY, event.peripheralMaxPDU,
            event.peripheralSDUInterval ?? proposal?.intervals?.peripheral, event.peripheralTransportLatency)
        let isCentral = slot.flatMap { connections[$0].isCentral } ?? true
        let stream = IsochronousStream(
            kind: kind, controller: context.controller, handle: event.connectionHandle, isoInterval: event.isoInterval,
            transmit: isCentral ? central : peripheral, receive: isCentral ? peripheral : central)
        streams.insert(stream)
        emit(context, slot, .stream(.established(stream)), into: &sink)
    }

    /// The index of the connection that the stream belongs to, if it lives and the capture has it.
    private func slot(ofStream handle: ConnectionHandle, _ context: PDUContext) -> Int? {
        streams.proposals[Streams.key(context.controller, handle)]?.link.flatMap { links.slot(context.controller, $0) }
    }

    private static func way(
        _ phy: LEPHY?, _ maxPDU: UInt16, _ sduInterval: UInt32?, _ transportLatency: UInt32
    ) -> IsochronousStream.Way? {
        guard maxPDU > 0 else { return nil }
        return IsochronousStream.Way(
            phy: phy, maxPDU: maxPDU, sduInterval: sduInterval, transportLatency: transportLatency)
    }

    mutating func establish<Sink: EventSink & ~Copyable>(
        _ event: LEBIGEstablishedEvent, _ context: PDUContext, into sink: inout Sink
    ) {
        guard event.status == .success else { return }
        let group = streams.groups[Streams.key(context.controller, UInt16(event.bigHandle))] ?? Streams.Group()
        let way = Self.way(event.phy, event.maxPDU, group.own?.sduInterval, event.transportLatency)
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

    /// Reports the parameters of an own group on its train, as the controller chose them.
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
        guard let group = event.terminatedBIGHandle else { return }
        endGroup(group, nil, context, into: &sink)
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
        emit(context, slot(ofStream: handle, context), .stream(.ended(stream, reason)), into: &sink)
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
