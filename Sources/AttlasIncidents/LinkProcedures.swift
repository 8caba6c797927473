import AttlasTrace
import AttlasWire

/// Procedures of the link layer that this host began with a command of HCI, on one connection. Bounded by the commands that have one.
struct LinkProcedures {
    struct Procedure {
        let kind: LinkLayerProcedure
        let began: Moment
        /// Command Status came with success.
        var isAccepted = false
        /// Where its event came; nil while it runs.
        var ended: Moment?
        var status = HCIErrorCode.success
    }

    /// The last one of each command.
    private(set) var last: [Procedure] = []
    /// The last one that failed without a command of this host.
    private(set) var foreign: (kind: LinkLayerProcedure, status: HCIErrorCode, moment: Moment)?

    mutating func begin(_ kind: LinkLayerProcedure, _ moment: Moment) {
        last.removeAll { $0.kind.command == kind.command }
        last.append(Procedure(kind: kind, began: moment))
    }

    /// Command Status, which has no Connection_Handle.
    ///
    /// - Returns: whether it belongs to a procedure of this connection.
    mutating func answer(_ command: HCIOpcode, _ status: HCIErrorCode) -> Bool {
        guard let index = last.firstIndex(where: { $0.kind.command == command && !$0.isAccepted && $0.ended == nil })
        else {
            return false
        }
        if status.isSuccess { last[index].isAccepted = true } else { last.remove(at: index) }
        return true
    }

    /// The first event after the command ends the procedure. Without a command the peer or the controller began it.
    mutating func end(_ command: HCIOpcode, _ status: HCIErrorCode, _ moment: Moment) {
        guard let index = last.firstIndex(where: { $0.kind.command == command && $0.ended == nil }) else {
            if !status.isSuccess, let kind = LinkLayerProcedure(command) { foreign = (kind, status, moment) }
            return
        }
        last[index].ended = moment
        last[index].status = status
    }

    /// Accepted and not ended, the first begun first.
    var running: [Procedure] { last.filter { $0.isAccepted && $0.ended == nil } }

    /// Ended with this status.
    func ended(with status: HCIErrorCode) -> Procedure? { last.last { $0.ended != nil && $0.status == status } }
}

/// A procedure of the link layer that a host begins with a command.
struct LinkLayerProcedure {
    let command: HCIOpcode
    /// Name of the command.
    let name: String
    /// The PDU by which the link layer begins it. Core Specification, Vol 6, Part B, 2.4.2.
    let request: String

    /// Advice about a device that does not answer it: encryption cannot be left out.
    var advice: String {
        command == .leEnableEncryption
            ? "Update the firmware of the device." : "Update the firmware of the device, or do not use \(name) with it."
    }

    /// nil for a command that begins none.
    init?(_ command: HCIOpcode) {
        self.command = command
        switch command {
        case .readRemoteVersionInformation: (name, request) = ("Read Remote Version Information", "LL_VERSION_IND")
        case .leConnectionUpdate:
            (name, request) = ("LE Connection Update", "LL_CONNECTION_UPDATE_IND or LL_CONNECTION_PARAM_REQ")
        case .leReadRemoteFeatures: (name, request) = ("LE Read Remote Features", "LL_FEATURE_REQ")
        case .leEnableEncryption: (name, request) = ("LE Enable Encryption", "LL_ENC_REQ")
        case .leSetPHY: (name, request) = ("LE Set PHY", "LL_PHY_REQ")
        default: return nil
        }
    }
}
