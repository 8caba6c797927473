/// HCI_Disconnect. Core Specification, Vol 4, Part E, 7.1.6.
///
/// ```
///  0                 2
/// +--------+--------+--------+
/// |Connection_Handle| Reason |
/// +--------+--------+--------+
/// ```
public struct DisconnectCommand: ~Escapable, Copyable {
    let bytes: Bytes

    @_lifetime(copy bytes)
    init(_ bytes: Bytes) throws(WireError) {
        try bytes.requireParameters(3, "Disconnect incomplete")
        self.bytes = bytes
    }

    /// Connection_Handle, 0x0000 to 0x0EFF.
    public var connectionHandle: ConnectionHandle { bytes.uint16(at: 0) & 0x0FFF }
    /// Reason that the peer is to receive.
    public var reason: HCIErrorCode { HCIErrorCode(rawValue: bytes[2]) }
}

/// HCI_Create_Connection. Core Specification, Vol 4, Part E, 7.1.5.
package struct CreateConnectionCommand: ~Escapable, Copyable {
    let bytes: Bytes

    /// nil if it is another command or ends within BD_ADDR.
    @_lifetime(copy command)
    package init?(_ command: HCICommand) {
        guard command.opcode == .createConnection, command.parameters.count >= 6 else { return nil }
        bytes = command.parameters
    }

    /// BD_ADDR of the device to connect to.
    package var peerAddress: BluetoothAddress { BluetoothAddress(bytes.uint48(at: 0), isRandom: false) }
}

/// HCI_LE_Create_Connection, and HCI_LE_Extended_Create_Connection in versions 1 and 2. Core Specification, Vol 4, Part E, 7.8.12 and
/// 7.8.66. They begin with:
///
/// ```
///  not in version 1: LE_Scan_Interval (2) and LE_Scan_Window (2), or Advertising_Handle and Subevent
/// +-------------------------+------------------+-------------------+------------------+
/// | Initiator_Filter_Policy | Own_Address_Type | Peer_Address_Type | Peer_Address (6) |
/// +-------------------------+------------------+-------------------+------------------+
///  HCI_LE_Create_Connection has Own_Address_Type after Peer_Address, then the connection parameters
/// ```
package struct LECreateConnectionCommand: ~Escapable, Copyable {
    let bytes: Bytes
    private let policy: Int
    private let ownType: Int
    private let peer: Int

    /// nil if it is another command or ends before Own_Address_Type or within Peer_Address.
    @_lifetime(copy command)
    package init?(_ command: HCICommand) {
        switch command.opcode {
        case .leCreateConnection: (policy, ownType, peer) = (4, 12, 5)
        case .leExtendedCreateConnection: (policy, ownType, peer) = (0, 1, 2)
        case .leExtendedCreateConnectionV2: (policy, ownType, peer) = (2, 3, 4)
        default: return nil
        }
        bytes = command.parameters
        guard bytes.count >= max(peer + 7, ownType + 1) else { return nil }
    }

    /// Initiator_Filter_Policy: 0x00 connects to Peer_Address.
    package var initiatorFilterPolicy: UInt8 { bytes[policy] }
    /// Own_Address_Type: 0x00 public, 0x01 random, 0x02 and 0x03 resolvable private addresses of the controller.
    package var ownAddressType: UInt8 { bytes[ownType] }
    /// Peer_Address; nil if the Filter Accept List names the devices.
    package var peerAddress: BluetoothAddress? {
        initiatorFilterPolicy == 0x00 ? bytes.address(at: peer + 1, type: bytes[peer]) : nil
    }
    /// nil for the extended command, which has them for each PHY, and if they are incomplete.
    package var connectionParameters: LEConnectionParameterRange? {
        policy == 4 ? LEConnectionParameterRange(bytes, at: 13, least: 25) : nil
    }
}

/// The commands about one connection that attlas reads. They begin with Connection_Handle. Core Specification, Vol 4, Part E, 7.1.23,
/// 7.8.18, 7.8.21, 7.8.24 to 7.8.26 and 7.8.49.
package struct LinkCommand: ~Escapable, Copyable {
    let bytes: Bytes
    private let opcode: HCIOpcode

    /// nil if it is another command or has no Connection_Handle.
    @_lifetime(copy command)
    package init?(_ command: HCICommand) {
        opcode = command.opcode
        switch opcode {
        case .readRemoteVersionInformation, .leConnectionUpdate, .leReadRemoteFeatures, .leEnableEncryption,
            .leLongTermKeyRequestReply, .leLongTermKeyRequestNegativeReply, .leSetPHY:
            break
        default: return nil
        }
        bytes = command.parameters
        guard bytes.count >= 2 else { return nil }
    }

    /// Connection_Handle, 0x0000 to 0x0EFF.
    package var connectionHandle: ConnectionHandle { bytes.uint16(at: 0) & 0x0FFF }
    /// nil except of a whole LE Connection Update.
    package var connectionParameters: LEConnectionParameterRange? {
        opcode == .leConnectionUpdate ? LEConnectionParameterRange(bytes, at: 2, least: 14) : nil
    }
    /// Whether Random_Number and Encrypted_Diversifier of an LE Enable Encryption are 0: those of a Short Term Key, and of a key from LE
    /// Secure Connections. Vol 3, Part H, 2.4.4.
    package var isKeyUnnamed: Bool {
        opcode == .leEnableEncryption && bytes.count >= 12 && bytes.uint64(at: 2) == 0 && bytes.uint16(at: 10) == 0
    }
    /// nil except of a whole LE Enable Encryption or LE Long Term Key Request Reply.
    package var longTermKey: UInt128? {
        switch opcode {
        case .leEnableEncryption where bytes.count >= 28: bytes.uint128(at: 12)
        case .leLongTermKeyRequestReply where bytes.count >= 18: bytes.uint128(at: 2)
        default: nil
        }
    }
}

/// Connection_Interval_Min, Connection_Interval_Max, Max_Latency and Supervision_Timeout. Core Specification, Vol 4, Part E, 7.8.12 and
/// 7.8.18.
package struct LEConnectionParameterRange {
    /// Units of 1.25 ms.
    package let intervalMin: UInt16
    package let intervalMax: UInt16
    package let maxLatency: UInt16
    /// Units of 10 ms.
    package let supervisionTimeout: UInt16

    /// nil for fewer than `least` octets.
    init?(_ bytes: Bytes, at offset: Int, least: Int) {
        guard bytes.count >= least else { return nil }
        intervalMin = bytes.uint16(at: offset)
        intervalMax = bytes.uint16(at: offset + 2)
        maxLatency = bytes.uint16(at: offset + 4)
        supervisionTimeout = bytes.uint16(at: offset + 6)
    }
}
