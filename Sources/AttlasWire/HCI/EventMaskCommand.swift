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
