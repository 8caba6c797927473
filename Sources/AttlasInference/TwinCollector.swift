import AttlasCapture
import AttlasTrace
import AttlasValues
import AttlasWire

/// Collects what each device of a capture did, for a twin that does it again.
public struct TwinCollector: DocumentCollector {
    /// Operations, and octets of their values, that are kept.
    static let limit = 131_072
    private static let octetLimit = 16 << 20
    private static let connectionLimit = 16_384
    private static let advertiserLimit = 4_096
    private static let advertisementLimit = 8
    private static let gapLimit = 64

    private struct Place: Hashable {
        let connection: Int
        let server: ServerSide
    }

    private var values: ValueInterpreter
    private var conversations: [Place: TwinDevice.Connection] = [:]
    private var owners: [Place: TableOwner] = [:]
    /// Operations that wait for their answers, by the frames of the requests.
    private var open: [Place: [Int: Int]] = [:]
    private var advertisers: [BluetoothAddress: [TwinDevice.Advertisement]] = [:]
    private var count = 0
    private var octets = 0
    private var leftOut = 0

    /// - Parameter values: of the `Interpreted` that hands on the events.
    package init(values: ValueInterpreter) {
        self.values = values
    }

    @inlinable public var wantsPackets: Bool { false }

    public mutating func receive(_ event: borrowing Event, in trace: borrowing Trace) {
        switch event.detail {
        case .advertising(let report): note(report, event)
        case .att(let operation): receive(operation, event, in: trace)
        case .assembled(let assembled) where assembled.outcome == .complete && assembled.offset == 0:
            event.forEachAttribute(in: trace) { value in
                if assembled.kind == .longRead {
                    replace(value, event, assembled.server, in: trace)
                } else {
                    append(.write, value, event, assembled.server, in: trace)
                }
                return true
            }
        case .mtu(let mtu):
            change(event, in: trace) { connection, side in
                let isAnswering = (event.direction == .rx) == (side == .peer)
                connection.mtu = isAnswering ? mtu.server : mtu.client
                connection.clientMTU = isAnswering ? mtu.client : mtu.server
            }
        case .connection(.made), .connection(.presumed), .connection(.parametersUpdated):
            let parameters = event.connection.flatMap { trace.connections[$0].parameters }
            change(event, in: trace) { connection, _ in connection.parameters = connection.parameters ?? parameters }
        case .connection(.encryption(enabled: true, let status)) where status.isSuccess:
            let at = Self.age(event, in: trace)
            change(event, in: trace) { connection, _ in connection.encrypted = connection.encrypted ?? at }
        case .signal(let signal): receive(signal, event, in: trace)
        case .smp(let pdu): receive(pdu, event, in: trace)
        default: return
        }
    }

    // MARK: Links

    private mutating func note(_ report: borrowing AdvertisingReport, _ event: borrowing Event) {
        guard let address = report.identity ?? report.address, !report.isInquiryResponse, !report.isTruncated else {
            return
        }
        guard advertisers[address] != nil || advertisers.count < Self.advertiserLimit else { return }
        let data = report.data.bytes.copy()
        let (isResponse, isConnectable) = (report.isScanResponse, report.isConnectable)
        let time = event.time.nanoseconds(since: .epoch)
        var kept = advertisers.removeValue(forKey: address) ?? []
        let index = kept.firstIndex { $0.isScanResponse == isResponse && $0.data == data }
        if index == nil, kept.count < Self.advertisementLimit {
            kept.append(
                TwinDevice.Advertisement(isScanResponse: isResponse, isConnectable: isConnectable, data: data))
        }
        if let index = index ?? (kept.last?.data == data ? kept.count - 1 : nil) {
            kept[index].count += 1
            if let last = kept[index].last, kept[index].gaps.count < Self.gapLimit {
                kept[index].gaps.append(max(0, ValueSeries.limited(time) - last))
            }
            kept[index].last = ValueSeries.limited(time)
        }
        advertisers[address] = kept
    }

    /// Changes what is kept of a connection of an event, once for each side.
    private mutating func change(
        _ event: borrowing Event, in trace: borrowing Trace,
        _ change: (inout TwinDevice.Connection, ServerSide) -> Void
    ) {
        guard let slot = event.connection else { return }
        for side in ServerSide.allCases {
            guard let place = place(side, slot, event, in: trace), var connection = conversations[place] else {
                continue
            }
            change(&connection, side)
            conversations[place] = connection
        }
    }

    private mutating func place(
        _ side: ServerSide, _ slot: Int, _ event: borrowing Event, in trace: borrowing Trace
    ) -> Place? {
        let connection = trace.connections[slot]
        let place = Place(connection: connection.number, server: side)
        if conversations[place] != nil { return place }
        guard conversations.count < Self.connectionLimit else { return nil }
        owners[place] = TableOwner(side, slot, in: trace)
        conversations[place] = TwinDevice.Connection(
            number: connection.number, frame: event.frame, isWhole: connection.isWhole,
            parameters: connection.parameters)
        return place
    }

    private static func age(_ event: borrowing Event, in trace: borrowing Trace) -> Int64 {
        guard let slot = event.connection else { return 0 }
        return max(0, ValueSeries.limited(event.time.nanoseconds(since: trace.connections[slot].begun)))
    }

    private mutating func receive(_ signal: L2CAPSignal, _ event: borrowing Event, in trace: borrowing Trace) {
        guard let parameters = try? L2CAPSignalParameters(signal),
            case .connectionParameterUpdateRequest(let request) = parameters
        else { return }
        let ask = TwinDevice.Ask(
            at: Self.age(event, in: trace), intervalMin: request.intervalMin, intervalMax: request.intervalMax,
            latency: request.latency, timeout: request.timeout)
        let asker: ServerSide = event.direction == .tx ? .local : .peer
        change(event, in: trace) { connection, side in
            if side == asker, connection.asked.count < 64 { connection.asked.append(ask) }
        }
    }

    private mutating func receive(_ pdu: borrowing SMPPDU, _ event: borrowing Event, in trace: borrowing Trace) {
        let sender: ServerSide = event.direction == .tx ? .local : .peer
        switch pdu {
        case .pairingRequest(let features), .pairingResponse(let features):
            let pairing = TwinDevice.Pairing(ioCapability: features.ioCapability, authReq: features.authReq)
            change(event, in: trace) { connection, side in if side == sender { connection.pairing = pairing } }
        case .securityRequest:
            let at = Self.age(event, in: trace)
            change(event, in: trace) { connection, side in
                if side == sender { connection.securityRequest = connection.securityRequest ?? at }
            }
        default: return
        }
    }

    // MARK: Attributes

    private mutating func receive(
        _ operation: borrowing ATTOperation, _ event: borrowing Event, in trace: borrowing Trace
    ) {
        let server = operation.server
        if case .enhanced = operation.bearer {
            change(event, in: trace) { connection, side in if side == server { connection.hasEnhancedBearers = true } }
        }
        switch operation.pdu {
        case .readRequest: append(.read, operation, event, in: trace)
        case .writeRequest: append(.write, operation, event, in: trace)
        case .writeCommand, .signedWriteCommand: append(.command, operation, event, in: trace)
        case .handleValueNotification, .multipleHandleValueNotification: append(.notify, operation, event, in: trace)
        case .handleValueIndication: append(.indicate, operation, event, in: trace)
        case .readByTypeResponse, .readMultipleVariableResponse:
            // Without requests for each attribute: reads with their answers.
            event.forEachAttribute(in: trace) { value in
                let isDeclaration = value.type.map {
                    BluetoothUUID.declarations.contains(trace.uuids[$0].uint16 ?? 0)
                }
                guard value.isWhole, value.count != nil, isDeclaration == false else { return true }
                append(.read, value, event, server, in: trace)
                return true
            }
        case .readResponse, .writeResponse, .errorResponse: answer(operation, event, in: trace)
        default: return
        }
    }

    private mutating func append(
        _ kind: TwinDevice.Operation.Kind, _ operation: borrowing ATTOperation, _ event: borrowing Event,
        in trace: borrowing Trace
    ) {
        let server = operation.server
        event.forEachAttribute(in: trace) { value in
            append(kind, value, event, server, in: trace)
            return true
        }
    }

    /// A value that needs no further answer.
    private mutating func append(
        _ kind: TwinDevice.Operation.Kind, _ value: borrowing AttributeValue, _ event: borrowing Event,
        _ server: ServerSide, in trace: borrowing Trace
    ) {
        guard let handle = value.handle else { return }
        var new = make(kind, handle, value.attribute, event, in: trace)
        if !value.isPartial || kind == .read { (new.value, new.octets) = copy(value, in: trace) }
        if case .assembled = event.detail { new.isAnswered = true }
        if kind == .read, value.count != nil { new.isAnswered = true }
        append(new, server, event, in: trace)
    }

    private mutating func copy(
        _ value: borrowing AttributeValue, in trace: borrowing Trace
    ) -> (UnreadValue?, [UInt8]?) {
        let unread = values.unread(value, in: trace)
        guard let shown = values.octets(of: value, in: trace), let bytes = shown.bytes else { return (unread, nil) }
        return (unread, bytes.copy())
    }

    private func make(
        _ kind: TwinDevice.Operation.Kind, _ handle: AttributeHandle, _ attribute: AttributeInfo?,
        _ event: borrowing Event, in trace: borrowing Trace
    ) -> TwinDevice.Operation {
        TwinDevice.Operation(
            frame: event.frame, kind: kind, handle: handle,
            attribute: attribute.map { AttributeUUIDs($0, in: trace) },
            isEncrypted: event.connection.map { trace.connections[$0].isEncrypted } ?? false,
            at: Self.age(event, in: trace))
    }

    private mutating func append(
        _ operation: TwinDevice.Operation, _ server: ServerSide, _ event: borrowing Event, in trace: borrowing Trace
    ) {
        let size = operation.octets?.count ?? 0
        guard let slot = event.connection, count < Self.limit, octets + size <= Self.octetLimit,
            let place = place(server, slot, event, in: trace)
        else {
            leftOut += 1
            return
        }
        count += 1
        octets += size
        let index = conversations[place]?.operations.count ?? 0
        if !operation.isAnswered, !operation.kind.isSent { open[place, default: [:]][operation.frame] = index }
        conversations[place]?.operations.append(operation)
    }

    private mutating func answer(
        _ operation: borrowing ATTOperation, _ event: borrowing Event, in trace: borrowing Trace
    ) {
        guard let slot = event.connection, let request = operation.request else { return }
        let place = Place(connection: trace.connections[slot].number, server: operation.server)
        guard let index = open[place]?.removeValue(forKey: request.frame) else { return }
        var answer: (value: UnreadValue?, octets: [UInt8]?)
        if case .readResponse = operation.pdu {
            event.forEachAttribute(in: trace) { attribute in
                answer = copy(attribute, in: trace)
                return true
            }
        }
        var error: ATTErrorCode?
        if case .errorResponse(let pdu) = operation.pdu { error = pdu.errorCode }
        octets += answer.octets?.count ?? 0
        if octets > Self.octetLimit { answer = (nil, nil) }
        conversations[place]?.operations[index].end(answer, error, after: request.roundTrip)
    }

    /// The whole of a value whose beginning was read before.
    private mutating func replace(
        _ value: borrowing AttributeValue, _ event: borrowing Event, _ server: ServerSide, in trace: borrowing Trace
    ) {
        // Once operations are left out, the read that it completes may be one of them.
        guard leftOut == 0, let slot = event.connection, let handle = value.handle else { return }
        let place = Place(connection: trace.connections[slot].number, server: server)
        guard
            let index = conversations[place]?.operations.lastIndex(where: { $0.kind == .read && $0.handle == handle }),
            octets + (value.count ?? 0) <= Self.octetLimit
        else { return }
        octets += value.count ?? 0
        let whole = copy(value, in: trace)
        conversations[place]?.operations[index].value = whole.0
        conversations[place]?.operations[index].octets = whole.1
    }

    // MARK: The document

    public mutating func finish(in trace: borrowing Trace, _ integrity: CaptureIntegrity) -> TwinModel {
        var connections: [TableOwner: [TwinDevice.Connection]] = [:]
        for (place, conversation) in conversations where !conversation.operations.isEmpty {
            guard var owner = owners[place] else { continue }
            // Its identity may have become known later.
            if case .peer(let index) = owner { owner = .peer(trace.finalPeer(of: index)) }
            connections[owner, default: []].append(conversation)
        }
        var devices: [TwinDevice] = []
        var addresses: Set<BluetoothAddress> = []
        for (index, peer) in trace.peers.enumerated() where peer.mergedInto == nil {
            var device = TwinDevice(isLocal: false, address: peer.address, name: peer.name)
            if let address = peer.address {
                device.advertising = advertisers[address] ?? []
                addresses.insert(address)
            }
            add(connections[.peer(index)] ?? [], peer.table, to: &device, in: trace, &devices)
        }
        for (index, controller) in trace.controllers.enumerated() {
            var device = TwinDevice(isLocal: true, address: controller.address)
            add(connections[.local(index)] ?? [], controller.table, to: &device, in: trace, &devices)
        }
        // Strangers that nobody connected to.
        for (address, advertising) in advertisers.sorted(by: { $0.key.description < $1.key.description })
        where !addresses.contains(address) && advertising.contains(where: \.isConnectable) {
            var device = TwinDevice(isLocal: false, address: address, name: Self.name(advertising))
            device.advertising = advertising
            device.learn()
            devices.append(device)
        }
        return TwinModel(
            integrity: integrity, devices: devices, names: UUIDNames(trace, values.library), leftOut: leftOut)
    }

    private static func name(_ advertising: [TwinDevice.Advertisement]) -> String? {
        var data = AdvertisedData()
        for advertisement in advertising {
            data.add(AdvertisingData(Bytes(advertisement.data.span)), isTruncated: false)
        }
        return data.name
    }

    private func add(
        _ connections: [TwinDevice.Connection], _ table: AttributeTable, to device: inout TwinDevice,
        in trace: borrowing Trace, _ devices: inout [TwinDevice]
    ) {
        guard !connections.isEmpty || !table.isEmpty || !device.advertising.isEmpty else { return }
        device.connections = connections.sorted { $0.number < $1.number }
        device.tables =
            table.former.map {
                TwinDevice.Table(until: $0.until, reason: $0.reason, attributes: $0.table.attributes(in: trace))
            } + [TwinDevice.Table(until: nil, reason: nil, attributes: table.attributes(in: trace))]
        device.learn()
        devices.append(device)
    }
}

extension TwinDevice.Operation {
    mutating func end(_ answer: (UnreadValue?, [UInt8]?), _ code: ATTErrorCode?, after time: Int64?) {
        if kind == .read { (value, octets) = answer }
        (error, after, isAnswered) = (code, time, true)
    }
}

extension AttributeTable {
    /// What is known of it, in the order of the handles.
    fileprivate func attributes(in trace: borrowing Trace) -> [TwinDevice.Attribute] {
        var found: [AttributeHandle: TwinDevice.Attribute] = [:]
        for attribute in typedAttributes {
            found[attribute.handle] = TwinDevice.Attribute(
                handle: attribute.handle, type: trace.uuids[attribute.uuid])
        }
        for characteristic in characteristics {
            let uuid = trace.uuids[characteristic.uuid]
            found[characteristic.handle] = TwinDevice.Attribute(
                handle: characteristic.handle, type: .characteristic, uuid: uuid, target: characteristic.valueHandle,
                properties: characteristic.properties)
            found[characteristic.valueHandle] = TwinDevice.Attribute(handle: characteristic.valueHandle, type: uuid)
        }
        for include in includes {
            found[include.handle] = TwinDevice.Attribute(
                handle: include.handle, type: .include, uuid: include.uuid.map { trace.uuids[$0] },
                end: include.endHandle, target: include.includedHandle)
        }
        for service in services {
            found[service.handle] = TwinDevice.Attribute(
                handle: service.handle, type: service.isPrimary == false ? .secondaryService : .primaryService,
                uuid: trace.uuids[service.uuid], end: service.endHandle)
        }
        return found.values.sorted { $0.handle < $1.handle }
    }
}
