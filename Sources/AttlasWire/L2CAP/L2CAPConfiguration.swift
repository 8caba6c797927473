/// L2CAP_CONFIGURATION_REQ. Core Specification, Vol 3, Part A, 4.4.
///
/// ```
///  0               2               4
/// +-------+-------+-------+-------+----
/// |Destination CID|     Flags     | Configuration Options …
/// +-------+-------+-------+-------+----
/// ```
public struct L2CAPConfigurationRequest: ~Escapable, Copyable {
    let bytes: Bytes

    @_lifetime(copy bytes)
    init(_ bytes: Bytes) throws(WireError) {
        try bytes.requireSignal(4, "Configuration Request incomplete")
        self.bytes = bytes
    }

    /// Channel endpoint of the device that receives the request.
    public var destinationCID: L2CAPChannel { L2CAPChannel(rawValue: bytes.uint16(at: 0)) }
    /// Bit 0: more options follow in another request.
    public var flags: UInt16 { bytes.uint16(at: 2) }
    /// Configuration options, up to the first that does not fit.
    public var options: L2CAPConfigurationOptions {
        @_lifetime(copy self) get { L2CAPConfigurationOptions(bytes.dropFirst(4)) }
    }
}

/// L2CAP_CONFIGURATION_RSP. Core Specification, Vol 3, Part A, 4.5.
///
/// ```
///  0               2               4               6
/// +-------+-------+-------+-------+-------+-------+----
/// |  Source CID   |     Flags     |    Result     | Configuration Options …
/// +-------+-------+-------+-------+-------+-------+----
/// ```
public struct L2CAPConfigurationResponse: ~Escapable, Copyable {
    let bytes: Bytes

    @_lifetime(copy bytes)
    init(_ bytes: Bytes) throws(WireError) {
        try bytes.requireSignal(6, "Configuration Response incomplete")
        self.bytes = bytes
    }

    /// Channel endpoint of the device that receives the response.
    public var sourceCID: L2CAPChannel { L2CAPChannel(rawValue: bytes.uint16(at: 0)) }
    /// Bit 0: more options follow in another response.
    public var flags: UInt16 { bytes.uint16(at: 2) }
    /// 0x0000 success; `resultName` has the others.
    public var result: UInt16 { bytes.uint16(at: 4) }
    /// Configuration options, up to the first that does not fit.
    public var options: L2CAPConfigurationOptions {
        @_lifetime(copy self) get { L2CAPConfigurationOptions(bytes.dropFirst(6)) }
    }

    /// nil for a result that the specification does not define.
    public var resultName: String? {
        switch result {
        case 0x0000: "Success"
        case 0x0001: "Failure - unacceptable parameters"
        case 0x0002: "Failure - rejected"
        case 0x0003: "Failure - unknown options"
        case 0x0004: "Pending"
        case 0x0005: "Failure - flow spec rejected"
        default: nil
        }
    }
}

/// Configuration options, read one after the other. Core Specification, Vol 3, Part A, 5.
///
/// ```
///  0               1               2
/// +---------------+---------------+----
/// |     Type      |    Length     | Option Data … repeated
/// +---------------+---------------+----
/// ```
public struct L2CAPConfigurationOptions: ~Escapable, Copyable {
    private var rest: Bytes
    /// The type of the option that `next` returned last: 0x01 MTU, 0x02 flush timeout, 0x03 QoS, 0x04 retransmission
    /// and flow control, 0x05 FCS, 0x06 and 0x07 extended flow specification and window size. Bit 7 marks a hint.
    public private(set) var type: UInt8 = 0
    /// Whether it is the MTU.
    package var isMTU: Bool { L2CAPOptionType(rawValue: type & 0x7F) == .mtu }
    /// Octets that this option announced and that are not there.
    private(set) var missing = 0

    @_lifetime(copy rest)
    init(_ rest: Bytes) {
        self.rest = rest
    }

    @_lifetime(copy self)
    public mutating func next() -> Bytes? {
        guard rest.count >= 2 else { return nil }
        type = rest[0]
        let length = Int(rest[1])
        let value = rest.dropFirst(2).prefix(length)
        missing = length - value.count
        rest = rest.dropFirst(2 + length)
        return value
    }

    /// Octets after the last option: too few for a type and a length.
    var remainder: Int { rest.count }
}

/// The type of a configuration option, without its bit for a hint. Core Specification, Vol 3, Part A, 5.
package enum L2CAPOptionType: UInt8 {
    case mtu = 0x01
    case flushTimeout, qualityOfService, retransmissionAndFlowControl, frameCheckSequence, extendedFlowSpecification
    case extendedWindowSize
}
