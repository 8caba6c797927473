/// HCI_Command_Complete. Core Specification, Vol 4, Part E, 7.7.14.
///
/// ```
///  0                         1                 3
/// +-------------------------+--------+--------+----
/// | Num_HCI_Command_Packets | Command_Opcode  | Return_Parameters …
/// +-------------------------+--------+--------+----
/// ```
public struct CommandCompleteEvent: ~Escapable, Copyable {
    public let bytes: Bytes

    @_lifetime(copy bytes)
    public init(_ bytes: Bytes) throws(WireError) {
        try bytes.requireParameters(3, "Command Complete incomplete")
        self.bytes = bytes
    }

    /// How many commands the host may send now.
    public var numHCICommandPackets: UInt8 { bytes[0] }
    /// `nop` when the event only tells the number of allowed commands.
    public var commandOpcode: HCIOpcode { HCIOpcode(rawValue: bytes.uint16(at: 1)) }
    public var returnParameters: Bytes {
        @_lifetime(copy self) get { bytes.dropFirst(3) }
    }

    /// The first return parameter of every command of the specification; a vendor's may be anything.
    public var status: HCIErrorCode? {
        guard bytes.count > 3, commandOpcode != .nop, !commandOpcode.isVendorSpecific else { return nil }
        return HCIErrorCode(rawValue: bytes[3])
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
    public let bytes: Bytes

    @_lifetime(copy bytes)
    public init(_ bytes: Bytes) throws(WireError) {
        try bytes.requireParameters(4, "Command Status incomplete")
        self.bytes = bytes
    }

    /// Success means that the command is pending.
    public var status: HCIErrorCode { HCIErrorCode(rawValue: bytes[0]) }
    public var numHCICommandPackets: UInt8 { bytes[1] }
    public var commandOpcode: HCIOpcode { HCIOpcode(rawValue: bytes.uint16(at: 2)) }
}

/// Return parameters of HCI_Read_BD_ADDR. Core Specification, Vol 4, Part E, 7.4.6.
///
/// ```
///  0        1
/// +--------+-------------+
/// | Status | BD_ADDR (6) |
/// +--------+-------------+
/// ```
public struct ReadBDADDRReturnParameters: ~Escapable, Copyable {
    public let bytes: Bytes

    /// Needs `returnParameters` of a Command Complete event whose opcode is `readBDADDR`.
    @_lifetime(copy bytes)
    public init(_ bytes: Bytes) throws(WireError) {
        try bytes.requireParameters(7, "Read BD_ADDR return parameters incomplete")
        self.bytes = bytes
    }

    public var status: HCIErrorCode { HCIErrorCode(rawValue: bytes[0]) }
    /// The controller's public address.
    public var address: BluetoothAddress { BluetoothAddress(bytes.uint48(at: 1), isRandom: false) }
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
    public let bytes: Bytes

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
    @inlinable public func connectionHandle(_ index: Int) -> ConnectionHandle {
        bytes.uint16(at: 1 + 4 * index) & 0x0FFF
    }
    @inlinable public func numCompletedPackets(_ index: Int) -> Int { Int(bytes.uint16(at: 3 + 4 * index)) }
}
