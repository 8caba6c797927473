/// A link key of BR/EDR and its device: of HCI_Link_Key_Request_Reply and HCI_Link_Key_Notification. Core Specification, Vol 4, Part E,
/// 7.1.10 and 7.7.24.
///
/// ```
/// | BD_ADDR (6) | Link_Key (16) | Key_Type, of the event only |
/// ```
package struct LinkKeyParameters: ~Escapable, Copyable {
    private let bytes: Bytes

    /// nil if it is another command or incomplete.
    @_lifetime(copy command)
    package init?(_ command: HCICommand) {
        guard command.opcode == .linkKeyRequestReply, command.parameters.count >= 22 else { return nil }
        bytes = command.parameters
    }

    /// nil if it is another event or incomplete.
    @_lifetime(copy event)
    package init?(_ event: HCIEvent) {
        guard event.code == .linkKeyNotification, event.parameters.count >= 23 else { return nil }
        bytes = event.parameters
    }

    /// BD_ADDR: a public address.
    package var address: BluetoothAddress { BluetoothAddress(bytes.uint48(at: 0), isRandom: false) }
    /// Link_Key, little-endian.
    package var linkKey: UInt128 { bytes.uint128(at: 6) }
}
