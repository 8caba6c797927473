import AttlasCapture
import AttlasWire

/// Something that the trace learned from a record, with the octets it was learned from.
///
/// An event borrows from the record: a sink copies the parts that it keeps. Numbers in the event (connection, peer, UUID) are looked up in
/// the trace that comes with it.
public struct Event: ~Escapable, Copyable {
    /// The record that completed the event, counted from 1.
    public let frame: Int
    /// All records that made the PDU, when there were several; empty otherwise.
    public let frames: Span<Int>
    /// Time of that record.
    public let time: Timestamp
    /// Number of the controller, as the capture counts them.
    public let controller: UInt16
    /// Direction of that record, seen from the recorded host.
    public let direction: Direction
    /// Index into `Trace.connections`, valid while the event is received.
    public let connection: Int?
    /// The status of an app's log that the record's octets have no code for.
    public let reported: ApplicationStatus?
    /// The contents of the event.
    public let detail: Detail

    /// The contents of an event, borrowed from the record where it has octets.
    public enum Detail: ~Escapable, Copyable {
        /// Records that the capture counted as lost before this one.
        case loss(UInt32)
        /// The clock of the capture went back, or jumped ahead, by this number of microseconds.
        case clockStep(Int64)
        /// Undecodable data; the layers below were reported.
        case fault(Fault)
        /// A memory limit of the trace that was reached, with its number. Reported once for each limit.
        case limit(TraceLimit, Int)
        case command(HCICommand)
        case hciEvent(HCIEvent)
        /// ACL data of a handle without a connection, SCO, ISO and packets of unknown type.
        case data(DataPacket)
        /// A record of the Linux monitor without an HCI packet.
        case monitor(opcode: UInt16, Bytes)
        /// A record of PacketLogger without an HCI packet.
        case packetLogger(PacketLoggerType, Bytes)
        case advertising(AdvertisingReport)
        /// Data of a periodic advertising train, or a change of its synchronization.
        case periodic(PeriodicReport)
        /// An isochronous stream was set up, or ended.
        case stream(StreamChange)
        /// A packet from the air.
        case air(AirPacket)
        /// Packets of a connection that were on the air but are not in the capture; reported before the next PDU.
        case missed(MissedPackets)
        case connection(ConnectionChange)
        case l2cap(L2CAPFrame)
        /// A command of an L2CAP signaling channel.
        case signal(L2CAPSignal)
        /// A Connection Parameter Update Request without a response for this number of nanoseconds, 30 s or more.
        case updateUnanswered(UpdateRequest, Int64)
        /// A whole SDU of a connection-oriented channel, after its last frame.
        case sdu(ChannelSDU)
        case smp(SMPPDU)
        case att(ATTOperation)
        /// A request or an indication ended without its answer; before the end of the connection.
        case exchange(ExchangeEnd)
        /// After an Exchange MTU Response.
        case mtu(MTUExchange)
        /// After the Write Response.
        case subscription(Subscription)
        /// After the last part of a long read, or after Execute Write.
        case assembled(AssembledValue)
        /// A table of the peer's server or of the host's.
        case importedTable(ImportedTableChange, ServerSide)
        /// An address turned out to belong to a known device.
        case identified(PeerIdentification)
    }

    @_lifetime(copy detail, copy frames)
    init(_ context: PDUContext, connection: Int?, frames: Span<Int>, _ detail: Detail) {
        frame = context.frame
        time = context.time
        controller = context.controller
        direction = context.direction
        self.frames = frames
        self.connection = connection
        reported = context.reported
        self.detail = detail
    }
}

extension Event {
    /// Whether the event was made from the record with this number.
    public func isMade(of record: Int) -> Bool {
        if record == frame { return true }
        for index in frames.indices where frames[index] == record { return true }
        return false
    }
}

/// How far a trace decodes. Layers that are left out change no state either. Less than `all` is for measurements of the layers.
public enum DecodingDepth: Sendable {
    /// Up to L2CAP frames.
    case frames
    /// ATT PDUs matched to their requests, without the types of their handles.
    case operations
    case all
}

/// A receiver of events. Sinks are composed as generics; the trace does not know their types.
public protocol EventSink: ~Copyable {
    /// How far the trace decodes for this sink.
    static var depth: DecodingDepth { get }
    /// Whether it now takes events of the kinds `command`, `hciEvent`, `l2cap` and `air`: most records give one, and most sinks only
    /// use the layers above them.
    var wantsPackets: Bool { get }
    /// Whether it takes events of the kinds `command` and `hciEvent` also without the others of `wantsPackets`.
    var wantsControl: Bool { get }
    /// Whether it takes Number Of Completed Packets: nearly every other record where data is sent, and of no use to most sinks that take
    /// packets.
    var wantsCompletedPackets: Bool { get }
    /// Takes one event. It borrows from the record: copy the parts to keep.
    mutating func receive(_ event: borrowing Event, in trace: borrowing Trace)
}

extension EventSink where Self: ~Copyable {
    /// Everything.
    public static var depth: DecodingDepth { .all }
    public var wantsPackets: Bool { true }
    public var wantsControl: Bool { wantsPackets }
    public var wantsCompletedPackets: Bool { wantsPackets }
}

/// The properties that all events of one record share.
struct PDUContext {
    let frame: Int
    var time: Timestamp
    let controller: UInt16
    /// As the capture recorded it.
    let direction: Direction
    let making: Record.Making
    /// The status of an app's log that the octets have no code for.
    let reported: ApplicationStatus?
    /// The sender of the packet: the recorded direction, or the direction that the packet itself implies.
    var side: Direction
    /// Index into the connection's bearers: the bearer of an ATT PDU.
    var bearer = 0
    /// Octets that L2CAP put around an ATT PDU: the headers of all its frames, and the length of an SDU.
    var l2capHeaders = L2CAPFrame.headerLength

    @inline(__always)
    init(_ record: Record, clockRun: UInt8) {
        var time = record.time
        time.run = clockRun
        self.init(
            frame: record.frame, time: time, controller: record.controller, direction: record.direction,
            making: record.making, reported: record.reported)
    }

    init(
        frame: Int, time: Timestamp, controller: UInt16, direction: Direction, making: Record.Making = .captured,
        reported: ApplicationStatus? = nil
    ) {
        self.frame = frame
        self.time = time
        self.controller = controller
        self.direction = direction
        self.making = making
        self.reported = reported
        side = direction
    }

    var moment: Moment { Moment(frame: frame, time: time) }
}

/// Undecodable data, and the reason. The layers before the fault were already reported.
public enum Fault: Sendable, Equatable {
    /// The octets do not have the layout that they claim.
    case wire(WireError)
    /// The record could not be read.
    case capture(CaptureFault)
}

/// A packet whose type and length are known and whose contents are not decoded.
public struct DataPacket: ~Escapable, Copyable {
    /// HCI packet indicator (Vol 4, Part A, 2).
    public let type: UInt8
    /// Connection_Handle; nil for a packet without one.
    public let connectionHandle: ConnectionHandle?
    /// Octets of data that the header announces.
    public let length: Int
    /// Whether the type is unknown to attlas: it is not a type of HCI packets.
    public let isUnknown: Bool
    /// The captured part, with its header.
    public let bytes: Bytes

    @_lifetime(copy bytes)
    init(type: UInt8, connectionHandle: ConnectionHandle?, length: Int, isUnknown: Bool = false, bytes: Bytes) {
        self.type = type
        self.connectionHandle = connectionHandle
        self.length = length
        self.isUnknown = isUnknown
        self.bytes = bytes
    }
}

/// A service data unit of a connection-oriented channel.
public struct ChannelSDU: ~Escapable, Copyable {
    /// PSM or SPSM of the channel.
    public let psm: UInt16
    /// Whether the recorded host requested the channel, and not the peer.
    package let isAskedByHost: Bool
    /// The recorded host's end of the channel.
    public let localChannel: L2CAPChannel
    /// The peer's end of the channel.
    public let remoteChannel: L2CAPChannel
    /// Frames that the sender may still send; nil for a channel without credits.
    public let credits: Int?
    /// The longest SDU that the receiver takes.
    public let mtu: Int
    /// The longest frame that the receiver takes, and the longest one of the SDU. Unlimited without credits.
    let (mps, longestFrame): (Int, Int)
    /// Octets after the end of the SDU.
    let excess: Int
    /// Octets that the capture left out.
    public let missing: Int
    /// Captured octets of the SDU.
    public let bytes: Bytes

    @_lifetime(copy bytes)
    init(
        psm: UInt16, isAskedByHost: Bool = true, localChannel: L2CAPChannel, remoteChannel: L2CAPChannel, credits: Int?,
        mtu: Int, mps: Int = .max, longestFrame: Int = 0, excess: Int = 0, missing: Int, bytes: Bytes
    ) {
        self.psm = psm
        self.isAskedByHost = isAskedByHost
        self.localChannel = localChannel
        self.remoteChannel = remoteChannel
        self.credits = credits
        self.mtu = mtu
        (self.mps, self.longestFrame) = (mps, longestFrame)
        self.excess = excess
        self.missing = missing
        self.bytes = bytes
    }

    /// A breach of the limits of its receiver, which may close the channel for it. Vol 3, Part A, 3.4.3, 4.22 and 10.1.
    package enum Breach: Sendable, Equatable {
        case longFrame(octets: Int, mps: Int)
        case excess(octets: Int)
        case longSDU(octets: Int, mtu: Int)
    }

    /// nil if it is within the limits, and without credits.
    package var breach: Breach? {
        let octets = bytes.count + missing
        guard credits != nil else { return nil }
        if longestFrame > mps { return .longFrame(octets: longestFrame, mps: mps) }
        if excess > 0 { return .excess(octets: excess) }
        return octets > mtu ? .longSDU(octets: octets, mtu: mtu) : nil
    }
}

/// One advertising report of an HCI event, old or extended, an advertisement captured from the air, or the response to an inquiry of
/// BR/EDR, independent of its layout.
public struct AdvertisingReport: ~Escapable, Copyable {
    /// Address of the advertiser; nil for anonymous advertising.
    public let address: BluetoothAddress?
    /// The identity address, if the address is a private one that was resolved.
    public let identity: BluetoothAddress?
    /// Received signal strength in dBm; nil if unknown.
    public let rssi: Int8?
    /// Whether it answers a scan request.
    public let isScanResponse: Bool
    /// Whether the advertiser accepts connections.
    public let isConnectable: Bool
    /// Extended advertising; otherwise legacy advertising or an inquiry.
    public let isExtended: Bool
    /// Sent with legacy PDUs, which an event of extended advertising may report, too.
    package let hasLegacyPDU: Bool
    /// Response to an inquiry of BR/EDR.
    public let isInquiryResponse: Bool
    /// Advertising SID of extended advertising; nil where there is none.
    public let sid: UInt8?
    /// The interval of its periodic advertising, in units of 1.25 ms; nil without one.
    public let periodicInterval: UInt16?
    /// AD structures of the report.
    public let data: AdvertisingData
    /// The end of the data is not there: the controller could not receive it, or a part of it was lost. Core Specification,
    /// Vol 4, Part E, 7.7.65.13.
    public let isTruncated: Bool
    /// The PDU and the sniffer's data, if it was captured from the air.
    public let pdu: AdvertisingPDUType?
    /// nil unless it was captured from the air.
    public let radio: RadioInfo?

    @_lifetime(copy data)
    init(
        address: BluetoothAddress?, identity: BluetoothAddress?, rssi: Int8?, isScanResponse: Bool, isConnectable: Bool,
        isExtended: Bool, hasLegacyPDU: Bool? = nil, isInquiryResponse: Bool = false, sid: UInt8? = nil,
        periodicInterval: UInt16? = nil,
        data: AdvertisingData, isTruncated: Bool = false, pdu: AdvertisingPDUType? = nil, radio: RadioInfo? = nil
    ) {
        self.address = address
        self.identity = identity
        self.rssi = rssi
        self.isScanResponse = isScanResponse
        self.isConnectable = isConnectable
        self.isExtended = isExtended
        self.hasLegacyPDU = hasLegacyPDU ?? !isExtended
        self.isInquiryResponse = isInquiryResponse
        self.sid = sid
        self.periodicInterval = periodicInterval
        self.data = data
        self.isTruncated = isTruncated
        self.pdu = pdu
        self.radio = radio
    }
}

/// A change of a connection.
public enum ConnectionChange: Sendable {
    /// The connection was made, and its setup captured.
    case made
    /// Traffic on a handle whose connection was made before the capture began.
    case presumed
    /// An update that the central announced for a later connection event; then one of the three updates is reported. Connections captured
    /// from the air only.
    case announced(LinkUpdate)
    /// The connection, or the capture, ended before the event for which that was announced.
    case notReached(LinkUpdate)
    case parametersUpdated
    case phyUpdated
    case dataLengthUpdated
    /// `status`: success, or why encryption did not start.
    case encryption(enabled: Bool, status: HCIErrorCode)
    /// Whether encrypted packets can be decrypted. For a connection captured from the air.
    case decryption(Decryption)
    /// The sequence numbers of that side never change, as in headers that no controller made: its missed and retransmitted packets are
    /// unknown. Includes whether it is the capture's first connection like this.
    case constantNumbers(Party, isFirst: Bool)
    /// No packet of the connection was heard after CONNECT_IND, by its end or that of the capture.
    case unheard
    /// The sender's controller.
    case version(ControllerVersion)
    /// The sender's FeatureSet. Core Specification, Vol 6, Part B, 4.6.
    case features(UInt64)
    case channelMapUpdated(ChannelMap)
    /// The sender rejects a procedure; nil if the PDU does not name it.
    case rejected(LLControlOpcode?, HCIErrorCode)
    case failed(FailedAttempt)
    case ended(ConnectionEnd)

    /// For a connection captured from the air `host` is the central and `peer` the peripheral.
    public enum Party: String, Sendable {
        /// `link`: neither side ended it, as with a supervision timeout.
        case host, peer, link, unknown
    }
}

/// How a connection ended.
public enum ConnectionEnd: Sendable, Equatable {
    case disconnected(HCIErrorCode, by: ConnectionChange.Party)
    /// An app's log has a status of the operating system instead of a reason.
    case reported(ApplicationStatus)
    /// The handle or the Access Address was given to another connection, and no disconnection was recorded.
    case superseded
    /// The controller ended, and all its connections with it.
    case controller(ControllerEnd)

    /// How the controller ended.
    public enum ControllerEnd: String, Sendable {
        /// HCI_Reset. Core Specification, Vol 4, Part E, 7.3.2.
        case reset = "controller reset"
        /// The kernel closed it, because it was switched off for example.
        case closed = "controller closed"
        case removed = "controller removed"
    }
}

/// A connection that was not made.
public struct FailedAttempt: Sendable, Equatable {
    /// Reason of the failure.
    public let status: HCIErrorCode
    /// nil if the capture does not have it, or if any device of the Filter Accept List was meant.
    public let address: BluetoothAddress?
    /// Nanoseconds from the host's command; nil if that was not captured.
    public let duration: Int64?
    /// The status in an app's log instead of a reason; then `status` has no meaning.
    public let reported: ApplicationStatus?

    /// The host cancelled it: Unknown Connection Identifier. Core Specification, Vol 4, Part E, 7.1.7 and 7.8.13.
    public var isCancelled: Bool { status == .unknownConnectionIdentifier }
}

/// The MTU that an exchange put in force: the smaller of both sides', never below 23. Vol 3, Part F, 3.4.2.2.
public struct MTUExchange: Sendable {
    /// Client Rx MTU, in octets.
    public let client: Int
    /// Server Rx MTU, in octets.
    public let server: Int
    /// ATT_MTU from now on, in octets.
    public let inForce: Int
}

/// A client wrote the Client Characteristic Configuration and the server took it.
public struct Subscription: Sendable {
    /// Server that has the characteristic.
    public let server: ServerSide
    /// The descriptor's handle.
    public let handle: AttributeHandle
    /// The descriptor, with its characteristic.
    public let attribute: AttributeInfo
    /// Bit 0 notifications, bit 1 indications; 0 ends them.
    public let configuration: UInt16
}

/// A value that took several operations to move.
public struct AssembledValue: ~Escapable, Copyable {
    /// Procedure that moved the value.
    public enum Kind: String, Sendable {
        case longRead = "long read"
        case preparedWrite = "prepared write"
    }

    /// Whether the value is whole, or why it is not.
    public enum Outcome: String, Sendable {
        /// `cancelled`: by Execute Write with flag 0x00. `refused`: Execute Write was answered with an error.
        case complete, cancelled, refused
    }

    /// Procedure that moved the value.
    public let kind: Kind
    /// Whether the value is whole, or why it is not.
    public let outcome: Outcome
    /// Server that has the attribute.
    public let server: ServerSide
    /// Attribute handle, 0x0001 to 0xFFFF.
    public let handle: AttributeHandle
    /// Meaning of `handle`; nil if it is unknown.
    public let attribute: AttributeInfo?
    /// Where in the attribute the value begins: not 0 when a client wrote into the middle.
    public let offset: Int
    /// The octets, joined.
    public let value: Bytes
    /// Records that carried the parts, in order.
    public let frames: Span<Int>

    @_lifetime(copy value, copy frames)
    init(
        kind: Kind, outcome: Outcome, server: ServerSide, handle: AttributeHandle, attribute: AttributeInfo?,
        offset: Int, value: Bytes, frames: Span<Int>
    ) {
        self.kind = kind
        self.outcome = outcome
        self.server = server
        self.handle = handle
        self.attribute = attribute
        self.offset = offset
        self.value = value
        self.frames = frames
    }
}
