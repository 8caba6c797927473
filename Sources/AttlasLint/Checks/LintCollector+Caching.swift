import AttlasIncidents
import AttlasTrace
import AttlasWire

/// Discovery, and the client's cache. Core Specification, Vol 3, Part G, 2.5.2.
extension LintCollector {
    /// Handles that a list of primary services leaves out.
    private mutating func noteGaps(
        _ pdu: ReadByGroupTypeResponse, _ operation: borrowing ATTOperation, _ slot: Int, _ event: borrowing Event,
        in trace: borrowing Trace
    ) {
        guard operation.server == .peer, operation.fault == nil, pdu.list.count > 0,
            let peer = trace.peerAddress(trace.connections[slot].peer),
            operation.request?.attributeType.map({ trace.uuids[$0] == .primaryService }) ?? false,
            case (let first, let last) = (pdu.handle(0), pdu.endGroupHandle(pdu.list.count - 1)), first <= last
        else { return }
        var gaps: [PeerWatch.Gap] = []
        for index in 1..<pdu.list.count where pdu.list.count > 1 {
            let (end, next) = (pdu.endGroupHandle(index - 1), pdu.handle(index))
            if end < .max, next > 0, end + 1 < next {
                gaps.append(.init(handles: end + 1...next - 1, frame: event.frame))
            }
        }
        peers.note(gaps, among: first...last, of: peer)
    }

    mutating func checkCaching(
        _ operation: borrowing ATTOperation, _ slot: Int, _ event: borrowing Event, in trace: borrowing Trace
    ) {
        guard event.direction != .unknown else { return }
        let server = operation.server
        if operation.fault != nil { watches[slot][server].discoveryFrame = nil }
        switch operation.pdu {
        case .readByGroupTypeRequest(let pdu):
            watches[slot][server].changed = nil
            guard pdu.attributeGroupType == .primaryService, pdu.startingHandle == 1 else { return }
            watches[slot][server].discoveryFrame = event.frame
            // A client that read the Database Hash had its reason.
            guard let peer = trace.peerAddress(trace.connections[slot].peer), server == .peer,
                !watches[slot][server].readHash,
                let earlier = peers.discovery(of: peer, before: trace.connections[slot].number)
            else { return }
            watches[slot].rediscovery = (Moment(event), earlier, event.direction)
        case .readByTypeRequest(let pdu):
            watches[slot][server].changed = nil
            if pdu.attributeType == .databaseHash { watches[slot][server].readHash = true }
        case .findByTypeValueRequest, .findInformationRequest: watches[slot][server].changed = nil
        case .readByGroupTypeResponse(let pdu):
            noteGaps(pdu, operation, slot, event, in: trace)
            guard pdu.list.count > 0, pdu.endGroupHandle(pdu.list.count - 1) == .max else { return }
            endDiscovery(operation, slot, in: trace)
        case .errorResponse where operation.endsDiscovery:
            endDiscovery(operation, slot, in: trace)
            noteSearch(operation, last: 0xFFFF, slot, in: trace)
        case .errorResponse(let pdu) where pdu.errorCode == .databaseOutOfSync:
            watches[slot][server].changed = ChangedHandles(
                range: 1...0xFFFF, frame: event.frame, cause: .outOfSync, isKnown: true)
        case .handleValueIndication: noteServiceChanged(operation, slot, event, in: trace)
        case .handleValueConfirmation: watches[slot][server].changed?.isKnown = true
        case .readByTypeResponse(let pdu):
            if pdu.list.count == 1 {
                let type = operation.request?.attributeType
                noteHash(pdu.value(0), of: type, operation, slot, event, in: trace)
            }
            guard operation.fault == nil, pdu.list.count > 0, pdu.value(pdu.list.count - 1).count >= 5 else { return }
            noteSearch(operation, last: pdu.value(pdu.list.count - 1).uint16(at: 1), slot, in: trace)
        case .readResponse:
            if let type = operation.attribute?.type, trace.uuids[type] == .databaseHash,
                let value = values.octets(of: event, in: trace)?.bytes
            {
                noteHash(value, of: type, operation, slot, event, in: trace)
            }
        case .readRequest, .readBlobRequest, .writeRequest, .writeCommand, .prepareWriteRequest:
            // Not through the subscript, which copies the whole watch: this is called for each request.
            let known = server == .peer ? watches[slot].peerServer.changed : watches[slot].localServer.changed
            guard let handle = operation.handle, let changed = known, changed.isKnown,
                changed.range.contains(handle),
                // That is how a client asks whether the table is another one.
                operation.attribute.map({ trace.uuids[$0.type] }) != .databaseHash
            else { return }
            var place = place(slot, event.direction, server: server, in: trace)
            place.handle = handle
            report(
                changed.cause.ignored, Moment(event), related: [changed.frame], place,
                "\(operation.opcode.name) for 0x\(hexadecimal(handle)); frame \(changed.frame) \(changed.words).")
        default: break
        }
    }

    mutating func closeRediscovery(_ slot: Int, in trace: borrowing Trace) {
        // Who pairs again may have no bond any more.
        guard let (moment, earlier, direction) = watches[slot].rediscovery, watches[slot].isComplete,
            !watches[slot].pairing.wasAsked
        else { return }
        report(
            .discoveryRepeated, moment, related: [earlier], place(slot, direction, server: .peer, in: trace),
            "All services were discovered again; the first discovery began in frame \(earlier).")
    }

    private mutating func noteServiceChanged(
        _ operation: borrowing ATTOperation, _ slot: Int, _ event: borrowing Event, in trace: borrowing Trace
    ) {
        guard let attribute = operation.attribute, trace.uuids[attribute.type] == .serviceChanged,
            let value = operation.profileValue(in: trace), value.count == 4,
            operation.fault == nil
        else { return }
        let (start, end) = (value.uint16(at: 0), value.uint16(at: 2))
        guard start > 0, start <= end else { return }
        watches[slot][operation.server].changed = ChangedHandles(
            range: start...end, frame: event.frame, cause: .serviceChanged, isKnown: false)
        watches[slot][operation.server].search = SearchWatch()
        if operation.server == .peer, let peer = trace.peerAddress(trace.connections[slot].peer) {
            peers.forgetDiscovery(of: peer)
        }
    }

    /// The hash is compared with the last one that this server reported.
    private mutating func noteHash(
        _ value: Bytes, of type: UUIDIndex?, _ operation: borrowing ATTOperation, _ slot: Int,
        _ event: borrowing Event, in trace: borrowing Trace
    ) {
        guard let type, trace.uuids[type] == .databaseHash, operation.fault == nil, value.count == 16,
            operation.server == .peer,
            let known = trace.peers[trace.connections[slot].peer].table.databaseHash,
            known.value != value.uint128(at: 0)
        else { return }
        watches[slot][.peer].changed = ChangedHandles(
            range: 1...0xFFFF, frame: event.frame, cause: .hash, isKnown: true)
        watches[slot][.peer].search = SearchWatch()
        if let peer = trace.peerAddress(trace.connections[slot].peer) { peers.forgetDiscovery(of: peer) }
    }

    /// Notes the handle up to which characteristics were searched for without a gap.
    ///
    /// - Parameter last: the handle of the last value that was found.
    private mutating func noteSearch(
        _ operation: borrowing ATTOperation, last: AttributeHandle, _ slot: Int, in trace: borrowing Trace
    ) {
        guard let request = operation.request, request.opcode == .readByTypeRequest,
            request.attributeType.map({ trace.uuids[$0] }) == .characteristic
        else { return }
        watches[slot][operation.server].search.note(
            request.startingHandle...max(request.startingHandle, request.endingHandle), last)
    }

    /// The answer to a search for primary services was that there are no more.
    private mutating func endDiscovery(_ operation: borrowing ATTOperation, _ slot: Int, in trace: borrowing Trace) {
        guard let request = operation.request, request.opcode == .readByGroupTypeRequest,
            request.attributeType.map({ trace.uuids[$0] }) == .primaryService,
            let frame = watches[slot][operation.server].discoveryFrame
        else { return }
        watches[slot][operation.server].isDiscovered = true
        met.insert(.discovered)
        guard operation.server == .peer, let peer = trace.peerAddress(trace.connections[slot].peer) else { return }
        peers.noteDiscovery(of: peer, connection: trace.connections[slot].number, frame: frame)
        if watches[slot].isBonded { peers.noteBond(with: peer) }
    }
}
