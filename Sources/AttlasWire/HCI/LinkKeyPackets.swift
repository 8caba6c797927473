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

/// Link keys that a BR/EDR controller stores: of HCI_Write_Stored_Link_Key and HCI_Return_Link_Keys. Core Specification, Vol 4, Part E,
/// 7.3.9 and 7.7.21.
///
/// ```
/// | Num_Keys | BD_ADDR[i] (6) | Link_Key[i] (16) | …
/// ```
package struct StoredLinkKeys: ~Escapable, Copyable {
    private static let stride = 22

    private let bytes: Bytes
    /// Those that are whole.
    package let count: Int

    /// nil if it is another command or incomplete.
    @_lifetime(copy command)
    package init?(_ command: HCICommand) {
        guard command.opcode == .writeStoredLinkKey else { return nil }
        self.init(command.parameters)
    }

    /// nil if it is another event or incomplete.
    @_lifetime(copy event)
    package init?(_ event: HCIEvent) {
        guard event.code == .returnLinkKeys else { return nil }
        self.init(event.parameters)
    }

    @_lifetime(copy bytes)
    private init?(_ bytes: Bytes) {
        guard !bytes.isEmpty else { return nil }
        self.bytes = bytes
        count = min(Int(bytes[0]), (bytes.count - 1) / Self.stride)
    }

    /// BD_ADDR, a public address, and Link_Key, little-endian; `index` is below `count`.
    package subscript(index: Int) -> (address: BluetoothAddress, linkKey: UInt128) {
        let start = 1 + index * Self.stride
        return (BluetoothAddress(bytes.uint48(at: start), isRandom: false), bytes.uint128(at: start + 6))
    }
}

/// HCI_LE_Long_Term_Key_Request. Core Specification, Vol 4, Part E, 7.7.65.5.
///
/// ```
/// | Subevent (0x05) | Connection_Handle (2) | Random_Number (8) | Encrypted_Diversifier (2) |
/// ```
package struct LELongTermKeyRequestEvent: ~Escapable, Copyable {
    private let bytes: Bytes

    /// nil if it is another event or incomplete.
    @_lifetime(copy event)
    package init?(_ event: HCIEvent) {
        guard event.leSubevent == .longTermKeyRequest, event.parameters.count >= 13 else { return nil }
        bytes = event.parameters
    }

    /// Connection_Handle, 0x0000 to 0x0EFF.
    package var connectionHandle: ConnectionHandle { bytes.uint16(at: 1) & 0x0FFF }
    /// Whether Random_Number and Encrypted_Diversifier are 0: those of a Short Term Key, and of a key from LE Secure Connections. Vol 3,
    /// Part H, 2.4.4.
    package var isUnnamed: Bool { bytes.uint64(at: 3) == 0 && bytes.uint16(at: 11) == 0 }
}
