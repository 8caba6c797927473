/// HCI_Connection_Complete. Core Specification, Vol 4, Part E, 7.7.3.
///
/// ```
///  0        1                 3               9           10
/// +--------+--------+--------+---------- ----+-----------+--------------------+
/// | Status |Connection_Handle|  BD_ADDR (6)  | Link_Type | Encryption_Enabled |
/// +--------+--------+--------+---------- ----+-----------+--------------------+
/// ```
/// A BR/EDR connection; an LE connection has its own event.
public struct ConnectionCompleteEvent: ~Escapable, Copyable {
    let bytes: Bytes

    @_lifetime(copy bytes)
    init(_ bytes: Bytes) throws(WireError) {
        try bytes.requireParameters(11, "Connection Complete incomplete")
        self.bytes = bytes
    }

    /// Success, or the reason of the failure.
    public var status: HCIErrorCode { HCIErrorCode(rawValue: bytes[0]) }
    /// Connection_Handle, 0x0000 to 0x0EFF.
    public var connectionHandle: ConnectionHandle { bytes.uint16(at: 1) & 0x0FFF }
    /// BD_ADDR of the peer, always public.
    public var peerAddress: BluetoothAddress { BluetoothAddress(bytes.uint48(at: 3), isRandom: false) }
    /// 0x00 SCO, 0x01 ACL.
    public var linkType: UInt8 { bytes[9] }
    /// Whether the link is an ACL link.
    package var isACL: Bool { linkType == 0x01 }
    /// Encryption_Enabled: 0x01 if link-level encryption is on.
    public var encryptionEnabled: UInt8 { bytes[10] }
}

/// HCI_Disconnection_Complete. Core Specification, Vol 4, Part E, 7.7.5.
///
/// ```
///  0        1                 3
/// +--------+--------+--------+--------+
/// | Status |Connection_Handle| Reason |
/// +--------+--------+--------+--------+
/// ```
public struct DisconnectionCompleteEvent: ~Escapable, Copyable {
    let bytes: Bytes

    @_lifetime(copy bytes)
    init(_ bytes: Bytes) throws(WireError) {
        try bytes.requireParameters(4, "Disconnection Complete incomplete")
        self.bytes = bytes
    }

    /// Whether the link ended; after a failure it is still open.
    public var status: HCIErrorCode { HCIErrorCode(rawValue: bytes[0]) }
    /// Connection_Handle, 0x0000 to 0x0EFF.
    public var connectionHandle: ConnectionHandle { bytes.uint16(at: 1) & 0x0FFF }
    /// Why the connection ended.
    public var reason: HCIErrorCode { HCIErrorCode(rawValue: bytes[3]) }
}

/// HCI_Remote_Name_Request_Complete. Core Specification, Vol 4, Part E, 7.7.7.
///
/// ```
///  0        1             7
/// +--------+-------------+---------------------+
/// | Status | BD_ADDR (6) | Remote_Name (248) … |
/// +--------+-------------+---------------------+
/// ```
public struct RemoteNameRequestCompleteEvent: ~Escapable, Copyable {
    let bytes: Bytes
    private let nameLength: Int

    @_lifetime(copy bytes)
    init(_ bytes: Bytes) throws(WireError) {
        try bytes.requireParameters(7, "Remote Name Request Complete incomplete")
        self.bytes = bytes
        var length = 0
        while length < 248, 7 + length < bytes.count, bytes[7 + length] != 0 { length += 1 }
        nameLength = length
    }

    /// Success, or the reason of the failure.
    public var status: HCIErrorCode { HCIErrorCode(rawValue: bytes[0]) }
    /// BD_ADDR of the device whose name was requested.
    public var address: BluetoothAddress { BluetoothAddress(bytes.uint48(at: 1), isRandom: false) }
    /// UTF-8, up to the NUL that ends a name of less than 248 octets.
    public var remoteName: Bytes {
        @_lifetime(copy self) get { bytes.dropFirst(7).prefix(nameLength) }
    }
}

/// The events that end a procedure of one link. They begin with Status and Connection_Handle. Core Specification, Vol 4, Part E, 7.7.8,
/// 7.7.12, 7.7.39, 7.7.65.3, 7.7.65.4 and 7.7.65.12.
package struct LinkProcedureEvent: ~Escapable, Copyable {
    let bytes: Bytes
    private let start: Int
    /// The command by which a host begins the procedure.
    package let command: HCIOpcode

    /// nil if it is another event or ends within Connection_Handle.
    @_lifetime(copy event)
    package init?(_ event: HCIEvent) {
        switch (event.code, event.leSubevent) {
        case (.encryptionChange, _), (.encryptionChangeV2, _), (.encryptionKeyRefreshComplete, _):
            (command, start) = (.leEnableEncryption, 0)
        case (.readRemoteVersionInformationComplete, _): (command, start) = (.readRemoteVersionInformation, 0)
        case (_, .connectionUpdateComplete): (command, start) = (.leConnectionUpdate, 1)
        case (_, .readRemoteFeaturesComplete): (command, start) = (.leReadRemoteFeatures, 1)
        case (_, .phyUpdateComplete): (command, start) = (.leSetPHY, 1)
        default: return nil
        }
        bytes = event.parameters
        guard bytes.count >= start + 3 else { return nil }
    }

    /// Success, or the reason of the failure.
    package var status: HCIErrorCode { HCIErrorCode(rawValue: bytes[start]) }
    /// Connection_Handle, 0x0000 to 0x0EFF.
    package var connectionHandle: ConnectionHandle { bytes.uint16(at: start + 1) & 0x0FFF }
}

/// HCI_Read_Remote_Version_Information_Complete. Core Specification, Vol 4, Part E, 7.7.12.
///
/// ```
///  0        1                   3         4                    6            8
/// +--------+-------------------+---------+--------------------+------------+
/// | Status | Connection_Handle | Version | Company_Identifier | Subversion |
/// +--------+-------------------+---------+--------------------+------------+
/// ```
public struct ReadRemoteVersionInformationCompleteEvent: Sendable {
    /// Success, or the reason of the failure.
    public let status: HCIErrorCode
    /// Connection_Handle, 0x0000 to 0x0EFF.
    public let connectionHandle: ConnectionHandle
    /// Version of the peer's controller.
    public let version: ControllerVersion

    init(_ bytes: Bytes) throws(WireError) {
        try bytes.requireParameters(8, "Read Remote Version Information Complete incomplete")
        status = HCIErrorCode(rawValue: bytes[0])
        connectionHandle = bytes.uint16(at: 1) & 0x0FFF
        version = ControllerVersion(
            version: bytes[3], companyIdentifier: bytes.uint16(at: 4), subversion: bytes.uint16(at: 6))
    }
}

/// HCI_Authenticated_Payload_Timeout_Expired. Core Specification, Vol 4, Part E, 7.7.75.
package struct AuthenticatedPayloadTimeoutExpiredEvent: ~Escapable, Copyable {
    let bytes: Bytes

    /// nil if it is another event or incomplete.
    @_lifetime(copy event)
    package init?(_ event: HCIEvent) {
        guard event.code == .authenticatedPayloadTimeoutExpired, event.parameters.count >= 2 else { return nil }
        bytes = event.parameters
    }

    /// Connection_Handle, 0x0000 to 0x0EFF.
    package var connectionHandle: ConnectionHandle { bytes.uint16(at: 0) & 0x0FFF }
}
