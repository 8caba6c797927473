/// HCI_LE_CS_Config_Complete. Core Specification, Vol 4, Part E, 7.7.65.42.
///
/// ```
///  0               1        2                 4           5        6                7
/// +---------------+--------+--------+--------+-----------+--------+----------------+---------------+
/// | Subevent 0x2F | Status |Connection_Handle| Config_ID | Action | Main_Mode_Type | Sub_Mode_Type | continued:
/// +---------------+--------+--------+--------+-----------+--------+----------------+---------------+
///  8                     9                     10                     11             12     13
/// +---------------------+---------------------+----------------------+--------------+------+----------+
/// | Min_Main_Mode_Steps | Max_Main_Mode_Steps | Main_Mode_Repetition | Mode_0_Steps | Role | RTT_Type | continued:
/// +---------------------+---------------------+----------------------+--------------+------+----------+
///  14 CS_SYNC_PHY, 15 Channel_Map (10), 25 Channel_Map_Repetition, 26 Channel_Selection_Type, 27 Ch3c_Shape,
///  28 Ch3c_Jump, 29 reserved, 30 T_IP1_Time, 31 T_IP2_Time, 32 T_FCS_Time, 33 T_PM_Time
/// ```
public struct LECSConfigCompleteEvent: ~Escapable, Copyable {
    let bytes: Bytes

    @_lifetime(copy bytes)
    init(_ bytes: Bytes) throws(WireError) {
        try bytes.requireParameters(34, "LE CS Config Complete incomplete")
        self.bytes = bytes
    }

    /// Success, or the reason of the failure.
    public var status: HCIErrorCode { HCIErrorCode(rawValue: bytes[1]) }
    /// Connection_Handle, 0x0000 to 0x0EFF.
    public var connectionHandle: ConnectionHandle { bytes.uint16(at: 2) & 0x0FFF }
    /// 0 to 3.
    public var configID: UInt8 { bytes[4] }
    /// 0x00 the configuration was removed, 0x01 it was created.
    public var action: UInt8 { bytes[5] }
    /// Whether the configuration was created.
    package var isCreated: Bool { action == 0x01 }
    /// 0x01 to 0x03: the mode of most steps.
    public var mainModeType: UInt8 { bytes[6] }
    /// 0x01 to 0x03; 0xFF for none.
    public var subModeType: UInt8 { bytes[7] }
    /// The local device's: 0x00 initiator, 0x01 reflector.
    public var role: UInt8 { bytes[12] }
    /// Whether the local device is the initiator.
    package var isInitiator: Bool { role == 0x00 }
    /// 0x00 access address only, 0x01 and 0x02 a sounding sequence of 32 and 96 bits, 0x03 to 0x06 a random sequence.
    public var rttType: UInt8 { bytes[13] }
}
