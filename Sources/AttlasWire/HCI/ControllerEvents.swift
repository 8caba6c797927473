/// HCI_Hardware_Error. Core Specification, Vol 4, Part E, 7.7.16.
package struct HardwareErrorEvent: ~Escapable, Copyable {
    let bytes: Bytes

    /// nil if it is another event or empty.
    @_lifetime(copy event)
    package init?(_ event: HCIEvent) {
        guard event.code == .hardwareError, !event.parameters.isEmpty else { return nil }
        bytes = event.parameters
    }

    /// Hardware_Code, which the vendor defines.
    package var hardwareCode: UInt8 { bytes[0] }
}

/// HCI_Authentication_Complete. Core Specification, Vol 4, Part E, 7.7.6.
package struct AuthenticationCompleteEvent: ~Escapable, Copyable {
    let bytes: Bytes

    /// nil if it is another event or incomplete.
    @_lifetime(copy event)
    package init?(_ event: HCIEvent) {
        guard event.code == .authenticationComplete, event.parameters.count >= 3 else { return nil }
        bytes = event.parameters
    }

    /// Success, or the reason of the failure.
    package var status: HCIErrorCode { HCIErrorCode(rawValue: bytes[0]) }
    /// Connection_Handle, 0x0000 to 0x0EFF.
    package var connectionHandle: ConnectionHandle { bytes.uint16(at: 1) & 0x0FFF }
}

/// HCI_Simple_Pairing_Complete. Core Specification, Vol 4, Part E, 7.7.45.
package struct SimplePairingCompleteEvent: ~Escapable, Copyable {
    let bytes: Bytes

    /// nil if it is another event or incomplete.
    @_lifetime(copy event)
    package init?(_ event: HCIEvent) {
        guard event.code == .simplePairingComplete, event.parameters.count >= 7 else { return nil }
        bytes = event.parameters
    }

    /// Success, or the reason of the failure.
    package var status: HCIErrorCode { HCIErrorCode(rawValue: bytes[0]) }
    /// BD_ADDR of the peer.
    package var address: BluetoothAddress { BluetoothAddress(bytes.uint48(at: 1), isRandom: false) }
}

/// HCI_LE_Read_Remote_Features_Page_0_Complete. Core Specification, Vol 4, Part E, 7.7.65.4.
package struct LEReadRemoteFeaturesCompleteEvent: ~Escapable, Copyable {
    let bytes: Bytes

    /// nil if it is another event or incomplete.
    @_lifetime(copy event)
    package init?(_ event: HCIEvent) {
        guard event.leSubevent == .readRemoteFeaturesComplete, event.parameters.count >= 12 else { return nil }
        bytes = event.parameters
    }

    /// Success, or the reason of the failure.
    package var status: HCIErrorCode { HCIErrorCode(rawValue: bytes[1]) }
    /// Connection_Handle, 0x0000 to 0x0EFF.
    package var connectionHandle: ConnectionHandle { bytes.uint16(at: 2) & 0x0FFF }
    /// LE_Features. Core Specification, Vol 6, Part B, 4.6.
    package var leFeatures: UInt64 { bytes.uint64(at: 4) }
}

/// HCI_LE_Advertising_Set_Terminated. Core Specification, Vol 4, Part E, 7.7.65.18.
package struct LEAdvertisingSetTerminatedEvent: ~Escapable, Copyable {
    let bytes: Bytes

    /// nil if it is another event or ends before Advertising_Handle.
    @_lifetime(copy event)
    package init?(_ event: HCIEvent) {
        guard event.leSubevent == .advertisingSetTerminated, event.parameters.count >= 3 else { return nil }
        bytes = event.parameters
    }

    /// Success after a connection, otherwise why advertising ended.
    package var status: HCIErrorCode { HCIErrorCode(rawValue: bytes[1]) }
    package var advertisingHandle: UInt8 { bytes[2] }
}
