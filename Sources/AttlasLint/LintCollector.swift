import AttlasCapture
import AttlasIncidents
import AttlasTrace
import AttlasValues
import AttlasWire

/// A sink that checks a conversation against the rules.
///
/// Its memory is bounded: connections as the trace keeps them, and in each a fixed number of bearers, subscriptions and findings.
///
/// `follow` calls the checks, and `close` those that the end of a connection decides. The memory of a check is bounded, in
/// `ConnectionWatch` or `PeerWatch`.
public struct LintCollector: DocumentCollector {
    package private(set) var findings = LintFindings()
    var values: ValueInterpreter
    private let disabled: Set<String>
    /// By the trace's index of the connection. Not optional, because changing an optional copies its value out and in.
    var watches: [ConnectionWatch] = []
    private var disruptions: [DisruptionCount] = []
    var peers = PeerWatch()
    var controllers: [UInt16: ControllerWatch] = [:]
    var streams = StreamWatch()
    /// Controllers that report changes of the data length.
    private(set) var reportsDataLength: Set<UInt16> = []
    /// Conditions that the capture meets so far.
    var met: CaptureConditions = []
    /// Something of a connection that was followed is not in the capture.
    private var hasGap = false
    private var lossCount = 0
    /// When a loss, an unreadable packet of the controller or a jump of the clock was noticed last: anything that began earlier cannot be timed.
    var lastGap: Timestamp?
    /// The host wrote notes of PacketLogger: it is an Apple device.
    private(set) var isAppleHost = false
    private var lastTime: Timestamp?
    private var lastFrame = 0

    /// - Parameters:
    ///   - values: of the `Interpreted` that hands on the events.
    ///   - disabled: ids of the rules that are not to report.
    package init(values: ValueInterpreter, disabled: Set<String> = []) {
        self.values = values
        self.disabled = disabled
    }

    /// From the next event on, values are read with this.
    package mutating func use(_ values: ValueInterpreter) { self.values = values }

    /// The same state without findings, for a conversation that continues from here.
    ///
    /// - Parameter values: of the `Interpreted` that hands on the events.
    package func goingOn(_ values: ValueInterpreter) -> LintCollector {
        var other = self
        other.values = values
        other.findings = LintFindings()
        return other
    }

    @inlinable public var wantsPackets: Bool { false }
    @inlinable public var wantsControl: Bool { true }

    public mutating func receive(_ event: borrowing Event, in trace: borrowing Trace) {
        follow(event, in: trace)
        judgeValues(event, in: trace)
    }

    private mutating func follow(_ event: borrowing Event, in trace: borrowing Trace) {
        lastTime = event.time
        lastFrame = event.frame
        if lossCount != trace.losses.count { noteLoss(event, in: trace) }
        if let slot = event.connection, slot < watches.count { catchUp(slot, in: trace) }
        switch event.detail {
        case .missed: if let slot = event.connection, slot < watches.count { lose(slot) }
        case .fault: if event.connection == nil { lastGap = event.time }
        case .clockStep:
            peers.forgetTimes()
            lastGap = event.time
            for controller in controllers.keys { controllers[controller]?.scan = nil }
        case .advertising(let report): check(report, event)
        case .connection(let change): follow(change, event, in: trace)
        case .packetLogger: isAppleHost = true
        case .periodic(let report): check(report, event)
        case .data(let packet): check(packet, event, in: trace)
        case .stream(let change): note(change, event, in: trace)
        case .command(let command):
            note(command, event)
            check(command, event, in: trace)
        case .hciEvent(let hci):
            met.insert(.linkEvents)
            check(hci, event, in: trace)
        default: break
        }
        guard let slot = event.connection, slot < watches.count, watches[slot].isOpen else { return }
        watches[slot].lastSign = event.time
        switch event.detail {
        case .fault(let fault): check(fault, slot, event, in: trace)
        case .exchange(let end): check(end, slot, event, in: trace)
        case .updateUnanswered(let request, let age): check(unanswered: request, age, slot, in: trace)
        case .att(let operation):
            if event.direction == .rx { watches[slot].isKeyUnproved = false }
            note(operation, slot, event, in: trace)
            checkExchange(operation, slot, event, in: trace)
            checkDeclarations(operation, slot, event, in: trace)
            checkUUIDs(operation, slot, event, in: trace)
            checkSubscriptions(operation, slot, event, in: trace)
            checkLongRead(operation, slot, event, in: trace)
            checkCaching(operation, slot, event, in: trace)
            checkTransfer(operation, slot, event, in: trace)
            checkSecrecy(operation, slot, event, in: trace)
            checkSecurityError(operation, slot, event)
            checkEndpoints(operation, slot, event, in: trace)
        case .mtu:
            checkLateMTU(slot, event, in: trace)
            watches[slot].noteMTU()
            met.insert(.knownMTU)
        case .subscription(let subscription):
            note(subscription, slot, event)
        case .assembled(let value):
            check(value, slot, event, in: trace)
            noteEndpoints(slot, event, in: trace)
        case .signal(let signal): check(signal, slot, event, in: trace)
        case .smp(let pdu): check(pdu, slot, event, in: trace)
        case .sdu(let sdu): check(sdu, slot, event, in: trace)
        case .stream(let change): watches[slot].audio.note(change, event.frame)
        default: break
        }
    }

    /// Settles the findings that depend on the end of the capture.
    package mutating func end(in trace: borrowing Trace) {
        guard let time = lastTime else { return }
        let moment = Moment(frame: lastFrame, time: time)
        for slot in watches.indices where watches[slot].isOpen {
            catchUp(slot, in: trace)
            close(slot, isEnded: false, moment, in: trace)
        }
        closeAttempts(moment, in: trace)
    }

    public mutating func finish(in trace: borrowing Trace, _ integrity: CaptureIntegrity) -> LintModel {
        end(in: trace)
        return findings(integrity, in: trace)
    }

    /// The findings so far, in a conversation that is not over.
    package func findings(_ integrity: CaptureIntegrity, in trace: borrowing Trace) -> LintModel {
        LintModel(
            findings, UUIDNames(trace, values.library), integrity, met, disabled: disabled, hasGap: hasGap, in: trace)
    }

    /// After a loss, open exchanges may have ended and sequences may have been interrupted.
    private mutating func noteLoss(_ event: borrowing Event, in trace: borrowing Trace) {
        lossCount = trace.losses.count
        lastGap = event.time
        if peers.forgetEnds() { hasGap = true }
        if controllers.values.contains(where: { $0.scanWindow != nil || $0.resolvesAddresses }) { hasGap = true }
        controllers = [:]
        if streams.forget() { hasGap = true }
        if trace.controllers.contains(where: { !$0.attempts.isEmpty }) { hasGap = true }
    }

    private mutating func lose(_ slot: Int) {
        guard watches[slot].isOpen else { return }
        watches[slot].lose()
        hasGap = true
    }

    /// Catches up on losses, and jumps of the clock, since the last event of the connection.
    private mutating func catchUp(_ slot: Int, in trace: borrowing Trace) {
        guard disruptions[slot].losses != trace.losses.count || disruptions[slot].clockSteps != trace.clockSteps
        else { return }
        let (known, now) = (disruptions[slot], DisruptionCount(slot, in: trace))
        disruptions[slot] = now
        if now.ownLosses > known.ownLosses { lose(slot) }
        if now.clockSteps > known.clockSteps { watches[slot].forgetTimes() }
    }

    private mutating func note(_ command: HCICommand, _ event: borrowing Event) {
        guard let mask = LESetEventMaskCommand(command), reportsDataLength.count < 64 else { return }
        if mask.hasDataLengthChange {
            reportsDataLength.insert(event.controller)
            met.insert(.dataLength)
        } else {
            reportsDataLength.remove(event.controller)
        }
    }

    /// Notes the parts of a PDU that rules need.
    private mutating func note(
        _ operation: borrowing ATTOperation, _ slot: Int, _ event: borrowing Event, in trace: borrowing Trace
    ) {
        // One by one: a list is made on the heap, for each PDU.
        met.insert(.pdus)
        if event.direction != .unknown { met.insert(.directions) }
        if operation.attribute?.properties != nil { met.insert(.declared) }
        switch operation.pdu {
        case .errorResponse: met.insert(.errors)
        case .exchangeMTURequest, .exchangeMTUResponse: met.insert(.exchangedMTU)
        case .handleValueIndication: met.insert(.indications)
        case .prepareWriteRequest: met.insert(.preparedWrites)
        case .findInformationResponse, .findByTypeValueResponse, .readByTypeResponse, .readByGroupTypeResponse:
            met.insert(.listed)
            if let type = operation.request?.attributeType, trace.uuids[type] == .databaseHash {
                met.insert(.databaseHash)
            }
        case .readResponse:
            if let type = operation.attribute?.type, trace.uuids[type] == .databaseHash { met.insert(.databaseHash) }
        default: break
        }
        if case .enhanced = operation.bearer { met.insert(.enhancedBearers) }
    }

    // MARK: Connections

    private mutating func follow(
        _ change: ConnectionChange, _ event: borrowing Event, in trace: borrowing Trace
    ) {
        if case .failed(let attempt) = change { check(attempt, event) }
        guard let slot = event.connection else { return }
        switch change {
        case .made, .presumed:
            while watches.count <= slot {
                watches.append(ConnectionWatch())
                disruptions.append(DisruptionCount(slot, in: trace))
            }
            disruptions[slot] = DisruptionCount(slot, in: trace)
            if trace.connections[slot].isHeard { met.insert(.linkEvents) }
            var isMade = false
            if case .made = change { isMade = trace.connections[slot].isWhole || trace.connections[slot].isHeard }
            watches[slot] = ConnectionWatch(isComplete: isMade)
            checkParameters(isChange: false, slot, event, in: trace)
            guard isMade else { break }
            if let own = controllers[event.controller]?.features { noteFeatures(own, isOfPeer: false, slot) }
            if trace.connections[slot].transport == .lowEnergy { met.insert([.whole, .knownMTU]) }
            if let peer = trace.peerAddress(trace.connections[slot].peer), peers.hasConnected(peer) {
                met.insert(.reconnected)
            }
        case .encryption(let enabled, let status):
            if enabled { noteEncryption(slot, event, in: trace) }
            if slot < watches.count { watches[slot].isKeyUnproved = enabled }
            checkKey(status, slot, event, in: trace)
        case .features(let features):
            if slot < watches.count, watches[slot].isOpen, event.direction != .unknown {
                noteFeatures(features, isOfPeer: event.direction == .rx, slot)
            }
        case .rejected(_, let error): checkKey(error, slot, event, in: trace)
        case .ended(let end):
            met.insert(.ended)
            checkEnd(end, slot, event, in: trace)
            close(slot, isEnded: end != .superseded, Moment(event), in: trace)
            if slot < watches.count { watches[slot] = ConnectionWatch() }
        case .parametersUpdated:
            if slot < watches.count, watches[slot].isOpen { checkParameters(isChange: true, slot, event, in: trace) }
        case .dataLengthUpdated:
            if slot < watches.count, watches[slot].isOpen { watches[slot].dataLengthChanged = Moment(event) }
        case .announced, .notReached, .phyUpdated, .channelMapUpdated, .decryption,
            .constantNumbers, .unheard, .failed:
            break
        case .version(let version):
            if slot < watches.count, event.direction == .tx {
                watches[slot].parameters.centralCompany = version.companyIdentifier
            }
        }
    }

    private mutating func close(_ slot: Int, isEnded: Bool, _ moment: Moment, in trace: borrowing Trace) {
        guard slot < watches.count, watches[slot].isOpen else { return }
        if isEnded { closePrepared(slot, moment, in: trace) }
        closeSubscriptions(slot, moment, in: trace)
        closeSecurity(slot, in: trace)
        closeTransfers(slot, moment, in: trace)
        checkScan(slot, moment, in: trace)
        closeDiscovery(slot, moment, in: trace)
        closeRediscovery(slot, in: trace)
        closeServiceChanged(slot, moment, in: trace)
        closeEndpoints(slot, moment, in: trace)
        closePractice(slot, moment, in: trace)
    }

    // MARK: Finding

    /// The place of an operation on a connection.
    func place(
        _ slot: Int, _ direction: Direction = .unknown, server: ServerSide? = nil, _ handle: AttributeHandle? = nil,
        _ attribute: AttributeInfo? = nil, in trace: borrowing Trace
    ) -> LintFinding.Place {
        var place = LintFinding.Place()
        let isHeard = trace.connections[slot].isHeard
        switch direction {
        case .tx: place.party = isHeard ? .central : .host
        case .rx: place.party = isHeard ? .peripheral : .peer
        case .unknown: break
        }
        place.connection = trace.connections[slot].number
        place.peer = trace.peerAddress(trace.connections[slot].peer)
        place.server = server
        place.handle = handle
        place.attribute = attribute.map { AttributeUUIDs($0, in: trace) }
        return place
    }

    func place(
        of operation: borrowing ATTOperation, _ slot: Int, _ event: borrowing Event, in trace: borrowing Trace
    ) -> LintFinding.Place {
        place(
            slot, event.direction, server: operation.server, operation.handle, operation.attribute, in: trace)
    }

    /// Reports a finding about an operation.
    mutating func report(
        _ rule: LintRule, of operation: borrowing ATTOperation, _ event: borrowing Event, related: [Int] = [],
        in trace: borrowing Trace, _ sentence: @autoclosure () -> String
    ) {
        guard let slot = event.connection else { return }
        report(rule, Moment(event), related: related, place(of: operation, slot, event, in: trace), sentence())
    }

    mutating func report(
        _ rule: LintRule, _ moment: Moment, related: [Int] = [], _ place: LintFinding.Place, field: Int = 0,
        _ sentence: @autoclosure () -> String
    ) {
        guard !disabled.contains(rule.id) else { return }
        findings.add(rule, moment, related: related, place, field: field, sentence)
    }
}
