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
    /// The server notifies each change that follows.
    var isFollowed: Bool

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
        noteEndpoints(slot, event, in: trace)
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
                    server: server, handle: handle, state: state, frame: event.frame, isFollowed: isFollowed),
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
        guard known.isFollowed, isNotified, let before = known.state.state, let after = new.state.state,
            !after.mayFollow(before, isSource: new.state.isSource)
        else { return }
        report(
            .endpointTransition, moment, related: [known.frame], place,
            "\(new.state.words): \(after.name) after \(before.name) (frame \(known.frame)).")
    }

    /// Values of endpoints and of PACs.
    mutating func noteEndpoints(_ slot: Int, _ event: borrowing Event, in trace: borrowing Trace) {
        for endpoint in watches[slot].audio.note(event, in: trace) {
            checkStart(of: endpoint, slot, Moment(event), in: trace)
        }
    }

    /// A client configures endpoints.
    private mutating func checkConfiguration(
        _ operation: borrowing ATTOperation, _ slot: Int, _ event: borrowing Event, in trace: borrowing Trace
    ) {
        watches[slot].audio.noteReady(operation, event.frame, in: trace)
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

    mutating func closeEndpoints(_ slot: Int, _ moment: Moment, in trace: borrowing Trace) {
        for endpoint in watches[slot].audio.enabled { checkStart(of: endpoint, slot, moment, in: trace) }
    }

    /// - Parameter moment: of the next state, or of the end.
    private mutating func checkStart(
        of endpoint: AudioServers.Enabled, _ slot: Int, _ moment: Moment, in trace: borrowing Trace
    ) {
        guard let delay = endpoint.delay(until: moment.time) else { return }
        report(
            .endpointNotStreaming, Moment(frame: endpoint.frame, time: endpoint.time), related: [moment.frame],
            place(
                slot, server: endpoint.server, endpoint.handle,
                trace.attribute(endpoint.handle, server: endpoint.server, connection: slot), in: trace),
            "\(endpoint.state.words) stayed in Enabling for \(delay / 1_000_000_000) s"
                + (endpoint.established == nil ? "." : ", although its CIS was established."))
    }
}
