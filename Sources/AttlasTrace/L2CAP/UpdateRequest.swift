import AttlasCapture
import AttlasWire

/// An L2CAP Connection Parameter Update Request that waits for its response. Core Specification, Vol 3, Part A, 4.20.
public struct UpdateRequest: Sendable {
    /// Direction of the request.
    public let asker: Direction
    /// Record of the request, from 1.
    public let frame: Int
    /// Time of the request.
    public let time: Timestamp
    let identifier: UInt8
    /// The losses of the controller until then.
    let losses: Int

    /// Nanoseconds after which it has failed. Vol 3, Part C, 9.3.9: a peripheral may ask again after 30 s.
    public static let timeout: Int64 = 30_000_000_000
}

extension Trace {
    mutating func followUpdate<Sink: EventSink & ~Copyable>(
        _ parameters: borrowing L2CAPSignalParameters, _ identifier: UInt8, _ slot: Int, _ context: PDUContext,
        into sink: inout Sink
    ) {
        switch parameters {
        case .connectionParameterUpdateRequest:
            settleUpdate(slot, context, into: &sink)
            guard context.side != .unknown else { return }
            connections[slot].updateRequest = UpdateRequest(
                asker: context.side, frame: context.frame, time: context.time, identifier: identifier,
                losses: losses.count(of: connections[slot].controller))
        case .connectionParameterUpdateResponse, .commandReject:
            if connections[slot].updateRequest?.identifier == identifier { connections[slot].updateRequest = nil }
        default: break
        }
    }

    /// Reports a request that has waited for too long; nothing waits afterwards.
    ///
    /// - Parameter end: how long the connection is known to live; nil: until now.
    mutating func settleUpdate<Sink: EventSink & ~Copyable>(
        _ slot: Int, until end: Timestamp? = nil, _ context: PDUContext, into sink: inout Sink
    ) {
        guard let request = connections[slot].updateRequest else { return }
        connections[slot].updateRequest = nil
        guard request.losses == losses.count(of: connections[slot].controller),
            let age = (end ?? context.time).duration(since: request.time), age >= UpdateRequest.timeout
        else { return }
        emit(context, slot, .updateUnanswered(request, age), into: &sink)
    }
}
