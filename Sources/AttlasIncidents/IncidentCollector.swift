import AttlasCapture
import AttlasTrace
import AttlasValues
import AttlasWire

/// A sink that collects incidents: events that broke, slowed down or stopped a conversation.
///
/// It asks the trace for waiting requests and for parameters in force, and so does next to nothing for a PDU that is in order. Its memory
/// is bounded: connections as the trace keeps them, each with the limits of `LinkState`, and `deviceLimit` devices.
public struct IncidentCollector: DocumentCollector {
    var values: ValueInterpreter
    var list = IncidentList()
    /// By the trace's index of the connection.
    var links: [LinkState] = []
    var devices = DeviceStates()
    var controllers: [ControllerState] = []
    private var lastMoment: Moment?
    /// Conditions that the log meets so far.
    private var met: CaptureConditions = []
    private var platform: Platform?
    /// Connections captured from the air of which no packet was heard.
    var unheard = 0
    /// The last failure of a pairing over BR/EDR.
    var classicFailure: (peer: BluetoothAddress?, moment: Moment)?
    /// HCI_Reset during a conversation, until the host's next commands show what it is for.
    var resetting: (controller: UInt16, incident: Incident)?
    /// Devices that bonded with a private address and without an Identity Resolving Key.
    var unidentified: [(name: String, address: BluetoothAddress, frame: Int)] = []
    /// The last bonding that was encrypted.
    var lastBonding: (peer: BluetoothAddress, moment: Moment)?
    /// How many incidents were found so far; never less than before.
    package private(set) var found = 0
    private var last: (kind: Incident.Kind, weight: Incident.Weight)?
    /// Whether something broke so far.
    package private(set) var hasBroken = false
    /// News that were not taken yet.
    private var new: [News] = []
    private var isFollowed: Bool

    /// An incident that happened, or happened again.
    public struct News: Sendable {
        package let kind: Incident.Kind
        package let weight: Incident.Weight
        /// The record where it became true.
        package let frame: Int
        /// The incident as known then; nil for one that happens again on the same connection.
        package let incident: Incident?
    }

    static let controllerLimit = 64

    /// - Parameters:
    ///   - values: of the `Interpreted` that hands on the events.
    ///   - isFollowed: whether `takeNew` is called after each event.
    package init(values: ValueInterpreter, isFollowed: Bool = false) {
        self.values = values
        self.isFollowed = isFollowed
    }

    public var wantsPackets: Bool { false }
    public var wantsControl: Bool { true }
    public var wantsCompletedPackets: Bool { false }

    /// From the next event on, values are read with this.
    package mutating func use(_ values: ValueInterpreter) { self.values = values }

    public mutating func receive(_ event: borrowing Event, in trace: borrowing Trace) {
        guard case .att(let operation) = event.detail else { return receiveOther(event, in: trace) }
        guard let slot = event.connection, slot < links.count else { return }
        if links[slot].procedures.mayHaveOutcome(operation) { readOutcomes(operation, slot, event, in: trace) }
        guard links[slot].note(operation, event) else { return }
        follow(operation, slot, event, in: trace)
        links[slot].noteLast(operation, event)
    }

    /// Kept apart: most events of a conversation are ATT PDUs.
    @inline(never)
    private mutating func receiveOther(_ event: borrowing Event, in trace: borrowing Trace) {
        switch event.detail {
        case .connection(let change): follow(change, event, in: trace)
        case .advertising(let report):
            devices.note(report, event)
            guard devices.isWatching else { break }
            devices.hear(report, event)
            if let slot = devices.connection(advertisedBy: report), slot < links.count, links[slot].isOpen {
                links[slot].noteAdvertising(Moment(event))
            }
        case .hciEvent(let hci):
            met.insert([.hciEvents, .linkEvents])
            follow(hci, event, in: trace)
        case .command(let command):
            platform = platform ?? Platform(command.opcode)
            follow(command, event, in: trace)
        case .monitor(_, let note): platform = platform ?? Platform(note: note)
        case .signal(let signal): if let slot = live(event) { follow(signal, slot, event, in: trace) }
        case .smp(let pdu): if let slot = live(event) { follow(pdu, slot, event, in: trace) }
        case .subscription(let subscription): if let slot = live(event) { follow(subscription, slot, event, in: trace) }
        case .loss(let records): noteLoss(Int(records), event, in: trace)
        case .missed: if let slot = live(event) { links[slot].hasMissed = true }
        case .clockStep(let step): noteClockStep(step, event, in: trace)
        case .fault:
            if let slot = live(event) {
                links[slot].hasFault = true
            } else if event.connection == nil, let place = place(ofController: event.controller) {
                controllers[place].lose(event.frame)
            }
        case .updateUnanswered(let request, let age):
            if let slot = live(event) { note(unanswered: request, age, slot, in: trace) }
        case .exchange(let end): if let slot = live(event) { links[slot].note(end, event.frame) }
        case .mtu: if let slot = live(event) { links[slot].noteExchange(event) }
        case .sdu(let sdu): if let slot = live(event) { follow(sdu, slot, event, in: trace) }
        case .stream(let change): if let slot = live(event) { follow(change, slot, event, in: trace) }
        case .assembled(let value):
            guard let slot = live(event) else { break }
            noteEndpoints(slot, event, in: trace)
            settle(value, slot, event.frame, in: trace)
        case .identified(let identification):
            if let former = identification.privateAddress, let identity = trace.peerAddress(identification.peer) {
                devices.rename(former, to: identity)
            }
        case .limit, .data, .packetLogger, .periodic, .air, .l2cap, .att, .importedTable: break
        }
        lastMoment = Moment(event)
    }

    var closings = IncidentsModel.Closings()
    /// Whether lost connections and updates that do not come would appear.
    var seesEvents: Bool { met.contains(.hciEvents) }

    /// A connection from the air was seen.
    mutating func noteAir() { met.insert(.linkEvents) }

    /// The index of the connection that is followed.
    func live(_ event: borrowing Event) -> Int? {
        guard let slot = event.connection, slot < links.count, links[slot].isOpen else { return nil }
        return slot
    }

    /// The same as part of another conversation with the same past.
    ///
    /// - Parameter values: of the `Interpreted` that hands on the events.
    package func goingOn(_ values: ValueInterpreter) -> IncidentCollector {
        var other = self
        other.values = values
        other.isFollowed = false
        other.new = []
        return other
    }

    public mutating func finish(in trace: borrowing Trace, _ integrity: CaptureIntegrity) -> IncidentsModel {
        end(in: trace, integrity)
        return model(in: trace, integrity)
    }

    /// Those that were found so far.
    package func model(in trace: borrowing Trace, _ integrity: CaptureIntegrity) -> IncidentsModel {
        var settled = self
        for slot in links.indices {
            for incident in links[slot].open { settled.settle(incident, slot, in: trace) { _ in } }
        }
        return IncidentsModel(
            settled.list, closings, met.union(CaptureConditions(of: trace)), platform, unheard: unheard,
            UUIDNames(trace, values.library), integrity,
            in: trace)
    }

    /// The latest incident, if there were fewer before it and the log can show it.
    ///
    /// - Parameter count: `found` before it.
    package func latest(
        after count: Int, in trace: borrowing Trace
    ) -> (kind: Incident.Kind, weight: Incident.Weight)? {
        guard found > count, let last, CaptureConditions(of: trace).allow(last.kind.requires) else { return nil }
        return last
    }

    /// The incidents since the last time, as far as the log can show them.
    package mutating func takeNew(in trace: borrowing Trace) -> [News] {
        guard !new.isEmpty else { return [] }
        defer { new = [] }
        let met = CaptureConditions(of: trace)
        return new.filter { met.allow($0.kind.requires) }
    }

    /// Settles the incidents that depend on the end of the capture.
    mutating func end(in trace: borrowing Trace, _ integrity: CaptureIntegrity) {
        guard var moment = lastMoment else { return }
        for link in links where link.lastFrame > moment.frame { moment = link.last }
        if let time = integrity.extent.last {
            moment = Moment(frame: max(moment.frame, integrity.extent.records), time: time)
        }
        for slot in links.indices where links[slot].isOpen { close(slot, nil, moment, in: trace) }
        closeAttempts(moment, in: trace)
        closeDevices(moment, in: trace)
        closeControllers(moment, in: trace)
        list.joinLosses(in: trace)
        noteIntegrity(integrity, moment)
    }

    // MARK: Incidents

    /// The place of an incident on a connection.
    func place(
        _ slot: Int, server: ServerSide? = nil, _ handle: AttributeHandle? = nil, _ attribute: AttributeInfo? = nil,
        in trace: borrowing Trace
    ) -> Incident.Place {
        var place = Incident.Place()
        place.connection = trace.connections[slot].number
        place.peer = trace.peerAddress(trace.connections[slot].peer)
        place.server = server
        place.handle = handle
        place.attribute = attribute.map { AttributeUUIDs($0, in: trace) }
        return place
    }

    /// Reports an incident that nothing can be added to.
    mutating func report(_ incident: Incident) {
        news(incident)
        list.add(incident)
    }

    /// Reports an incident that later events of the connection may add to.
    mutating func open(_ incident: consuming Incident, _ slot: Int, in trace: borrowing Trace) {
        if isFollowed { describe(&incident, slot, in: trace) }
        news(incident)
        guard links[slot].open.count < LinkState.openLimit else { return settle(incident, slot, in: trace) { _ in } }
        links[slot].open.append(incident)
        links[slot].isAlert = true
    }

    /// Enters a finished incident. If it equals an earlier one, only its frames are kept, and its texts need not be made.
    ///
    /// - Parameter complete: adds the last events.
    mutating func settle(
        _ incident: consuming Incident, _ slot: Int, in trace: borrowing Trace, _ complete: (inout Incident) -> Void
    ) {
        if list.isFirst(incident) { describe(&incident, slot, in: trace) }
        complete(&incident)
        list.add(incident)
    }

    /// Something was refused before and is accepted now: those incidents of the connection are no longer broken.
    ///
    /// - Parameters:
    ///   - step: what happened, for their last step.
    ///   - weight: what they have now.
    mutating func acceptLater(
        _ slot: Int, _ frame: Int, _ step: String, as weight: Incident.Weight = .hindered, in trace: borrowing Trace,
        where isIt: (Incident) -> Bool
    ) {
        while let index = links[slot].open.lastIndex(where: isIt) {
            var incident = links[slot].open.remove(at: index)
            incident.weight = weight
            settle(incident, slot, in: trace) {
                $0.add(frame, step)
                $0.title += ", accepted later"
            }
        }
    }

    /// Counts an incident like an earlier one, of which no texts need to be made.
    ///
    /// - Returns: false if there is none, or if each is shown when it happens.
    mutating func repeats(
        _ kind: Incident.Kind, _ weight: Incident.Weight, _ moment: Moment, _ place: Incident.Place, detail: Int = 0
    ) -> Bool {
        guard !isFollowed, list.count(kind, weight, moment, place, detail: detail) else { return false }
        news(kind, weight, moment.frame)
        return true
    }

    private mutating func news(_ incident: Incident) {
        news(incident.kind, incident.weight, incident.frame, isFollowed ? incident : nil)
        if incident.weight == .broke { hasBroken = true }
    }

    mutating func news(
        _ kind: Incident.Kind, _ weight: Incident.Weight, _ frame: Int, _ incident: Incident? = nil
    ) {
        found += 1
        last = (kind, weight)
        if isFollowed { new.append(News(kind: kind, weight: weight, frame: frame, incident: incident)) }
    }

    /// Whether something of the connection is missing from the capture, or the clock jumped.
    func hasGap(_ slot: Int, in trace: borrowing Trace) -> Bool {
        trace.losses.count(of: trace.connections[slot].controller) != links[slot].losses
            || trace.clockSteps != links[slot].clockSteps || links[slot].hasMissed
    }

    // MARK: Words

    /// `the host`, `the peer`; on the air `the central`, `the peripheral`.
    func party(_ sender: Direction, _ slot: Int, in trace: borrowing Trace) -> String {
        let isHeard = trace.connections[slot].isHeard
        switch sender {
        case .tx: return isHeard ? "the central" : "the host"
        case .rx: return isHeard ? "the peripheral" : "the peer"
        case .unknown: return "one side"
        }
    }

    /// `Heart Rate Measurement`, `the configuration of Heart Rate Measurement`, `handle 0x0010`
    mutating func name(
        _ handle: AttributeHandle?, _ attribute: AttributeInfo?, in trace: borrowing Trace
    ) -> String? {
        guard let attribute else { return handle.map { "handle 0x\(hexadecimal($0))" } }
        guard let characteristic = attribute.characteristic else {
            return values.name(attribute.type, .characteristic, in: trace)
        }
        let owner = values.name(characteristic, .characteristic, in: trace)
        guard attribute.role == .descriptor else { return owner }
        return "\(values.name(attribute.type, .descriptor, in: trace)) of \(owner)"
    }

    /// `Notification of Heart Rate Measurement, 420 ms earlier (frame 49)`; nil when the connection had no ATT, or when an app's log ends
    /// with a description of a handle, which attlas made.
    mutating func lastOperation(_ slot: Int, before moment: Moment, in trace: borrowing Trace) -> String? {
        let link = links[slot]
        guard link.lastOpcode.rawValue != 0, !trace.isOfApp || link.lastOpcode != .findInformationResponse else {
            return nil
        }
        let handle = link.lastHandle == 0 ? nil : link.lastHandle
        let attribute = handle.flatMap {
            trace.attribute($0, server: link.lastServer, connection: slot, at: link.lastFrame)
        }
        let subject = name(handle, attribute, in: trace).map { " of \($0)" } ?? ""
        return "last PDU: \(link.lastOpcode.name)\(subject) by \(party(link.lastDirection, slot, in: trace))"
            + (moment.time.duration(since: link.lastTime).map { ", \(seconds($0)) earlier" } ?? "")
            + " (frame \(link.lastFrame))"
    }
}

extension ATTOpcode {
    /// The specification's name, or the opcode.
    package var name: String {
        definition.map { "\($0.name)" } ?? "PDU of opcode 0x\(hexadecimal(UInt16(rawValue), digits: 2))"
    }
}

extension Incident {
    /// - Parameter detail: distinguishes incidents of one kind and place.
    init(
        _ kind: Kind, _ weight: Weight, _ moment: Moment, _ place: Place, detail: Int = 0, title: String,
        _ what: String, before: String? = nil, _ cause: Cause, next: String
    ) {
        self.kind = kind
        self.weight = weight
        frame = moment.frame
        time = moment.time
        self.place = place
        self.detail = detail
        self.title = title
        self.what = what
        self.before = before
        self.cause = cause
        self.next = next
        moments = [moment]
    }

    /// Without texts: `IncidentCollector.describe` makes them.
    init(_ kind: Kind, _ weight: Weight, _ moment: Moment, _ place: Place, detail: Int, refusal: Refusal) {
        self.init(kind, weight, moment, place, detail: detail, title: "", "", .unknown(""), next: "")
        self.refusal = refusal
    }
}
