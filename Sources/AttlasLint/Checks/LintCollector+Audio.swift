import AttlasCapture
import AttlasIncidents
import AttlasTrace
import AttlasValues
import AttlasWire

/// The state of an Audio Stream Endpoint that its server reported last.
struct EndpointWatch {
    let server: ServerSide
    let handle: AttributeHandle
    var state: AudioEndpointState
    /// The frame in which it was in that state first.
    var frame: Int
    /// Its time; nil if the clock jumped since.
    var time: Timestamp?
    /// The server notifies each change that follows.
    var isFollowed: Bool
    /// LE CIS Established came for it.
    var isEstablished = false

    static let limit = 32
}

/// States of Audio Stream Endpoints. Audio Stream Control Service, 3.
extension LintCollector {
    /// Notified and read values of endpoints.
    mutating func checkEndpoints(
        _ operation: borrowing ATTOperation, _ slot: Int, _ event: borrowing Event, in trace: borrowing Trace
    ) {
        switch operation.opcode {
        case .writeRequest, .writeCommand: return checkConfiguration(operation, slot, event, in: trace)
        case .handleValueNotification, .handleValueIndication, .readResponse:
            guard let attribute = operation.attribute, attribute.role == .value else { return }
            let type = trace.uuids[attribute.type]
            guard type.isAudioEndpoint || type.isAudioCapabilities else { return }
        case .readByTypeResponse, .multipleHandleValueNotification: break
        default: return
        }
        watches[slot].audio.note(event, in: trace)
        let (server, isNotified) = (operation.server, operation.request == nil)
        event.forEachAttribute(in: trace) { value in
            guard value.isWhole, let handle = value.handle, let state = AudioEndpointState(value, in: trace) else {
                return true
            }
            met.insert(.endpoints)
            let isFollowed = isNotified || watches[slot][server].subscriptions[handle] ?? 0 != 0
            let place = place(slot, event.direction, server: server, handle, value.attribute, in: trace)
            note(
                EndpointWatch(
                    server: server, handle: handle, state: state, frame: event.frame, time: event.time,
                    isFollowed: isFollowed),
                isNotified: isNotified, slot, Moment(event), place)
            return true
        }
    }

    private mutating func note(
        _ new: EndpointWatch, isNotified: Bool, _ slot: Int, _ moment: Moment, _ place: LintFinding.Place
    ) {
        guard
            let index = watches[slot].endpoints.firstIndex(where: { $0.handle == new.handle && $0.server == new.server }
            )
        else {
            if watches[slot].endpoints.count < EndpointWatch.limit { watches[slot].endpoints.append(new) }
            return
        }
        let known = watches[slot].endpoints[index]
        guard known.state.rawState != new.state.rawState else {
            watches[slot].endpoints[index].isFollowed = new.isFollowed
            return
        }
        watches[slot].endpoints[index] = new
        if new.state.state != .streaming { checkStart(of: known, moment, place) }
        guard known.isFollowed, isNotified, let before = known.state.state, let after = new.state.state,
            !after.mayFollow(before, isSource: new.state.isSource)
        else { return }
        report(
            .endpointTransition, moment, related: [known.frame], place,
            "\(new.state.words): \(after.name) after \(before.name) (frame \(known.frame)).")
    }

    /// A client configures endpoints.
    private mutating func checkConfiguration(
        _ operation: borrowing ATTOperation, _ slot: Int, _ event: borrowing Event, in trace: borrowing Trace
    ) {
        for conflict in watches[slot].audio.conflicts(of: operation, in: trace) {
            let rule: LintRule
            switch conflict.kind {
            case .codec: rule = .codecNotSupported
            case .quality: rule = .qosNotSupported
            // No rule forbids the request, which the server refuses.
            case .state: continue
            }
            report(rule, of: operation, event, related: conflict.frames, in: trace, conflict.text)
        }
    }

    /// LE CIS Established.
    mutating func note(_ change: StreamChange, _ slot: Int) {
        guard case .established(let stream) = change, case .connected(let group?, let number?) = stream.kind else {
            return
        }
        for index in watches[slot].endpoints.indices
        where watches[slot].endpoints[index].state.group == group
            && watches[slot].endpoints[index].state.stream == number
        {
            watches[slot].endpoints[index].isEstablished = true
        }
    }

    mutating func closeEndpoints(_ slot: Int, _ moment: Moment, in trace: borrowing Trace) {
        for endpoint in watches[slot].endpoints {
            checkStart(
                of: endpoint, moment, place(slot, server: endpoint.server, endpoint.handle, nil, in: trace))
        }
    }

    private static let patience: Int64 = 5_000_000_000

    /// - Parameter moment: of the next state, or of the end.
    private mutating func checkStart(of endpoint: EndpointWatch, _ moment: Moment, _ place: LintFinding.Place) {
        guard endpoint.state.state == .enabling, let began = endpoint.time,
            let duration = moment.time.duration(since: began), duration >= Self.patience
        else { return }
        var place = place
        place.party = nil
        report(
            .endpointNotStreaming, Moment(frame: endpoint.frame, time: began), related: [moment.frame], place,
            "\(endpoint.state.words) stayed in Enabling for \(duration / 1_000_000_000) s"
                + (endpoint.isEstablished ? ", although its CIS was established." : "."))
    }
}
