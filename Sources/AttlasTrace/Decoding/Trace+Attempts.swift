import AttlasCapture
import AttlasWire

/// Connections that a host tries to make, and those that it does not get.
extension Trace {
    mutating func begin(_ transport: Connection.Transport, with address: BluetoothAddress?, _ context: PDUContext) {
        controllers[controllerIndex(context.controller)].attempts[transport] = ConnectionAttempt(
            address: address, frame: context.frame, begun: context.time)
    }

    mutating func forgetAttempt(_ transport: Connection.Transport, _ context: PDUContext) {
        controllers[controllerIndex(context.controller)].attempts[transport] = nil
    }

    /// - Parameter address: The address in the event. Many controllers leave it 0 when there is no connection.
    mutating func fail<Sink: EventSink & ~Copyable>(
        _ transport: Connection.Transport, _ status: HCIErrorCode, _ address: BluetoothAddress?,
        _ context: PDUContext, into sink: inout Sink
    ) {
        let index = controllerIndex(context.controller)
        let named = address.flatMap { $0.value == 0 ? nil : $0 }
        var attempt = controllers[index].attempts[transport]
        if let named, let tried = attempt?.address, tried.value != named.value { attempt = nil }
        if attempt != nil { controllers[index].attempts[transport] = nil }
        let failed = FailedAttempt(
            status: status, address: named ?? attempt?.address,
            duration: attempt.flatMap { context.time.duration(since: $0.begun) }, reported: context.reported)
        emit(context, nil, .connection(.failed(failed)), into: &sink)
    }
}

/// The parameters of a host's last command to connect. Core Specification, Vol 4, Part E, 7.1.5, 7.8.12 and 7.8.66.
public struct ConnectionAttempt: Sendable {
    /// nil for any device of the Filter Accept List.
    public let address: BluetoothAddress?
    /// Record of the command, from 1.
    public let frame: Int
    /// Time of the command.
    public let begun: Timestamp
}

extension HCIOpcode {
    /// The kind of connection that the command requests.
    package var attempted: Connection.Transport? {
        switch self {
        case .createConnection: .classic
        case .leCreateConnection, .leExtendedCreateConnection, .leExtendedCreateConnectionV2: .lowEnergy
        default: nil
        }
    }
}
