/// HCI_LE_Set_CIG_Parameters, and the same for tests. Core Specification, Vol 4, Part E, 7.8.97 and 7.8.98.
package struct LESetCIGParametersCommand: ~Escapable, Copyable {
    /// Microseconds.
    package static let sduIntervals: ClosedRange<UInt32> = 0x0000FF...0x0FFFFF

    let bytes: Bytes
    private let stride: Int

    /// nil if it is another command or ends before CIS_Count.
    @_lifetime(copy command)
    package init?(_ command: HCICommand) {
        switch command.opcode {
        case .leSetCIGParameters: stride = 9
        case .leSetCIGParametersTest: stride = 14
        default: return nil
        }
        bytes = command.parameters
        guard bytes.count >= 15 else { return nil }
    }

    /// SDU_Interval_C_To_P, in microseconds.
    package var centralSDUInterval: UInt32 { bytes.uint24(at: 1) }
    /// SDU_Interval_P_To_C, in microseconds.
    package var peripheralSDUInterval: UInt32 { bytes.uint24(at: 4) }
    /// Number of streams whose identifier was captured: CIS_Count, unless the command is cut.
    package var count: Int { min(Int(bytes[14]), (bytes.count - 15 + stride - 1) / stride) }
    /// CIS_ID of an index below `count`.
    package func cisID(_ index: Int) -> UInt8 { bytes[15 + stride * index] }
    /// PHY_C_To_P and PHY_P_To_C of an index below `count`, a bit for each that may be used; nil if they were not captured.
    package func phys(_ index: Int) -> (toPeripheral: UInt8, toCentral: UInt8)? {
        let place = 15 + stride * index + (stride == 9 ? 5 : 10)
        return bytes.count > place + 1 ? (bytes[place], bytes[place + 1]) : nil
    }
}

/// HCI_LE_Create_CIS. Core Specification, Vol 4, Part E, 7.8.99.
package struct LECreateCISCommand: ~Escapable, Copyable {
    let bytes: Bytes

    /// nil if it is another command or empty.
    @_lifetime(copy command)
    package init?(_ command: HCICommand) {
        guard command.opcode == .leCreateCIS, !command.parameters.isEmpty else { return nil }
        bytes = command.parameters
    }

    /// Number of streams whose handles were captured: CIS_Count, unless the command is cut.
    package var count: Int { min(Int(bytes[0]), (bytes.count - 1) / 4) }
    /// CIS_Connection_Handle of an index below `count`.
    package func cisConnectionHandle(_ index: Int) -> ConnectionHandle { bytes.uint16(at: 1 + 4 * index) & 0x0FFF }
    /// ACL_Connection_Handle of an index below `count`.
    package func aclConnectionHandle(_ index: Int) -> ConnectionHandle { bytes.uint16(at: 3 + 4 * index) & 0x0FFF }
}

/// HCI_LE_Create_BIG, without its Broadcast_Code. Core Specification, Vol 4, Part E, 7.8.103.
package struct LECreateBIGCommand: ~Escapable, Copyable {
    let bytes: Bytes

    /// nil if it is another command or ends before Encryption.
    @_lifetime(copy command)
    package init?(_ command: HCICommand) {
        guard command.opcode == .leCreateBIG, command.parameters.count >= 15 else { return nil }
        bytes = command.parameters
    }

    /// BIG_Handle, 0x00 to 0xEF.
    package var bigHandle: UInt8 { bytes[0] }
    /// Advertising_Handle of the periodic advertising, 0x00 to 0xEF.
    package var advertisingHandle: UInt8 { bytes[1] }
    /// Microseconds.
    package var sduInterval: UInt32 { bytes.uint24(at: 3) }
    /// Octets.
    package var maxSDU: UInt16 { bytes.uint16(at: 6) }
    /// Framing.
    package var isFramed: Bool { bytes[13] != 0 }
    /// Encryption.
    package var isEncrypted: Bool { bytes[14] != 0 }
}

/// HCI_LE_BIG_Create_Sync. Core Specification, Vol 4, Part E, 7.8.106.
package struct LEBIGCreateSyncCommand: ~Escapable, Copyable {
    let bytes: Bytes

    /// nil if it is another command or ends before Num_BIS.
    @_lifetime(copy command)
    package init?(_ command: HCICommand) {
        guard command.opcode == .leBIGCreateSync, command.parameters.count >= 24 else { return nil }
        bytes = command.parameters
    }

    /// BIG_Handle, 0x00 to 0xEF.
    package var bigHandle: UInt8 { bytes[0] }
    /// Sync_Handle of the train, 0x0000 to 0x0EFF.
    package var syncHandle: UInt16 { bytes.uint16(at: 1) & 0x0FFF }
    /// Whether the group is encrypted, and its Broadcast_Code is in the command.
    package var isEncrypted: Bool { bytes[3] == 1 }
    /// BIS: the numbers of the streams to receive.
    package var bis: Bytes {
        @_lifetime(copy self) get { bytes.dropFirst(24).prefix(Int(bytes[23])) }
    }
}
