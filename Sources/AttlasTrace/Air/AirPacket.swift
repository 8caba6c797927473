import AttlasCapture
import AttlasWire

/// A packet from the air, with the sniffer's data and the result of decoding it.
public struct AirPacket: ~Escapable, Copyable {
    /// The decoded PDU.
    public enum Kind: ~Escapable, Copyable {
        /// A packet of an advertising channel, primary or secondary.
        case advertising(AdvertisingPDU)
        /// A packet of a connection; its contents are reported separately.
        case data(DataPDU)
        /// A control PDU of a connection, readable.
        case control(LLControlPDU)
        /// A packet of a stream or a train, whose contents are reported separately or not decoded.
        case other(AirChannel)
        /// Header incomplete.
        case unreadable
    }

    /// The outcome of the packet.
    public enum Disposition: String, Sendable {
        /// It counts, whatever it holds.
        case taken
        /// Sent before, by its sequence number: left out. Core Specification, Vol 6, Part B, 4.5.9.
        case retransmission
        /// Its CRC is wrong: left out.
        case badCRC = "bad CRC"
        /// Its connection is encrypted and the key is not known.
        case encrypted
        /// Its MIC matches no key, or not after missed packets.
        case undecryptable = "not decryptable"
        /// Its Access Address may be noise: no second packet with a fitting CRC was seen yet.
        case unconfirmed
        /// Its connection had ended.
        case ended
    }

    /// Channel, signal strength and checks, as the sniffer reported them.
    public let radio: RadioInfo
    /// Access Address, 32 bits.
    public let accessAddress: UInt32
    /// The PDU's octets with its header, as they were captured.
    public let pdu: Bytes
    /// The payload, if it was encrypted and could be decrypted.
    public let decrypted: Bytes?
    /// The decoded PDU.
    public let kind: Kind
    /// Whether the packet counts, or why it was left out.
    public internal(set) var disposition: Disposition
    /// Its time on the air, in microseconds.
    public let airTime: Int
    /// Events of the connection that went by unheard before this packet.
    public let missedEvents: Int

    @_lifetime(copy pdu, copy decrypted, copy kind)
    init(
        radio: RadioInfo, accessAddress: UInt32, pdu: Bytes, decrypted: Bytes? = nil, kind: Kind,
        disposition: Disposition, airTime: Int, missedEvents: Int = 0
    ) {
        self.radio = radio
        self.accessAddress = accessAddress
        self.pdu = pdu
        self.decrypted = decrypted
        self.kind = kind
        self.disposition = disposition
        self.airTime = airTime
        self.missedEvents = missedEvents
    }

    /// The same, reported by the control PDU that it holds.
    @_lifetime(copy self, copy pdu)
    func holding(_ pdu: LLControlPDU) -> AirPacket {
        AirPacket(
            radio: radio, accessAddress: accessAddress, pdu: self.pdu, decrypted: decrypted, kind: .control(pdu),
            disposition: disposition, airTime: airTime, missedEvents: missedEvents)
    }

    /// The same, with its payload decrypted.
    @_lifetime(copy self, copy payload)
    func decrypted(_ payload: Bytes) -> AirPacket {
        AirPacket(
            radio: radio, accessAddress: accessAddress, pdu: pdu, decrypted: payload, kind: kind,
            disposition: disposition, airTime: airTime, missedEvents: missedEvents)
    }
}

/// The meaning of an Access Address that is not a connection.
public enum AirChannel: Sendable {
    case periodicAdvertising
    /// nil where the capture does not have its LL_CIS_REQ and LL_CIS_IND.
    case connectedIsochronous(ConnectedStream?)
    /// nil where the capture does not have its BIGInfo.
    case broadcastIsochronous(BroadcastStream?)
    /// Nothing in the capture announced it.
    case unknown
}

/// A Connected Isochronous Stream on the air. Core Specification, Vol 6, Part B, 4.5.13.
public struct ConnectedStream: Sendable {
    /// Number of its connection.
    public let connection: Int
    /// CIG_ID.
    public let group: UInt8
    /// CIS_ID.
    public let stream: UInt8
}

/// A Broadcast Isochronous Stream on the air, or the control subevents of its group. Core Specification, Vol 6, Part B, 4.4.6.
public struct BroadcastStream: Sendable {
    /// Number of the periodic advertising train that describes it.
    public let train: Int
    /// BIS_Number, from 1; 0 is the control subevent.
    public let number: UInt8
    /// Whether a Broadcast_Code is needed.
    public let isEncrypted: Bool
}

/// Packets that are known to be missing from the capture: from sequence numbers, acknowledgements and event counters. There may
/// be more.
public struct MissedPackets: Sendable {
    /// Packets of the central.
    public internal(set) var central = 0
    /// Packets of the peripheral.
    public internal(set) var peripheral = 0

    /// Packets of both sides.
    public var total: Int { central + peripheral }
}

/// Whether the PDUs of an encrypted connection can be read.
public enum Decryption: Sendable, Equatable {
    /// They can, with a key from there.
    case active(KeySource)
    /// No key of the connection is known.
    case noKey
    /// The whole pairing was heard; only its Temporary Key, such as a passkey, is not known.
    case noTemporaryKey
    /// The whole pairing was heard; no Temporary Key that was given makes its confirm value.
    case wrongTemporaryKey
    /// The key came from LE Secure Connections, and no capture has its inputs.
    case secureConnections
    /// The request or the answer that the session key is made of was missed.
    case noSessionKey
    /// No key that was given, or seen, fits.
    case wrongKey
    /// The capture began after encryption had.
    case begunBefore
    /// They can: they were captured after decryption, or never encrypted.
    case plainText

    /// Whether the PDUs of the connection are decoded.
    public var isReadable: Bool {
        switch self {
        case .active, .plainText: true
        default: false
        }
    }

    /// Origin of a key: an option, a key distribution in the capture, or the pairing itself.
    public enum KeySource: String, Sendable {
        /// From an option or a file of keys.
        case given
        /// From a key distribution in a capture.
        case distributed
        /// Computed from the captured pairing.
        case pairing
    }
}
