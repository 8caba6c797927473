/// HCI_Command_Complete. Core Specification, Vol 4, Part E, 7.7.14.
///
/// ```
///  0                         1                 3
/// +-------------------------+--------+--------+----
/// | Num_HCI_Command_Packets | Command_Opcode  | Return_Parameters …
/// +-------------------------+--------+--------+----
/// ```
public struct CommandCompleteEvent: ~Escapable, Copyable {
    /// Up to the return parameters.
    public static let headLength = 3

    let bytes: Bytes

    /// Throws if the parameters end before Command_Opcode.
    @_lifetime(copy bytes)
    public init(_ bytes: Bytes) throws(WireError) {
        try bytes.requireParameters(Self.headLength, "Command Complete incomplete")
        self.bytes = bytes
    }

    /// How many commands the host may send now.
    public var numHCICommandPackets: UInt8 { bytes[0] }
    /// 0x0000 when the event only reports the number of allowed commands.
    public var commandOpcode: HCIOpcode { HCIOpcode(rawValue: bytes.uint16(at: 1)) }
    /// Return_Parameters of the command, up to the end of the event.
    public var returnParameters: Bytes {
        @_lifetime(copy self) get { bytes.dropFirst(Self.headLength) }
    }

    /// The connection and the dBm of Read RSSI; nil for another command, and if it was not available (127). Core Specification,
    /// Vol 4, Part E, 7.5.4.
    public var rssiReading: (handle: ConnectionHandle, dBm: Int8)? {
        let results = returnParameters
        guard commandOpcode == .readRSSI, results.count >= 4, results[0] == 0, results.int8(at: 3) != 127 else {
            return nil
        }
        return (results.uint16(at: 1), results.int8(at: 3))
    }
}

/// HCI_Command_Status. Core Specification, Vol 4, Part E, 7.7.15.
///
/// ```
///  0        1                         2
/// +--------+-------------------------+--------+--------+
/// | Status | Num_HCI_Command_Packets | Command_Opcode  |
/// +--------+-------------------------+--------+--------+
/// ```
public struct CommandStatusEvent: ~Escapable, Copyable {
    let bytes: Bytes

    @_lifetime(copy bytes)
    package init(_ bytes: Bytes) throws(WireError) {
        try bytes.requireParameters(4, "Command Status incomplete")
        self.bytes = bytes
    }

    /// Success means that the command is pending.
    public var status: HCIErrorCode { HCIErrorCode(rawValue: bytes[0]) }
    /// Opcode of the pending command.
    public var commandOpcode: HCIOpcode { HCIOpcode(rawValue: bytes.uint16(at: 2)) }
}

/// HCI_Number_Of_Completed_Packets. Core Specification, Vol 4, Part E, 7.7.19.
///
/// ```
///  0             1                    3
/// +-------------+---------+----------+---------+-------------+----
/// | Num_Handles | Connection_Handle  | Num_Completed_Packets | … repeated
/// +-------------+---------+----------+---------+-------------+----
/// ```
public struct NumberOfCompletedPacketsEvent: ~Escapable, Copyable {
    @usableFromInline let bytes: Bytes

    /// Throws if the parameters are shorter than Num_Handles requires.
    @inlinable
    @inline(__always)
    @_lifetime(copy bytes)
    public init(_ bytes: Bytes) throws(WireError) {
        try bytes.requireParameters(1, "Number Of Completed Packets incomplete")
        try bytes.requireParameters(1 + 4 * Int(bytes[0]), "Number Of Completed Packets incomplete")
        self.bytes = bytes
    }

    /// Num_Handles.
    @inlinable public var count: Int { Int(bytes[0]) }
    /// Connection_Handle of an index below `count`.
    @inlinable public func connectionHandle(_ index: Int) -> ConnectionHandle {
        bytes.uint16(at: 1 + 4 * index) & 0x0FFF
    }
    /// Packets completed since the previous event, of an index below `count`.
    @inlinable public func numCompletedPackets(_ index: Int) -> Int { Int(bytes.uint16(at: 3 + 4 * index)) }
}
