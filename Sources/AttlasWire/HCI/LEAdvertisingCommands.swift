/// Commands that switch advertising or scanning on and off: HCI_LE_Set_Advertising_Enable, HCI_LE_Set_Scan_Enable and their extended
/// commands. Core Specification, Vol 4, Part E, 7.8.9, 7.8.11, 7.8.56 and 7.8.65.
package struct LEEnableCommand: ~Escapable, Copyable {
    let bytes: Bytes
    /// Whether it is for scanning.
    package let isScan: Bool

    /// nil if it is another command or empty.
    @_lifetime(copy command)
    package init?(_ command: HCICommand) {
        guard command.opcode.isSwitch, !command.parameters.isEmpty else { return nil }
        bytes = command.parameters
        isScan = command.opcode == .leSetScanEnable || command.opcode == .leSetExtendedScanEnable
    }

    /// Advertising_Enable, Scan_Enable or Enable.
    package var isEnabled: Bool { bytes[0] != 0 }
    /// The sets of HCI_LE_Set_Extended_Advertising_Enable; nil for all. 7.8.56.
    package var advertisingHandles: [UInt8]? {
        guard !isScan, bytes.count >= 2, bytes[1] > 0 else { return nil }
        return (0..<Int(bytes[1])).map { 2 + 4 * $0 }.filter { $0 < bytes.count }.map { bytes[$0] }
    }

    /// Filter_Duplicates of a scan; nil if it is not there.
    package var filtersDuplicates: Bool? { isScan && bytes.count >= 2 ? bytes[1] != 0 : nil }
}

/// HCI_LE_Set_Scan_Parameters, and HCI_LE_Set_Extended_Scan_Parameters with those of its first PHY. Core Specification, Vol 4, Part E,
/// 7.8.10 and 7.8.64.
package struct LESetScanParametersCommand: ~Escapable, Copyable {
    let bytes: Bytes
    private let interval: Int

    /// nil if it is another command or incomplete.
    @_lifetime(copy command)
    package init?(_ command: HCICommand) {
        let least: Int
        switch command.opcode {
        case .leSetScanParameters: (interval, least) = (1, 7)
        case .leSetExtendedScanParameters: (interval, least) = (4, 8)
        default: return nil
        }
        bytes = command.parameters
        guard bytes.count >= least else { return nil }
    }

    /// Scan_Interval, in units of 0.625 ms.
    package var scanInterval: UInt16 { bytes.uint16(at: interval) }
    /// Scan_Window, in units of 0.625 ms.
    package var scanWindow: UInt16 { bytes.uint16(at: interval + 2) }
}

/// HCI_LE_Set_Advertising_Parameters, and HCI_LE_Set_Extended_Advertising_Parameters in versions 1 and 2. Core Specification, Vol 4,
/// Part E, 7.8.5 and 7.8.53.
package struct LESetAdvertisingParametersCommand: ~Escapable, Copyable {
    let bytes: Bytes
    private let isExtended: Bool

    /// nil if it is another command or incomplete.
    @_lifetime(copy command)
    package init?(_ command: HCICommand) {
        switch command.opcode {
        case .leSetAdvertisingParameters: isExtended = false
        case .leSetExtendedAdvertisingParameters, .leSetExtendedAdvertisingParametersV2: isExtended = true
        default: return nil
        }
        bytes = command.parameters
        guard bytes.count >= (isExtended ? 25 : 15) else { return nil }
    }

    /// Whether the set has legacy advertising PDUs, whose data are at most 31 octets.
    package var hasLegacyPDUs: Bool { !isExtended || bytes[1] & 0x10 != 0 }
    /// Own_Address_Type: 0x00 public, 0x01 random, 0x02 and 0x03 resolvable private addresses of the controller.
    package var ownAddressType: UInt8 { bytes[isExtended ? 10 : 5] }
    /// Whether Own_Address_Type is the address of LE Set Random Address.
    package var isOwnAddressRandom: Bool { ownAddressType == 0x01 }
    /// Advertising_Type 0x01: connectable, directed, with a high duty cycle; it ends after 1.28 s. Core Specification, Vol 4, Part E, 7.8.5.
    package var isHighDutyDirected: Bool { !isExtended && bytes[4] == 0x01 }
    /// nil for legacy advertising.
    package var secondaryAdvertisingPHY: LEPHY? { isExtended ? LEPHY(rawValue: bytes[22]) : nil }
    /// Advertising_SID, 0x00 to 0x0F; nil for legacy advertising.
    package var advertisingSID: UInt8? { isExtended ? bytes[23] : nil }
}

/// The commands about one advertising set. Core Specification, Vol 4, Part E, 7.8.52, 7.8.53 and 7.8.59 to 7.8.63.
package struct LEAdvertisingSetCommand: ~Escapable, Copyable {
    package enum Parameters: ~Escapable, Copyable {
        case randomAddress(BluetoothAddress)
        case advertising(LESetAdvertisingParametersCommand)
        /// Advertising or scan response data: octets of them in this command.
        case data(length: UInt8)
        case remove
        /// Units of 1.25 ms.
        case periodic(intervalMin: UInt16, intervalMax: UInt16)
        case periodicData(Operation?, Bytes)
        case periodicEnable(Bool)
    }

    /// Operation of a fragment of periodic advertising data.
    package enum Operation: UInt8 {
        case intermediateFragment, firstFragment, lastFragment, completeData, unchangedData
    }

    /// Advertising_Handle, 0x00 to 0xEF.
    package let advertisingHandle: UInt8
    package let parameters: Parameters

    /// nil if it is another command or incomplete.
    @_lifetime(copy command)
    package init?(_ command: HCICommand) {
        let bytes = command.parameters
        // The only one that does not begin with the Advertising_Handle.
        let place = command.opcode == .leSetPeriodicAdvertisingEnable ? 1 : 0
        guard bytes.count > place else { return nil }
        advertisingHandle = bytes[place]
        switch (command.opcode, bytes.count) {
        case (.leSetAdvertisingSetRandomAddress, 7...): parameters = .randomAddress(bytes.address(at: 1, type: 1))
        case (.leSetExtendedAdvertisingParameters, _), (.leSetExtendedAdvertisingParametersV2, _):
            guard let advertising = LESetAdvertisingParametersCommand(command) else { return nil }
            parameters = .advertising(advertising)
        case (.leSetExtendedAdvertisingData, 4...), (.leSetExtendedScanResponseData, 4...):
            parameters = .data(length: bytes[3])
        case (.leRemoveAdvertisingSet, _): parameters = .remove
        case (.leSetPeriodicAdvertisingParameters, 5...), (.leSetPeriodicAdvertisingParametersV2, 5...):
            parameters = .periodic(intervalMin: bytes.uint16(at: 1), intervalMax: bytes.uint16(at: 3))
        case (.leSetPeriodicAdvertisingData, 3...):
            parameters = .periodicData(
                Operation(rawValue: bytes[1]), bytes.dropFirst(3).prefix(Int(bytes[2])))
        case (.leSetPeriodicAdvertisingEnable, _): parameters = .periodicEnable(bytes[0] & 0x01 != 0)
        default: return nil
        }
    }
}

/// Own_Address_Type without an address of the resolving list. Core Specification, Vol 4, Part E, 7.8.5.
package enum LEOwnAddressType: UInt8 {
    case publicAddress, randomAddress
}

extension HCIOpcode {
    /// The commands that switch advertising or scanning on and off.
    package var isSwitch: Bool {
        self == .leSetAdvertisingEnable || self == .leSetScanEnable || self == .leSetExtendedAdvertisingEnable
            || self == .leSetExtendedScanEnable
    }
    /// The commands that wait in the controller for an advertising set: 7.8.52 to 7.8.63.
    package var isOfAdvertisingSet: Bool {
        Self.leSetAdvertisingSetRandomAddress.rawValue...Self.leSetPeriodicAdvertisingEnable.rawValue ~= rawValue
            || self == .leSetExtendedAdvertisingParametersV2 || self == .leSetPeriodicAdvertisingParametersV2
    }
}
