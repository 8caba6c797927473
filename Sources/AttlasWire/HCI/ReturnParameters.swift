/// The return parameters that attlas reads, each nil for another command, after a failure and if incomplete. Core Specification, Vol 4,
/// Part E, 7.4.1, 7.4.5, 7.4.6, 7.8.2, 7.8.3, 7.8.97 and 7.8.107.
extension CommandCompleteEvent {
    /// The first return parameter; nil if there is none. A vendor's command may return anything there.
    package var status: HCIErrorCode? {
        returnParameters.isEmpty ? nil : HCIErrorCode(rawValue: returnParameters[0])
    }

    /// LMP_Version, Company_Identifier and LMP_Subversion of HCI_Read_Local_Version_Information.
    package var localVersion: ControllerVersion? {
        succeeded(.readLocalVersionInformation, least: 9) ? ControllerVersion(returnParameters.dropFirst(4)) : nil
    }

    /// BD_ADDR of HCI_Read_BD_ADDR.
    package var controllerAddress: BluetoothAddress? {
        succeeded(.readBDADDR, least: 7) ? BluetoothAddress(returnParameters.uint48(at: 1), isRandom: false) : nil
    }

    /// Total_Num_ACL_Data_Packets of HCI_Read_Buffer_Size.
    package var totalNumACLDataPackets: Int? {
        succeeded(.readBufferSize, least: 8) ? Int(returnParameters.uint16(at: 4)) : nil
    }

    /// Total_Num_LE_ACL_Data_Packets of HCI_LE_Read_Buffer_Size, both versions. 0: LE links share the buffers of BR/EDR.
    package var totalNumLEACLDataPackets: Int? {
        succeeded(.leReadBufferSize, least: 4) || succeeded(.leReadBufferSizeV2, least: 4)
            ? Int(returnParameters[3]) : nil
    }

    /// LE_Features of HCI_LE_Read_Local_Supported_Features.
    package var leFeatures: UInt64? {
        succeeded(.leReadLocalSupportedFeatures, least: 9) ? returnParameters.uint64(at: 1) : nil
    }

    /// CIG_ID of HCI_LE_Set_CIG_Parameters or the same for tests, and the number of its streams, CIS_Count.
    package var isochronousGroup: (cigID: UInt8, count: Int)? {
        succeeded(.leSetCIGParameters, least: 3) || succeeded(.leSetCIGParametersTest, least: 3)
            ? (returnParameters[1], Int(returnParameters[2])) : nil
    }

    /// Connection_Handle of a stream of `isochronousGroup`; nil if the event ends before it.
    package func streamHandle(_ index: Int) -> ConnectionHandle? {
        returnParameters.count >= 3 + 2 * (index + 1) ? returnParameters.uint16(at: 3 + 2 * index) & 0x0FFF : nil
    }

    /// BIG_Handle of HCI_LE_BIG_Terminate_Sync.
    package var terminatedBIGHandle: UInt8? {
        succeeded(.leBIGTerminateSync, least: 2) ? returnParameters[1] : nil
    }

    private func succeeded(_ opcode: HCIOpcode, least: Int) -> Bool {
        commandOpcode == opcode && status == .success && returnParameters.count >= least
    }
}
