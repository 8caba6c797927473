import AttlasCapture
import AttlasProcedures
import AttlasTrace
import AttlasValues
import AttlasWire

/// Measures the latency and throughput of each connection. Documentation/statistics.md defines every figure.
///
/// Memory is bounded: `connectionLimit` connections with `ConnectionLife.stepLimit` steps each at most, `rowLimit` rows of each kind, and
/// in each row the storage of `Distribution` and `BestSecond`. PDUs beyond that are measured together, in `others`.
///
/// To add a figure: its measurement here, its output in `StatisticsText` and `StatisticsJSON`, its key in the schema,
/// and its definition with a calculation by hand in Documentation/statistics.md, whose example a test runs.
public struct StatisticsCollector: EventSink, Sendable {
    package static let connectionLimit = TraceLimits.standard.measuredConnections
    /// Connections of which `ConnectionLife.stepLimit` steps are kept; of others `shortStepLimit`.
    static let fullConnectionLimit = 256
    package static let rowLimit = 16_384
    /// Octets that the figures of all rows took together, each at its most. From here on they are tight.
    static let tightFootprint = 8 << 20
    /// From here on, new measurements are left out.
    static let footprintLimit = 20 << 20
    /// Slowest exchanges that are kept of each connection.
    static let slowestLimit = 10
    /// Whether the next events count in the rows. Events of a connection are followed in any case.
    package var isSelected = true
    /// Whether the next events count in the traffic of the whole link.
    var isWithin = true

    /// In the order of their beginnings.
    private(set) var connections: [ConnectionLife] = []
    private(set) var connectionsLeftOut = 0
    /// How many times the standard numbers of connections and rows are kept.
    private var scale = 1
    /// Indexes into `connections`, of each peer.
    private var indexes: [ConnectionLife.PeerName.Key: [Int]] = [:]
    /// ATT PDUs that are in `others`.
    private(set) var operationsLeftOut = 0
    private(set) var others = OtherFigures()
    private var footprint = 0
    private(set) var exchanges = RowTable<ExchangeRow>()
    private(set) var values = RowTable<ValueRow>()
    /// The slowest of each connection, by index into `connections`: the slowest first.
    private(set) var slowest: [[SlowExchange]] = []

    /// The connection that has each slot of the trace.
    private var places: [(number: Int, index: Int)?] = []
    private var lastEnds: [BluetoothAddress: (time: Timestamp, isLoss: Bool)] = [:]
    /// Attempts that failed since the device's last connection.
    private var failedAttempts: [BluetoothAddress: Int] = [:]
    /// When devices were first heard to advertise that were not connected since.
    private var advertised: [BluetoothAddress: Timestamp] = [:]
    /// The time of the first record.
    private(set) var origin: Timestamp?
    /// Counts the steps of the capture's clock: nothing is measured across one.
    private var run = 0
    private var pendingPairing: [Int: SMPPairingOffer] = [:]
    private var follower = ProcedureFollower(withExchanges: false)
    /// Attempts that led to no connection.
    private(set) var attempts: [ProcedureRow] = []
    private var streamTable = StreamTable()
    /// Isochronous streams, in the order of their beginnings.
    var streams: [StreamFigures] { streamTable.streams }
    var streamsLeftOut: Int { streamTable.leftOut }
    private var channelTable = ChannelFiguresTable()
    /// Channels with data that has no meaning to Bluetooth, in the order of their first data.
    var channels: [ChannelFigures] { channelTable.channels }
    var channelPacketsLeftOut: Int { channelTable.leftOut }

    /// - Parameter measuresRows: whether there are rows of requests and values besides the connections.
    package init(measuresRows: Bool = true) { isSelected = measuresRows }

    @inlinable public var wantsCompletedPackets: Bool { false }

    public mutating func receive(_ event: borrowing Event, in trace: borrowing Trace) {
        // Frames and ATT PDUs are nearly all events of connections: the one is counted, the other measured, and nothing else asked.
        switch event.detail {
        case .l2cap(let frame):
            guard let slot = event.connection else { return }
            let octets = isWithin ? L2CAPFrame.headerLength + frame.pduLength : nil
            let packets = max(1, event.frames.count)
            guard let index = place(of: slot, event, in: trace) else {
                if let octets { others.note(l2capOctets: octets, packets: packets, event.direction) }
                return
            }
            begin(index)
            connections[index].note(Moment(event), l2capOctets: octets, packets: packets, event.direction)
        case .att(let operation):
            guard let slot = event.connection else { return }
            guard let index = place(of: slot, event, in: trace) else {
                return receiveBeyondLimit(operation, event, slot, in: trace)
            }
            begin(index)
            receive(operation, event, index, slot, in: trace)
            follow(event, in: trace)
        // An attempt ends when its connection begins; other procedures end before it.
        case .connection(.made):
            receiveOther(event, in: trace)
            follow(event, in: trace)
        default:
            follow(event, in: trace)
            receiveOther(event, in: trace)
        }
    }

    @inline(never)
    private mutating func receiveOther(_ event: borrowing Event, in trace: borrowing Trace) {
        switch event.detail {
        case .clockStep: run += 1
        case .identified(let identification): rename(identification, in: trace)
        case .advertising(let report): note(report, event)
        case .periodic(let report): streamTable.note(report)
        case .data(let packet): if isWithin { streamTable.note(packet, event, in: trace) }
        case .stream(let change):
            let number = event.connection.map { trace.connections[$0].number }
            streamTable.note(change, connection: number, Moment(event))
        case .sdu(let sdu):
            guard let slot = event.connection else { return }
            channelTable.note(sdu, event, slot, isWithin: isWithin, in: trace)
        default:
            guard let slot = event.connection else { return }
            receive(event, slot, in: trace)
        }
    }

    @inline(__always)
    private mutating func follow(_ event: borrowing Event, in trace: borrowing Trace) {
        follower.receive(event, in: trace)
        takeProcedures()
    }

    /// Counts ended procedures with their connection.
    @inline(__always)
    private mutating func takeProcedures() {
        while let procedure = follower.next() {
            guard isWithin else { continue }
            guard let slot = procedure.slot else {
                attempts.add(procedure)
                if let address = procedure.address, procedure.outcome != .open {
                    if failedAttempts.count >= Self.connectionLimit { failedAttempts.removeAll(keepingCapacity: true) }
                    failedAttempts[address, default: 0] += 1
                }
                continue
            }
            guard slot < places.count, let place = places[slot], place.number == procedure.connection else { continue }
            connections[place.index].procedures.add(procedure)
        }
    }

    /// The connection with the number; nil for one that is not kept.
    package func life(of number: Int) -> ConnectionLife? { connections.last { $0.number == number } }

    /// Call it once, after the last record: requests without an answer by then are unanswered.
    package mutating func finish(in trace: borrowing Trace) {
        origin = trace.start
        follower.finish(in: trace)
        takeProcedures()
        streamTable.settle(connections)
        for slot in places.indices {
            guard let (number, index) = places[slot], trace.connections[slot].number == number,
                connections[index].end == nil
            else { continue }
            refresh(index, slot, in: trace)
        }
        // Here each is sorted in its place, and not in a copy for its table.
        for row in exchanges.rows.indices { exchanges.rows[row].sort() }
        for row in values.rows.indices { values.rows[row].sort() }
        others.sort()
        guard !trace.hasEveryPacket else { return }
        for row in exchanges.rows.indices { exchanges.rows[row].excuseAnswers() }
        others.excuseAnswers()
        for index in connections.indices {
            for row in connections[index].procedures.indices { connections[index].procedures[row].excuseAnswers() }
        }
    }

    private mutating func receive(_ event: borrowing Event, _ slot: Int, in trace: borrowing Trace) {
        guard let index = place(of: slot, event, in: trace) else {
            if isSelected, case .exchange(let end) = event.detail {
                others.change(end.asked.opcode, end.asked.asker, event.time) { $0.count(end) }
            }
            return
        }
        begin(index)
        let moment = Moment(event)
        switch event.detail {
        case .air(let packet): if isWithin { connections[index].radio?.note(packet, event.direction, at: event.time) }
        case .missed(let missed):
            if isWithin { connections[index].radio?.note(missed) }
        case .connection(let change): note(change, event, index, slot, in: trace)
        case .mtu(let exchange): connections[index].note(.mtu(exchange), moment)
        case .subscription(let subscription):
            let attribute = RowAttribute(subscription.server, subscription.handle, subscription.attribute)
            connections[index].note(.subscription(attribute, configuration: subscription.configuration), moment)
        case .smp(let pdu): note(pdu, moment, index)
        case .exchange(let end): note(end, index)
        default: break
        }
    }

    /// Begins each event of a connection.
    @inline(__always)
    private mutating func begin(_ index: Int) {
        if isSelected, !connections[index].isSelected { connections[index].isSelected = true }
    }

    // MARK: Connections

    /// Index of the connection in the slot; nil if there are more connections than are kept.
    @inline(__always)
    private mutating func place(of slot: Int, _ event: borrowing Event, in trace: borrowing Trace) -> Int? {
        if slot < places.count, let place = places[slot], place.number == trace.connections[slot].number {
            return place.index
        }
        return add(slot, event, in: trace)
    }

    @inline(never)
    private mutating func add(_ slot: Int, _ event: borrowing Event, in trace: borrowing Trace) -> Int? {
        let number = trace.connections[slot].number
        while places.count <= slot { places.append(nil) }
        let limit = trace.limits.measuredConnections
        scale = max(1, limit / Self.connectionLimit)
        guard connections.count < limit else {
            if case .connection(.made) = event.detail { connectionsLeftOut += 1 }
            if case .connection(.presumed) = event.detail { connectionsLeftOut += 1 }
            return nil
        }
        let moment = Moment(event)
        var life = ConnectionLife(trace.connections[slot], moment, Self.peer(slot, in: trace))
        if connections.count >= Self.fullConnectionLimit { life.stepLimit = ConnectionLife.shortStepLimit }
        if let address = life.peer.address {
            life.previousEnd = lastEnds[address]?.time
            life.followsLoss = lastEnds[address]?.isLoss ?? false
            life.advertisedSince = advertised.removeValue(forKey: address)
            life.failedAttempts = failedAttempts.removeValue(forKey: address) ?? 0
        }
        if let parameters = trace.connections[slot].parameters { life.note(.parameters(parameters), moment) }
        connections.append(life)
        slowest.append([])
        indexes[life.peer.key, default: []].append(connections.count - 1)
        places[slot] = (number, connections.count - 1)
        return connections.count - 1
    }

    /// Keeps when a device was first heard that may be connected soon.
    private mutating func note(_ report: AdvertisingReport, _ event: borrowing Event) {
        guard let address = report.identity ?? report.address, report.isConnectable, advertised[address] == nil else {
            return
        }
        // Private addresses change every few minutes: an endless log sees any number of them.
        if advertised.count >= Self.connectionLimit { advertised.removeAll(keepingCapacity: true) }
        advertised[address] = event.time
    }

    private static func peer(_ slot: Int, in trace: borrowing Trace) -> ConnectionLife.PeerName {
        let index = trace.connections[slot].peer
        return ConnectionLife.PeerName(
            index: index, address: trace.peerAddress(index), privateAddress: trace.connections[slot].privateAddress,
            name: trace.peerName(index))
    }

    /// The peer's name may come late, and the buffers have their state at the end.
    private mutating func refresh(_ index: Int, _ slot: Int, in trace: borrowing Trace) {
        connections[index].peer = Self.peer(slot, in: trace)
        connections[index].buffers = trace.connections[slot].buffers
        let connection = trace.connections[slot]
        connections[index].signal = connection.signal ?? connections[index].radio?.peripheral.signal
        connections[index].settings = LinkSettings(connection)
        connections[index].versions = (
            connection.isHeard ? connection.centralVersion : trace.controllers[connection.controllerIndex].version,
            connection.peerVersion
        )
        connections[index].bufferCount =
            trace.controller(ofConnection: slot).buffers(for: connections[index].transport)
    }

    private mutating func rename(_ identification: PeerIdentification, in trace: borrowing Trace) {
        let address = trace.peerAddress(identification.peer)
        let known = ConnectionLife.PeerName.Key(index: identification.previous, address: identification.privateAddress)
        let renamed = indexes.removeValue(forKey: known) ?? []
        for index in renamed {
            connections[index].peer.privateAddress = identification.privateAddress
            connections[index].peer.address = address
            connections[index].peer.index = identification.peer
            connections[index].peer.name = trace.peerName(identification.peer) ?? connections[index].peer.name
        }
        indexes[ConnectionLife.PeerName.Key(index: identification.peer, address: address), default: []] += renamed
        if let old = identification.privateAddress, let end = lastEnds.removeValue(forKey: old), let address {
            lastEnds[address] = end
        }
    }

    private mutating func note(
        _ change: ConnectionChange, _ event: borrowing Event, _ index: Int, _ slot: Int, in trace: borrowing Trace
    ) {
        let moment = Moment(event)
        let connection = trace.connections[slot]
        switch change {
        // The parameters of a connection that was made are its first step.
        case .made, .presumed, .failed: break
        case .constantNumbers(let party, _): connections[index].radio?.noteConstant(party)
        case .decryption, .version, .features, .announced, .notReached, .channelMapUpdated, .rejected,
            .unheard:
            break
        case .parametersUpdated:
            if let parameters = connection.parameters { connections[index].note(.parameters(parameters), moment) }
        case .phyUpdated:
            if let transmit = connection.transmitPHY, let receive = connection.receivePHY {
                connections[index].note(.phy(transmit: transmit, receive: receive), moment)
            }
        case .dataLengthUpdated:
            if let length = connection.dataLength { connections[index].note(.dataLength(length), moment) }
        case .encryption(let isEnabled, let status):
            connections[index].note(.encryption(enabled: isEnabled, status: status), moment)
        case .ended(let end):
            self.end(index, slot, ConnectionLife.End(moment: moment, end: end), in: trace)
        }
    }

    private mutating func end(_ index: Int, _ slot: Int, _ end: ConnectionLife.End, in trace: borrowing Trace) {
        connections[index].noteSign(end.moment)
        for direction in [Direction.tx, .rx, .unknown] { connections[index][direction].finish() }
        values.forEachRow(of: index) { $0.finish() }
        refresh(index, slot, in: trace)
        connections[index].end = end
        streamTable.end(connection: connections[index].number, end.moment)
        pendingPairing[index] = nil
        places[slot] = nil
        guard let address = connections[index].peer.address else { return }
        // No more entries than connections that are kept.
        lastEnds[address] = end.end == .superseded ? nil : (end.moment.time, end.isLoss)
    }

    private mutating func note(_ pdu: SMPPDU, _ moment: Moment, _ index: Int) {
        connections[index].hasPaired = true
        switch pdu {
        case .pairingRequest(let features):
            pendingPairing[index] = SMPPairingOffer(features)
        case .pairingResponse(let features):
            guard let request = pendingPairing.removeValue(forKey: index),
                let method = SMPPairingMethod(request: request, response: SMPPairingOffer(features))
            else { return }
            connections[index].note(.pairing(method), moment)
        case .pairingFailed(let pdu): connections[index].note(.pairingFailed(pdu.reason), moment)
        default: break
        }
    }

    // MARK: ATT

    private mutating func receive(
        _ operation: ATTOperation, _ event: borrowing Event, _ index: Int, _ slot: Int, in trace: borrowing Trace
    ) {
        let kind = operation.opcode.definition?.kind
        switch kind {
        case .request, .indication: asked(operation, event, index)
        case .response, .confirmation: answered(operation, event, index, slot, in: trace)
        default: break
        }
        let cut = Self.cut(operation)
        if isWithin { connections[index][event.direction].attOctets += operation.pdu.bytes.count + cut }
        guard let octets = operation.valueOctets, operation.attribute?.role ?? .value == .value else { return }
        if let attribute = operation.attribute, trace.uuids[attribute.type].isAudioEndpoint {
            noteEndpoint(operation, event, index, in: trace)
        }
        if connections[index].firstValue == nil { noteFirstValue(operation, kind, event, index, in: trace) }
        measure(octets + cut, operation, event, index, slot, in: trace)
    }

    /// Octets of the PDU that were not captured.
    private static func cut(_ operation: ATTOperation) -> Int {
        operation.fault.map { $0.limit == .capturedLength ? $0.need - $0.have : 0 } ?? 0
    }

    /// The states of endpoints that a server sends.
    @inline(never)
    private mutating func noteEndpoint(
        _ operation: ATTOperation, _ event: borrowing Event, _ index: Int, in trace: borrowing Trace
    ) {
        let moment = Moment(event)
        let server = operation.server
        event.forEachAttribute(in: trace) { value in
            guard value.access != .write, value.isWhole, let handle = value.handle,
                let state = AudioEndpointState(value, in: trace)
            else { return true }
            connections[index].note(state, server, handle, moment)
            return true
        }
    }

    private mutating func asked(_ operation: ATTOperation, _ event: borrowing Event, _ index: Int) {
        guard isSelected else { return }
        let time = event.time
        let row = exchanges.row(
            operation.rowKey(operation.opcode, event.direction), of: index, limit: Self.rowLimit * scale
        ) { ExchangeRow($0, time) }
        guard let row else {
            operationsLeftOut += 1
            return
        }
        exchanges.rows[row].seen.add(time)
        connections[index].asked[event.frame] = row
    }

    private mutating func answered(
        _ operation: ATTOperation, _ event: borrowing Event, _ index: Int, _ slot: Int, in trace: borrowing Trace
    ) {
        guard let request = operation.request else { return }
        let asked = connections[index].asked.take(request.frame)
        guard isSelected else { return }
        let time = event.time
        guard
            let row = asked
                ?? exchanges.row(
                    operation.rowKey(request.opcode, event.direction.opposite), of: index,
                    limit: Self.rowLimit * scale, { ExchangeRow($0, time) })
        else { return recordBeyondLimit(request, event, slot, in: trace) }
        exchanges.rows[row].seen.add(time)
        guard let roundTrip = request.roundTrip else {
            exchanges.rows[row].untimed += 1
            return
        }
        guard footprint < Self.footprintLimit * scale else {
            return recordBeyondLimit(request, event, slot, in: trace)
        }
        footprint += exchanges.rows[row].record(
            roundTrip, interval: Self.interval(slot, in: trace), isTight: footprint >= Self.tightFootprint * scale)
        // Among equals, the first are kept.
        if slowest[index].count == Self.slowestLimit {
            guard roundTrip > slowest[index][Self.slowestLimit - 1].nanoseconds else { return }
            slowest[index].removeLast()
        }
        let place = slowest[index].firstIndex { $0.nanoseconds < roundTrip } ?? slowest[index].endIndex
        let exchange = SlowExchange(
            key: exchanges.rows[row].key, requestFrame: request.frame, frame: event.frame, time: event.time,
            nanoseconds: roundTrip)
        if slowest[index].isEmpty { slowest[index].reserveCapacity(Self.slowestLimit) }
        slowest[index].insert(exchange, at: place)
    }

    /// A request or an indication ended without its answer.
    private mutating func note(_ end: ExchangeEnd, _ index: Int) {
        guard let row = connections[index].asked.take(end.asked.frame) else { return }
        exchanges.rows[row].count(end)
        // It counts with the one that came too early.
        if case .overlapped(let next) = end.outcome, let row = connections[index].asked[next.frame] {
            exchanges.rows[row].overlapping += 1
        }
    }

    private mutating func measure(
        _ value: Int, _ operation: ATTOperation, _ event: borrowing Event, _ index: Int, _ slot: Int,
        in trace: borrowing Trace
    ) {
        let time = event.time.nanoseconds(since: trace.start ?? event.time)
        let place = Place(index: index, time: time, moment: Moment(event))
        if isWithin, connections[index][event.direction].record(value, at: time, run: run) {
            connections[index][event.direction].conditions = Self.conditions(
                slot, operation.bearer, event.direction, in: trace)
        }
        guard isSelected else { return }
        let octets = Octets(value, operation, event)
        if operation.hasSeveralValues {
            measureEach(octets, operation, event, place, in: trace)
        } else {
            measure(octets, operation.rowKey(operation.opcode, event.direction), place)
        }
    }

    private struct Place {
        let index: Int
        /// Nanoseconds from the first record.
        let time: Int64
        let moment: Moment
    }

    private mutating func measure(_ octets: Octets, _ key: RowKey, _ place: Place) {
        guard footprint < Self.footprintLimit * scale,
            let row = values.row(
                key, of: place.index, limit: Self.rowLimit * scale, { ValueRow($0, place.moment) })
        else {
            operationsLeftOut += 1
            let run = run(of: connections[place.index].number)
            return others.record(octets, key, place.moment, at: place.time, run: run)
        }
        footprint += values.rows[row].record(
            octets, place.moment, at: place.time, run: run, isTight: footprint >= Self.tightFootprint * scale)
    }

    // MARK: Beyond the limits

    /// The run of the clock and one connection: others are measured together, and nothing from one to the next.
    private func run(of connection: Int) -> Int { run << 32 | connection }

    private static func interval(_ slot: Int, in trace: borrowing Trace) -> Int64 {
        Int64(trace.connections[slot].parameters?.usedIntervalMicroseconds ?? 0) * 1_000
    }

    @inline(never)
    private mutating func receiveBeyondLimit(
        _ operation: ATTOperation, _ event: borrowing Event, _ slot: Int, in trace: borrowing Trace
    ) {
        let cut = Self.cut(operation)
        if isWithin { others.note(attOctets: operation.pdu.bytes.count + cut, event.direction) }
        if isSelected, let request = operation.request {
            recordBeyondLimit(request, event, slot, in: trace)
        } else {
            operationsLeftOut += 1
        }
        guard let value = operation.valueOctets, operation.attribute?.role ?? .value == .value else { return }
        let time = event.time.nanoseconds(since: trace.start ?? event.time)
        let run = run(of: trace.connections[slot].number)
        if isWithin { others.note(value: value + cut, event.direction, at: time, run: run) }
        guard isSelected else { return }
        others.record(
            Octets(value + cut, operation, event), operation.rowKey(operation.opcode, event.direction), Moment(event),
            at: time, run: run)
    }

    private mutating func recordBeyondLimit(
        _ request: AnsweredRequest, _ event: borrowing Event, _ slot: Int, in trace: borrowing Trace
    ) {
        operationsLeftOut += 1
        let interval = Self.interval(slot, in: trace)
        others.change(request.opcode, event.direction.opposite, event.time) { row in
            if let roundTrip = request.roundTrip {
                _ = row.record(roundTrip, interval: interval, isTight: true)
            } else {
                row.untimed += 1
            }
        }
    }

    /// Several values of one PDU, each in the row of its attribute. The PDU's and lower layers' overhead counts with the first one, so that
    /// the rows together have the octets of the PDU.
    private mutating func measureEach(
        _ whole: Octets, _ operation: ATTOperation, _ event: borrowing Event, _ place: Place, in trace: borrowing Trace
    ) {
        var (count, octets) = (0, 0)
        event.forEachAttribute(in: trace) { value in
            count += 1
            octets += value.count ?? 0
            return true
        }
        // The length of the value, and its handle if the PDU has it.
        let header = operation.opcode.definition?.kind == .notification ? 4 : 2
        event.forEachAttribute(in: trace) { value in
            var own = Octets(value: value.count ?? 0, l2cap: 0, hci: 0)
            let others = octets - own.value + header * (count - 1)
            let isFirst = value.index == 0
            own.l2cap = isFirst ? whole.l2cap - others : own.value + header
            own.hci = isFirst ? whole.hci - others : own.value + header
            // Octets of the last value that were not captured.
            if value.index == count - 1 { own.value += whole.value - octets }
            guard value.attribute?.role ?? .value == .value else { return true }
            let attribute = value.handle.map { RowAttribute(operation.server, $0, value.attribute) }
            measure(own, RowKey(opcode: operation.opcode, direction: event.direction, attribute: attribute), place)
            return true
        }
    }

    /// The conditions of a link for values in one direction; nil if they are not in the capture.
    private static func conditions(
        _ slot: Int, _ bearer: Bearer.Kind, _ direction: Direction, in trace: borrowing Trace
    ) -> LinkConditions? {
        guard direction != .unknown else { return nil }
        let isTransmitted = direction == .tx
        let connection = trace.connections[slot]
        guard connection.transport == .lowEnergy, let parameters = connection.parameters else { return nil }
        guard let transmit = connection.phy(.tx), let receive = connection.phy(.rx),
            let octets = connection.effectiveOctets(direction),
            let bearer = connection.bearers.first(where: { $0.kind == bearer }), bearer.isMTUKnown
        else { return nil }
        let isCentral = connection.isHeard || connection.isCentral == true
        let frameSpaces =
            connection.frameSpaces.after(central: isCentral, phy: transmit)
            + connection.frameSpaces.after(central: !isCentral, phy: receive)
        return LinkConditions(
            intervalMicroseconds: parameters.usedIntervalMicroseconds,
            eventMicroseconds: parameters.intervalMicroseconds, mtu: bearer.mtu,
            phy: isTransmitted ? transmit : receive,
            reversePHY: isTransmitted ? receive : transmit, dataLength: octets,
            isEncrypted: connection.isEncrypted, frameSpaces: frameSpaces)
    }

    private mutating func noteFirstValue(
        _ operation: ATTOperation, _ kind: ATTOpcode.Definition.Kind?, _ event: borrowing Event, _ index: Int,
        in trace: borrowing Trace
    ) {
        switch kind {
        case .response, .notification, .indication: break
        default: return
        }
        if let service = operation.attribute?.service {
            let uuid = trace.uuids[service]
            // Generic Access and Generic Attribute, which every device has.
            if uuid == .genericAccess || uuid == .genericAttribute { return }
        }
        connections[index].firstValue = Moment(event)
    }
}

extension Octets {
    /// - Parameter value: Octets of the values.
    fileprivate init(_ value: Int, _ operation: ATTOperation, _ event: borrowing Event) {
        self.value = value
        l2cap = operation.l2capOctets
        hci = l2cap + ACLPacket.headerLength * max(1, event.frames.count)
    }
}

extension ATTOperation {
    /// The row of a request or a value, named by an opcode. A search is about no attribute, though it names handles.
    fileprivate func rowKey(_ opcode: ATTOpcode, _ direction: Direction) -> RowKey {
        var row: RowAttribute?
        if let handle, !opcode.takesRange { row = RowAttribute(server, handle, attribute) }
        return RowKey(opcode: opcode, direction: direction, attribute: row)
    }

    /// Octets of attribute values that the PDU moves, as far as they were captured; nil if it moves none. Results of a search do not count.
    package var valueOctets: Int? {
        switch pdu {
        case .readBlobResponse(let pdu): pdu.partAttributeValue.count
        case .readMultipleResponse(let pdu): pdu.setOfValues.count
        case .prepareWriteRequest(let pdu): pdu.partAttributeValue.count
        case .readMultipleVariableResponse(let pdu): Self.octets(of: pdu.tuples)
        case .multipleHandleValueNotification(let pdu): Self.octets(of: pdu.tuples)
        default: pdu.attributeValue?.count
        }
    }

    private static func octets(of tuples: HandleLengthValueTuples) -> Int {
        var tuples = tuples
        var octets = 0
        while let value = tuples.next() { octets += value.count }
        return octets
    }

    private static func octets(of tuples: LengthValueTuples) -> Int {
        var tuples = tuples
        var octets = 0
        while let value = tuples.next() { octets += value.count }
        return octets
    }
}
