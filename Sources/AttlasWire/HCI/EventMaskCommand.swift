/// HCI_LE_Set_Event_Mask. Core Specification, Vol 4, Part E, 7.8.1.
package struct LESetEventMaskCommand: ~Escapable, Copyable {
    let bytes: Bytes

    /// nil if it is another command or incomplete.
    @_lifetime(copy command)
    package init?(_ command: HCICommand) {
        guard command.opcode == .leSetEventMask, command.parameters.count >= 8 else { return nil }
        bytes = command.parameters
    }

    /// Bit 6 of LE_Event_Mask: LE Data Length Change is reported.
    package var hasDataLengthChange: Bool { bytes[0] & 0x40 != 0 }
}

/// HCI_Set_Event_Mask. Core Specification, Vol 4, Part E, 7.3.1.
package struct SetEventMaskCommand: ~Escapable, Copyable {
    let bytes: Bytes

    /// nil if it is another command or incomplete.
    @_lifetime(copy command)
    package init?(_ command: HCICommand) {
        guard command.opcode == .setEventMask, command.parameters.count >= 8 else { return nil }
        bytes = command.parameters
    }

    /// Bit 18, which is reserved: some controllers report Number Of Completed Packets only with it.
    package var hasCompletedPackets: Bool { bytes[2] & 0x04 != 0 }
}

/// The commands by which a host limits the data that its controller gives it. Core Specification, Vol 4, Part E, 7.3.38 and 7.3.39.
package enum HostFlowControlCommand: Sendable {
    /// HCI_Set_Controller_To_Host_Flow_Control: whether ACL packets need room.
    case enable(Bool)
    /// HCI_Host_Buffer_Size: ACL packets.
    case size(Int)

    /// nil if it is another command or incomplete.
    package init?(_ command: HCICommand) {
        let bytes = command.parameters
        switch (command.opcode, bytes.count) {
        case (.setControllerToHostFlowControl, 1...): self = .enable(bytes[0] & 0x01 != 0)
        case (.hostBufferSize, 7...): self = .size(Int(bytes.uint16(at: 3)))
        default: return nil
        }
    }
}
