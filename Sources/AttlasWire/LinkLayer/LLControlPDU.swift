/// One LL control PDU: the payload of a data PDU with LLID 0b11. Core Specification, Vol 6, Part B, 2.4.2.
///
/// ```
///  0               1
/// +---------------+----
/// |    Opcode     | CtrData …
/// +---------------+----
/// ```
/// CtrData longer than this version of the specification knows is of a later one: the rest is ignored.
///
/// A definition (`ll-control-pdus`) shows the fields of one. One that changes the state of a link has its layout in
/// `LLControlPDU+Data.swift`, a case here, its text in `PacketField+LinkLayer.swift`, its keys in the schema, and its effect in
/// `Trace+LinkLayer.swift`.
public enum LLControlPDU: ~Escapable, Copyable {
    case connectionUpdateInd(LLConnectionUpdateInd)
    case channelMapInd(LLChannelMapInd)
    case terminateInd(HCIErrorCode)
    case encReq(LLEncReq)
    case encRsp(LLEncRsp)
    /// The opcode that the sender does not know.
    case unknownRsp(LLControlOpcode)
    /// LL_FEATURE_REQ, LL_FEATURE_RSP and LL_PERIPHERAL_FEATURE_REQ: the FeatureSet, Vol 6, Part B, 4.6.
    case features(LLControlOpcode, UInt64)
    case versionInd(LLVersionInd)
    case rejectInd(HCIErrorCode)
    /// LL_CONNECTION_PARAM_REQ and LL_CONNECTION_PARAM_RSP.
    case connectionParam(LLControlOpcode, LLConnectionParam)
    /// The opcode that is rejected, and why.
    case rejectExtInd(LLControlOpcode, HCIErrorCode)
    /// LL_LENGTH_REQ and LL_LENGTH_RSP.
    case length(LLControlOpcode, LLLength)
    /// LL_PHY_REQ and LL_PHY_RSP: bit 0 is LE 1M, bit 1 LE 2M, bit 2 LE Coded.
    case phy(LLControlOpcode, txPHYs: UInt8, rxPHYs: UInt8)
    case phyUpdateInd(LLPHYUpdateInd)
    /// `phys`: bit 0 is LE 1M, bit 1 LE 2M, bit 2 LE Coded; `channels`: the least number of channels to use on them.
    case minUsedChannelsInd(phys: UInt8, channels: UInt8)
    case cisReq(LLCISReq)
    case cisInd(LLCISInd)
    /// CIG_ID, CIS_ID and the reason.
    case cisTerminateInd(cig: UInt8, cis: UInt8, HCIErrorCode)
    /// `delta` in dB, `txPower` in dBm.
    case powerControlReq(phy: UInt8, delta: Int8, txPower: Int8)
    /// `delta` and `acceptableReduction` in dB, `txPower` in dBm.
    case powerControlRsp(delta: Int8, txPower: Int8, acceptableReduction: UInt8)
    /// `delta` in dB, `txPower` in dBm.
    case powerChangeInd(phy: UInt8, delta: Int8, txPower: Int8)
    case subrateReq(LLSubrateReq)
    case subrateInd(LLSubrateInd)
    case connectionRateInd(LLConnectionRateInd)
    /// CtrData that definitions read, or that the specification does not define.
    case other(LLControlOpcode, Bytes)

    /// Reads the PDU by its opcode. Throws if it is empty or lacks a field; an undefined opcode is not an error.
    @_lifetime(copy bytes)
    public init(_ bytes: Bytes) throws(WireError) {
        try bytes.requireLinkLayer(1, "LL control PDU without an opcode")
        let opcode = LLControlOpcode(rawValue: bytes[0])
        if let definition = opcode.definition {
            try bytes.requireLinkLayer(1 + (definition.length ?? 0), "LL control PDU incomplete")
        }
        let data = bytes.dropFirst(1)
        switch opcode.rawValue {
        case 0x00: self = .connectionUpdateInd(LLConnectionUpdateInd(data))
        case 0x01: self = .channelMapInd(LLChannelMapInd(data))
        case 0x02: self = .terminateInd(HCIErrorCode(rawValue: data[0]))
        case 0x03: self = .encReq(LLEncReq(data))
        case 0x04: self = .encRsp(LLEncRsp(data))
        case 0x07: self = .unknownRsp(LLControlOpcode(rawValue: data[0]))
        case 0x08, 0x09, 0x0E: self = .features(opcode, data.uint64(at: 0))
        case 0x0C: self = .versionInd(LLVersionInd(data))
        case 0x0D: self = .rejectInd(HCIErrorCode(rawValue: data[0]))
        case 0x0F, 0x10: self = .connectionParam(opcode, LLConnectionParam(data))
        case 0x11:
            self = .rejectExtInd(LLControlOpcode(rawValue: data[0]), HCIErrorCode(rawValue: data[1]))
        case 0x14, 0x15: self = .length(opcode, LLLength(data))
        case 0x16, 0x17: self = .phy(opcode, txPHYs: data[0], rxPHYs: data[1])
        case 0x18: self = .phyUpdateInd(LLPHYUpdateInd(data))
        case 0x19: self = .minUsedChannelsInd(phys: data[0], channels: data[1])
        case 0x1F: self = .cisReq(LLCISReq(data))
        case 0x21: self = .cisInd(LLCISInd(data))
        case 0x22: self = .cisTerminateInd(cig: data[0], cis: data[1], HCIErrorCode(rawValue: data[2]))
        case 0x23: self = .powerControlReq(phy: data[0], delta: data.int8(at: 1), txPower: data.int8(at: 2))
        case 0x24:
            self = .powerControlRsp(delta: data.int8(at: 1), txPower: data.int8(at: 2), acceptableReduction: data[3])
        case 0x25: self = .powerChangeInd(phy: data[0], delta: data.int8(at: 2), txPower: data.int8(at: 3))
        case 0x26: self = .subrateReq(LLSubrateReq(data))
        case 0x27: self = .subrateInd(LLSubrateInd(data))
        case 0x3F: self = .connectionRateInd(LLConnectionRateInd(data))
        default: self = .other(opcode, data)
        }
    }

    /// Opcode, the first octet.
    public var opcode: LLControlOpcode {
        switch self {
        case .connectionUpdateInd: LLControlOpcode(rawValue: 0x00)
        case .channelMapInd: LLControlOpcode(rawValue: 0x01)
        case .terminateInd: LLControlOpcode(rawValue: 0x02)
        case .encReq: LLControlOpcode(rawValue: 0x03)
        case .encRsp: LLControlOpcode(rawValue: 0x04)
        case .unknownRsp: LLControlOpcode(rawValue: 0x07)
        case .versionInd: LLControlOpcode(rawValue: 0x0C)
        case .rejectInd: LLControlOpcode(rawValue: 0x0D)
        case .rejectExtInd: LLControlOpcode(rawValue: 0x11)
        case .phyUpdateInd: LLControlOpcode(rawValue: 0x18)
        case .minUsedChannelsInd: LLControlOpcode(rawValue: 0x19)
        case .cisReq: LLControlOpcode(rawValue: 0x1F)
        case .cisInd: LLControlOpcode(rawValue: 0x21)
        case .cisTerminateInd: LLControlOpcode(rawValue: 0x22)
        case .powerControlReq: LLControlOpcode(rawValue: 0x23)
        case .powerControlRsp: LLControlOpcode(rawValue: 0x24)
        case .powerChangeInd: LLControlOpcode(rawValue: 0x25)
        case .subrateReq: LLControlOpcode(rawValue: 0x26)
        case .subrateInd: LLControlOpcode(rawValue: 0x27)
        case .connectionRateInd: LLControlOpcode(rawValue: 0x3F)
        case .features(let opcode, _), .connectionParam(let opcode, _), .length(let opcode, _), .phy(let opcode, _, _),
            .other(let opcode, _):
            opcode
        }
    }
}
