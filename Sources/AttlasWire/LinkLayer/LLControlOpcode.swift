/// The first octet of an LL control PDU. Core Specification, Vol 6, Part B, 2.4.2, Table 2.18.
public struct LLControlOpcode: RawRepresentable, Hashable, Sendable {
    public let rawValue: UInt8

    @inlinable
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// The specification's definition of an opcode.
    public struct Definition: Sendable {
        let name: String
        /// Octets of CtrData; nil if they vary.
        public let length: Int?

        init(_ name: String, _ length: Int?) {
            self.name = name
            self.length = length
        }
    }

    /// nil for an opcode that the specification does not define.
    public var definition: Definition? {
        Self.definitions.indices.contains(Int(rawValue)) ? Self.definitions[Int(rawValue)] : nil
    }

    /// Name in the specification; nil for an undefined opcode.
    public var name: String? { definition?.name }

    /// By opcode, from 0x00 on. The layouts are those of 2.4.2.1 and the following sections.
    private static let definitions = [
        Definition("LL_CONNECTION_UPDATE_IND", 11),
        Definition("LL_CHANNEL_MAP_IND", 7),
        Definition("LL_TERMINATE_IND", 1),
        Definition("LL_ENC_REQ", 22),
        Definition("LL_ENC_RSP", 12),
        Definition("LL_START_ENC_REQ", 0),
        Definition("LL_START_ENC_RSP", 0),
        Definition("LL_UNKNOWN_RSP", 1),
        Definition("LL_FEATURE_REQ", 8),
        Definition("LL_FEATURE_RSP", 8),
        Definition("LL_PAUSE_ENC_REQ", 0),
        Definition("LL_PAUSE_ENC_RSP", 0),
        Definition("LL_VERSION_IND", 5),
        Definition("LL_REJECT_IND", 1),
        Definition("LL_PERIPHERAL_FEATURE_REQ", 8),
        Definition("LL_CONNECTION_PARAM_REQ", 23),
        // 0x10
        Definition("LL_CONNECTION_PARAM_RSP", 23),
        Definition("LL_REJECT_EXT_IND", 2),
        Definition("LL_PING_REQ", 0),
        Definition("LL_PING_RSP", 0),
        Definition("LL_LENGTH_REQ", 8),
        Definition("LL_LENGTH_RSP", 8),
        Definition("LL_PHY_REQ", 2),
        Definition("LL_PHY_RSP", 2),
        Definition("LL_PHY_UPDATE_IND", 4),
        Definition("LL_MIN_USED_CHANNELS_IND", 2),
        Definition("LL_CTE_REQ", 1),
        Definition("LL_CTE_RSP", 0),
        Definition("LL_PERIODIC_SYNC_IND", 34),
        Definition("LL_CLOCK_ACCURACY_REQ", 1),
        Definition("LL_CLOCK_ACCURACY_RSP", 1),
        Definition("LL_CIS_REQ", 35),
        // 0x20
        Definition("LL_CIS_RSP", 8),
        Definition("LL_CIS_IND", 15),
        Definition("LL_CIS_TERMINATE_IND", 3),
        Definition("LL_POWER_CONTROL_REQ", 3),
        Definition("LL_POWER_CONTROL_RSP", 4),
        Definition("LL_POWER_CHANGE_IND", 4),
        Definition("LL_SUBRATE_REQ", 10),
        Definition("LL_SUBRATE_IND", 10),
        Definition("LL_CHANNEL_REPORTING_IND", 3),
        Definition("LL_CHANNEL_STATUS_IND", 10),
        Definition("LL_PERIODIC_SYNC_WR_IND", 42),
        Definition("LL_FEATURE_EXT_REQ", 26),
        Definition("LL_FEATURE_EXT_RSP", 26),
        Definition("LL_CS_SEC_RSP", 20),
        Definition("LL_CS_CAPABILITIES_REQ", 25),
        Definition("LL_CS_CAPABILITIES_RSP", 25),
        // 0x30
        Definition("LL_CS_CONFIG_REQ", 27),
        Definition("LL_CS_CONFIG_RSP", 1),
        Definition("LL_CS_REQ", 28),
        Definition("LL_CS_RSP", 21),
        Definition("LL_CS_IND", 18),
        Definition("LL_CS_TERMINATE_REQ", 4),
        Definition("LL_CS_FAE_REQ", 0),
        Definition("LL_CS_FAE_RSP", 72),
        Definition("LL_CS_CHANNEL_MAP_IND", 12),
        Definition("LL_CS_SEC_REQ", 20),
        Definition("LL_CS_TERMINATE_RSP", 4),
        Definition("LL_FRAME_SPACE_REQ", 7),
        Definition("LL_FRAME_SPACE_RSP", 5),
        Definition("LL_OTA_UTP_IND", nil),
        Definition("LL_CONNECTION_RATE_REQ", nil),
        Definition("LL_CONNECTION_RATE_IND", 14),
    ]
}

/// The opcodes that modules above compare: computed, so that they compile to numbers there.
extension LLControlOpcode {
    @inlinable package static var connectionUpdateInd: Self { Self(rawValue: 0x00) }
    @inlinable package static var channelMapInd: Self { Self(rawValue: 0x01) }
    @inlinable package static var terminateInd: Self { Self(rawValue: 0x02) }
    @inlinable package static var encReq: Self { Self(rawValue: 0x03) }
    @inlinable package static var encRsp: Self { Self(rawValue: 0x04) }
    @inlinable package static var startEncReq: Self { Self(rawValue: 0x05) }
    @inlinable package static var startEncRsp: Self { Self(rawValue: 0x06) }
    @inlinable package static var unknownRsp: Self { Self(rawValue: 0x07) }
    @inlinable package static var featureReq: Self { Self(rawValue: 0x08) }
    @inlinable package static var featureRsp: Self { Self(rawValue: 0x09) }
    @inlinable package static var pauseEncRsp: Self { Self(rawValue: 0x0B) }
    @inlinable package static var versionInd: Self { Self(rawValue: 0x0C) }
    @inlinable package static var rejectInd: Self { Self(rawValue: 0x0D) }
    @inlinable package static var peripheralFeatureReq: Self { Self(rawValue: 0x0E) }
    @inlinable package static var connectionParamReq: Self { Self(rawValue: 0x0F) }
    @inlinable package static var connectionParamRsp: Self { Self(rawValue: 0x10) }
    @inlinable package static var rejectExtInd: Self { Self(rawValue: 0x11) }
    @inlinable package static var lengthReq: Self { Self(rawValue: 0x14) }
    @inlinable package static var lengthRsp: Self { Self(rawValue: 0x15) }
    @inlinable package static var phyReq: Self { Self(rawValue: 0x16) }
    @inlinable package static var phyRsp: Self { Self(rawValue: 0x17) }
    @inlinable package static var phyUpdateInd: Self { Self(rawValue: 0x18) }
    @inlinable package static var minUsedChannelsInd: Self { Self(rawValue: 0x19) }
    @inlinable package static var cisReq: Self { Self(rawValue: 0x1F) }
    @inlinable package static var cisInd: Self { Self(rawValue: 0x21) }
    @inlinable package static var cisTerminateInd: Self { Self(rawValue: 0x22) }
    @inlinable package static var powerControlReq: Self { Self(rawValue: 0x23) }
    @inlinable package static var powerControlRsp: Self { Self(rawValue: 0x24) }
    @inlinable package static var powerChangeInd: Self { Self(rawValue: 0x25) }
    @inlinable package static var subrateReq: Self { Self(rawValue: 0x26) }
    @inlinable package static var subrateInd: Self { Self(rawValue: 0x27) }
    @inlinable package static var frameSpaceRsp: Self { Self(rawValue: 0x3C) }
    @inlinable package static var connectionRateInd: Self { Self(rawValue: 0x3F) }
}
