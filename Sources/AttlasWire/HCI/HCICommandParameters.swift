/// The parameters of one HCI command. Core Specification, Vol 4, Part E, 7.1–7.8.
///
/// Only those that change the state of a trace have a view; this is the dispatch to it. Definitions show the others.
public enum HCICommandParameters: ~Escapable, Copyable {
    case disconnect(DisconnectCommand)
    case leAddDeviceToResolvingList(LEAddDeviceToResolvingListCommand)
    /// Every other command, with its parameters.
    case other(Bytes)

    /// Reads the parameters that attlas uses. Throws if they are incomplete.
    @_lifetime(copy command)
    public init(_ command: HCICommand) throws(WireError) {
        let parameters = command.parameters
        switch command.opcode {
        case .disconnect: self = .disconnect(try DisconnectCommand(parameters))
        case .leAddDeviceToResolvingList:
            self = .leAddDeviceToResolvingList(try LEAddDeviceToResolvingListCommand(parameters))
        default: self = .other(parameters)
        }
    }
}
