import AttlasTestSupport
import Testing

@testable import AttlasWire

/// Core Specification, Vol 6, Part B, 2.4.
@Suite struct DataPDUTests {
    @Test(arguments: [
        (UInt8(0x01), DataPDU.LLID.continuing, false, false, false), (0x06, .start, true, false, false),
        (0x0B, .control, false, true, false), (0x1E, .start, true, true, true), (0x00, .reserved, false, false, false),
    ])
    func header(octet: UInt8, llid: DataPDU.LLID, nesn: Bool, sn: Bool, md: Bool) throws {
        let octets = [octet, 2, 0xAA, 0xBB, 0xCC]
        let pdu = try DataPDU(octets.wire)
        expect(pdu.llid, equals: llid)
        #expect(pdu.nesn == nesn && pdu.sn == sn && pdu.md == md)
        #expect(pdu.cteInfo == nil)
        expect(pdu.payload.copy(), equals: [0xAA, 0xBB])
        expect(pdu.missing, equals: 0)
        #expect(pdu.isEmpty == false)
    }

    @Test func emptyAndCut() throws {
        #expect(try DataPDU(hex("0100").wire).isEmpty)
        #expect(try !DataPDU(hex("0200").wire).isEmpty)
        try expect(DataPDU(hex("0205 11").wire).missing, equals: 4)
        try expect(DataPDU(hex("2201 14 55").wire).cteInfo, equals: 0x14)
        try expect(DataPDU(hex("2201 14 55").wire).payload.copy(), equals: [0x55])
        expectNeed(2, of: hex("0201 11"), layer: .linkLayer, limit: .linkLayerLength) { _ = try DataPDU($0) }
        #expect(failure(hex("2200")) { _ = try DataPDU($0) }?.need == 3)
    }

    /// Table 2.18, and the lengths of CtrData in 2.4.2.1 and the following.
    @Test(arguments: [
        (0x00, "LL_CONNECTION_UPDATE_IND", 11), (0x01, "LL_CHANNEL_MAP_IND", 7), (0x02, "LL_TERMINATE_IND", 1),
        (0x03, "LL_ENC_REQ", 22), (0x04, "LL_ENC_RSP", 12), (0x05, "LL_START_ENC_REQ", 0),
        (0x06, "LL_START_ENC_RSP", 0), (0x07, "LL_UNKNOWN_RSP", 1), (0x08, "LL_FEATURE_REQ", 8),
        (0x09, "LL_FEATURE_RSP", 8), (0x0A, "LL_PAUSE_ENC_REQ", 0), (0x0B, "LL_PAUSE_ENC_RSP", 0),
        (0x0C, "LL_VERSION_IND", 5), (0x0D, "LL_REJECT_IND", 1), (0x0E, "LL_PERIPHERAL_FEATURE_REQ", 8),
        (0x0F, "LL_CONNECTION_PARAM_REQ", 23), (0x10, "LL_CONNECTION_PARAM_RSP", 23), (0x11, "LL_REJECT_EXT_IND", 2),
        (0x12, "LL_PING_REQ", 0), (0x13, "LL_PING_RSP", 0), (0x14, "LL_LENGTH_REQ", 8), (0x15, "LL_LENGTH_RSP", 8),
        (0x16, "LL_PHY_REQ", 2), (0x17, "LL_PHY_RSP", 2), (0x18, "LL_PHY_UPDATE_IND", 4),
        (0x19, "LL_MIN_USED_CHANNELS_IND", 2), (0x1A, "LL_CTE_REQ", 1), (0x1B, "LL_CTE_RSP", 0),
        (0x1C, "LL_PERIODIC_SYNC_IND", 34), (0x1D, "LL_CLOCK_ACCURACY_REQ", 1), (0x1E, "LL_CLOCK_ACCURACY_RSP", 1),
        (0x1F, "LL_CIS_REQ", 35), (0x20, "LL_CIS_RSP", 8), (0x21, "LL_CIS_IND", 15), (0x22, "LL_CIS_TERMINATE_IND", 3),
        (0x23, "LL_POWER_CONTROL_REQ", 3), (0x24, "LL_POWER_CONTROL_RSP", 4), (0x25, "LL_POWER_CHANGE_IND", 4),
        (0x26, "LL_SUBRATE_REQ", 10), (0x27, "LL_SUBRATE_IND", 10), (0x28, "LL_CHANNEL_REPORTING_IND", 3),
        (0x29, "LL_CHANNEL_STATUS_IND", 10), (0x2A, "LL_PERIODIC_SYNC_WR_IND", 42), (0x2B, "LL_FEATURE_EXT_REQ", 26),
        (0x2C, "LL_FEATURE_EXT_RSP", 26), (0x2D, "LL_CS_SEC_RSP", 20), (0x2E, "LL_CS_CAPABILITIES_REQ", 25),
        (0x2F, "LL_CS_CAPABILITIES_RSP", 25), (0x30, "LL_CS_CONFIG_REQ", 27), (0x31, "LL_CS_CONFIG_RSP", 1),
        (0x32, "LL_CS_REQ", 28), (0x33, "LL_CS_RSP", 21), (0x34, "LL_CS_IND", 18), (0x35, "LL_CS_TERMINATE_REQ", 4),
        (0x36, "LL_CS_FAE_REQ", 0), (0x37, "LL_CS_FAE_RSP", 72), (0x38, "LL_CS_CHANNEL_MAP_IND", 12),
        (0x39, "LL_CS_SEC_REQ", 20), (0x3A, "LL_CS_TERMINATE_RSP", 4), (0x3B, "LL_FRAME_SPACE_REQ", 7),
        (0x3C, "LL_FRAME_SPACE_RSP", 5),
    ])
    func controlPDUs(opcode: Int, name: String, length: Int) throws {
        let octets = [UInt8(opcode)] + [UInt8](repeating: 0, count: length)
        try expect(LLControlPDU(octets.wire).opcode.rawValue, equals: UInt8(opcode))
        expect(LLControlOpcode(rawValue: UInt8(opcode)).name, equals: name)
        guard length > 0 else { return }
        let error = failure(Array(octets.dropLast())) { _ = try LLControlPDU($0) }
        expect(
            error,
            equals: WireError(
                .linkLayer, "LL control PDU incomplete", need: length + 1, have: length, limit: .linkLayerLength))
    }

    @Test func whatIsNotDefinedStaysUnknown() throws {
        guard case .other(let opcode, _) = try LLControlPDU(hex("7F 01").wire) else {
            Issue.record("0x7F is defined by no version of the specification")
            return
        }
        #expect(opcode.name == nil)
        #expect(failure([]) { _ = try LLControlPDU($0) }?.need == 1)
    }

    @Test func connectionUpdate() throws {
        guard case .connectionUpdateInd(let pdu) = try LLControlPDU(hex("00 01 0200 0600 0300 F401 0E10").wire) else {
            Issue.record("no LL_CONNECTION_UPDATE_IND")
            return
        }
        #expect(pdu.interval == 6 && pdu.latency == 3 && pdu.timeout == 500 && pdu.instant == 0x100E)
    }

    @Test func encryption() throws {
        guard
            case .encReq(let request) = try LLControlPDU(
                hex("03 9078563412EFCDAB 7424 1302F1E0DFCEBDAC 24ABDCBA").wire)
        else {
            Issue.record("no LL_ENC_REQ")
            return
        }
        #expect(request.rand == 0xABCD_EF12_3456_7890 && request.ediv == 0x2474)
        #expect(request.skd == 0xACBD_CEDF_E0F1_0213 && request.iv == 0xBADC_AB24)
        guard case .encRsp(let response) = try LLControlPDU(hex("04 7968574635241302 BEBAAFDE").wire) else {
            Issue.record("no LL_ENC_RSP")
            return
        }
        #expect(response.skd == 0x0213_2435_4657_6879 && response.iv == 0xDEAF_BABE)
    }

    @Test func versionLengthAndPHY() throws {
        guard case .versionInd(let version) = try LLControlPDU(hex("0C 0C 5900 3412").wire),
            case .length(_, let length) = try LLControlPDU(hex("15 FB00 4808 1B00 4801").wire),
            case .phyUpdateInd(let phy) = try LLControlPDU(hex("18 02 04 3412").wire),
            case .phyUpdateInd(let same) = try LLControlPDU(hex("18 00 00 0000").wire),
            case .rejectExtInd(let opcode, let error) = try LLControlPDU(hex("11 16 1A").wire),
            case .channelMapInd(let map) = try LLControlPDU(hex("01 FFFFFFFF1F 0100").wire)
        else {
            Issue.record("not what was sent")
            return
        }
        #expect(version.versionName == "5.3" && version.companyIdentifier == 0x59 && version.subversion == 0x1234)
        #expect(length.maxRxOctets == 251 && length.maxRxTime == 2120 && length.maxTxOctets == 27)
        expect(length.maxTxTime, equals: 328)
        #expect(phy.centralToPeripheral == LEPHY(rawValue: 2) && phy.peripheralToCentral == LEPHY(rawValue: 3))
        #expect(same.centralToPeripheral == nil && same.peripheralToCentral == nil)
        #expect(opcode.name == "LL_PHY_REQ" && error.rawValue == 0x1A)
        #expect(map.channelMap.count == 37 && map.instant == 1)
    }

    /// CIG 1, CIS 2, both on LE 2M; ISO interval 10 ms. Vol 6, Part B, 2.4.2.29.
    @Test func connectedIsochronousStream() throws {
        let octets = hex(
            "1F 01 02 02 02 7800 7800 102700 102700 7800 7800 01 000000 11 02 02 0800 100000 200000 0100")
        guard case .cisReq(let request) = try LLControlPDU(octets.wire),
            case .cisInd(let stream) = try LLControlPDU(hex("21 78563412 000000 000000 000000 0000").wire)
        else {
            Issue.record("no LL_CIS_REQ")
            return
        }
        #expect(request.cigID == 1 && request.cisID == 2 && request.isoInterval == 8)
        expect(stream.accessAddress, equals: 0x1234_5678)
    }
}
