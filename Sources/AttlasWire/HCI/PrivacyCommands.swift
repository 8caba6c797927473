/// HCI_LE_Add_Device_To_Resolving_List. Core Specification, Vol 4, Part E, 7.8.38.
///
/// ```
///  0                            1                           7              23
/// +----------------------------+---------------------------+---------------+----------------+
/// | Peer_Identity_Address_Type | Peer_Identity_Address (6) | Peer_IRK (16) | Local_IRK (16) |
/// +----------------------------+---------------------------+---------------+----------------+
/// ```
public struct LEAddDeviceToResolvingListCommand: ~Escapable, Copyable {
    let bytes: Bytes

    @_lifetime(copy bytes)
    package init(_ bytes: Bytes) throws(WireError) {
        try bytes.requireParameters(39, "LE Add Device To Resolving List incomplete")
        self.bytes = bytes
    }

    /// 0x00 public, 0x01 static random.
    public var peerIdentityAddressType: UInt8 { bytes[0] }
    /// Identity address of the peer whose IRK is added.
    public var peerIdentityAddress: BluetoothAddress { bytes.address(at: 1, type: peerIdentityAddressType) }
    /// All zero when the peer has no resolvable addresses.
    public var peerIRK: UInt128 { bytes.uint128(at: 7) }
    /// All zero when the local device uses no resolvable addresses with this peer.
    public var localIRK: UInt128 { bytes.uint128(at: 23) }
}

/// HCI_LE_Add_Device_To_Filter_Accept_List and HCI_LE_Remove_Device_From_Filter_Accept_List: Address_Type, Address (6). Core
/// Specification, Vol 4, Part E, 7.8.16 and 7.8.17.
package struct LEFilterAcceptListCommand {
    /// Whether it adds the device.
    package let isAdded: Bool
    /// nil for anonymous advertisers.
    package let address: BluetoothAddress?

    /// nil if it is another command or incomplete.
    package init?(_ command: HCICommand) {
        isAdded = command.opcode == .leAddDeviceToFilterAcceptList
        guard isAdded || command.opcode == .leRemoveDeviceFromFilterAcceptList, command.parameters.count >= 7 else {
            return nil
        }
        let type = command.parameters[0]
        address = type == 0xFF ? nil : command.parameters.address(at: 1, type: type)
    }
}

/// HCI_LE_Set_Address_Resolution_Enable. Core Specification, Vol 4, Part E, 7.8.44.
package struct LESetAddressResolutionEnableCommand: ~Escapable, Copyable {
    let bytes: Bytes

    /// nil if it is another command or empty.
    @_lifetime(copy command)
    package init?(_ command: HCICommand) {
        guard command.opcode == .leSetAddressResolutionEnable, !command.parameters.isEmpty else { return nil }
        bytes = command.parameters
    }

    /// Address_Resolution_Enable.
    package var isEnabled: Bool { bytes[0] == 0x01 }
}
