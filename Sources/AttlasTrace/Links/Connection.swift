import AttlasCapture
import AttlasWire

/// One connection instance: from its making, or the first sign of it, to its end.
///
/// A handle that is used again after a disconnection is a new instance.
public struct Connection: Sendable {
    // Members that every packet needs come first, to lie in two or three cache lines: many connections at once do not fit into the nearest
    // cache.

    /// Counted from 1 over the whole trace.
    public let number: Int
    /// Index into `Trace.peers`.
    public internal(set) var peer: Int
    /// The first is the one of the fixed channel.
    public internal(set) var bearers = [Bearer()]
    /// The losses of which it knows, of all controllers.
    var losses = 0
    /// ACL packets in the controller's buffers.
    public internal(set) var buffers = ControllerBuffers()
    /// LE or BR/EDR.
    public let transport: Transport
    var transmitted = Reassembly()
    var received = Reassembly()

    /// Number of the controller, as the capture counts them.
    public let controller: UInt16
    /// 0 for a connection captured from the air.
    public let handle: ConnectionHandle
    /// Access Address of a connection captured from the air: there the central has the place of the recorded host, and the peripheral is
    /// the peer.
    public let accessAddress: UInt32?
    /// The central's address in a connection captured from the air; nil if the connection request was not captured.
    public let central: BluetoothAddress?
    /// The host's role; nil if the connection setup was not captured.
    public let isCentral: Bool?
    /// Index into `Trace.controllers`.
    public let controllerIndex: Int
    /// The address that the peer uses on the air, if `peer` has another identity address.
    public internal(set) var privateAddress: BluetoothAddress?
    var updateRequest: UpdateRequest?
    /// When the last ATT PDU came.
    var lastOperation: Timestamp?
    /// When it was made, or first seen.
    public let begun: Timestamp
    /// Whether its making is in the log.
    public internal(set) var hasBeginning = false
    /// Whether everything on it since its making is in the capture, which has its parameters too.
    public internal(set) var isWhole = false
    /// nil if they were not captured.
    public internal(set) var parameters: Parameters?
    /// PHY that the recorded host sends on, 1 to 3 as in HCI; nil if unknown.
    public internal(set) var transmitPHY: UInt8?
    /// PHY that the recorded host receives on, 1 to 3 as in HCI; nil if unknown.
    public internal(set) var receivePHY: UInt8?
    /// Times between packets.
    package internal(set) var frameSpaces = FrameSpaces()
    /// nil if it was not captured.
    public internal(set) var dataLength: DataLength?
    /// Whether link-layer encryption is on now.
    public internal(set) var isEncrypted = false
    /// The readings of Read RSSI. Core Specification, Vol 4, Part E, 7.5.4.
    public private(set) var signal: SignalStrength?
    /// Version of the peer's controller, or from the air of the peripheral's; nil if it was not captured.
    public internal(set) var peerVersion: ControllerVersion?
    /// From the air, of the central; nil if it was not captured.
    public internal(set) var centralVersion: ControllerVersion?
    /// By their identifiers, 0 to 3; empty when none was seen.
    public internal(set) var channelSounding: [ChannelSounding?] = []

    /// The HCI Disconnect command that waits for its Disconnection Complete event.
    public internal(set) var disconnectRequest: Moment?
    package var isDisconnectRequested: Bool { disconnectRequest != nil }
    /// A non-flushable first fragment was seen: the flags show who sent a packet.
    var flagsTellSide = false
    var channels = ChannelTable()
    var pendingIdentityKeys = PendingIdentityKeys()
    /// The losses of its controller that it knows of.
    var ownLosses = 0

    mutating func note(rssi dBm: Int8, at time: Timestamp) {
        if signal == nil { signal = SignalStrength(dBm, time) } else { signal?.note(dBm, time) }
    }

    /// Type of the link.
    public enum Transport: String, Sendable {
        case lowEnergy = "LE"
        case classic = "BR/EDR"
    }

    /// Parameters that the two controllers agreed on. Core Specification, Vol 4, Part E, 7.7.65.1.
    public struct Parameters: Sendable, Equatable {
        /// A multiple of 125 µs.
        public let intervalMicroseconds: Int
        /// Connection events that the peripheral may skip.
        public let latency: UInt16
        /// Units of 10 ms.
        public let supervisionTimeout: UInt16
        /// One in this number of connection events is used.
        public let subrateFactor: UInt16
        /// Events that stay in use after one with data, in spite of the factor.
        public let continuationNumber: UInt16

        /// Units of 1.25 ms, rounded up.
        public var interval: UInt16 { UInt16(clamping: (intervalMicroseconds + 1_249) / 1_250) }

        /// From one connection event to the next while data wait. With a continuation number, all are in use then.
        package var usedIntervalMicroseconds: Int {
            continuationNumber > 0 ? intervalMicroseconds : intervalMicroseconds * max(1, Int(subrateFactor))
        }
        /// How long the peripheral may be silent: interval × subrate factor × (latency + 1). Vol 6, Part B, 4.5.1.
        package var effectiveIntervalMicroseconds: Int {
            intervalMicroseconds * max(1, Int(subrateFactor)) * (Int(latency) + 1)
        }

        init(
            intervalMicroseconds: Int, latency: UInt16, supervisionTimeout: UInt16, subrateFactor: UInt16 = 1,
            continuationNumber: UInt16 = 0
        ) {
            self.intervalMicroseconds = intervalMicroseconds
            self.latency = latency
            self.supervisionTimeout = supervisionTimeout
            self.subrateFactor = subrateFactor
            self.continuationNumber = continuationNumber
        }

        /// - Parameter interval: Units of 1.25 ms.
        init(interval: UInt16, latency: UInt16, supervisionTimeout: UInt16) {
            self.init(
                intervalMicroseconds: Int(interval) * 1_250, latency: latency, supervisionTimeout: supervisionTimeout)
        }
    }

    /// T_IFS between the packets of a connection event, in microseconds. Core Specification, Vol 6, Part B, 4.1.1.
    package struct FrameSpaces: Sendable, Equatable {
        /// For each PHY, after the central's packet and after the peripheral's; empty while none was changed.
        private var spaces: [UInt16] = []
        private static let initial: UInt16 = 150

        /// - Parameters:
        ///   - phys: Bit 0 is LE 1M, bit 1 LE 2M, bit 2 LE Coded.
        ///   - types: Bit 0 is after the central's packet, bit 1 after the peripheral's.
        mutating func note(_ space: UInt16, phys: UInt8, types: UInt16) {
            if spaces.isEmpty { spaces = Array(repeating: Self.initial, count: 6) }
            for phy in 0..<3 where phys >> UInt8(phy) & 1 == 1 {
                for side in 0..<2 where types >> UInt16(side) & 1 == 1 { spaces[phy * 2 + side] = space }
            }
        }

        /// The time after a packet on a PHY, 1 to 3.
        package func after(central isCentral: Bool, phy: UInt8) -> Int {
            guard !spaces.isEmpty, 1...3 ~= phy else { return Int(Self.initial) }
            return Int(spaces[(Int(phy) - 1) * 2 + (isCentral ? 0 : 1)])
        }
    }

    /// A controller's report of a new connection; nil for parts that were not captured.
    struct Setup {
        let handle: ConnectionHandle
        let transport: Transport
        var isCentral: Bool?
        var address: BluetoothAddress?
        /// Reported next to the identity address by a controller that knows the device.
        var privateAddress: BluetoothAddress?
        var parameters: Parameters?
    }

    /// Octets and microseconds of the longest packet each way. Vol 4, Part E, 7.7.65.7.
    public struct DataLength: Sendable, Equatable {
        /// Largest payload sent, in octets.
        public let maxTxOctets: UInt16
        /// Longest packet sent, in microseconds.
        public let maxTxTime: UInt16
        /// Largest payload received, in octets.
        public let maxRxOctets: UInt16
        /// Longest packet received, in microseconds.
        public let maxRxTime: UInt16

        /// The number of octets of the longest packet that is within its time, too. LE Coded has two rates that HCI does not distinguish.
        ///
        /// - Parameter phy: 1 to 3 as in HCI.
        package func effectiveOctets(_ direction: Direction, phy: UInt8) -> Int {
            let (octets, time) = direction == .tx ? (maxTxOctets, maxTxTime) : (maxRxOctets, maxRxTime)
            // Octets of the preamble, access address, header, integrity check and CRC; microseconds of an octet. Vol 6, Part B, 4.5.10.
            let most =
                switch phy {
                case 1: Int(time) / 8 - (1 + 4 + 2 + 4 + 3)
                case 2: Int(time) / 4 - (2 + 4 + 2 + 4 + 3)
                default: Int.max
                }
            return min(Int(octets), max(Self.least, most))
        }

        /// Octets that every packet may have.
        package static let least = 27
    }

    /// How distances are measured, as far as the layout of their results depends on it. Vol 4, Part E, 7.7.65.42.
    public struct ChannelSounding: Sendable, Equatable {
        /// Whether the recorded host is the initiator; the peer is the other one, the reflector.
        public let isInitiator: Bool
        /// RTT_Type.
        public let roundTripTime: UInt8
    }

    init(
        number: Int, controller: UInt16, controllerIndex: Int, handle: ConnectionHandle, accessAddress: UInt32? = nil,
        central: BluetoothAddress? = nil, transport: Transport, isCentral: Bool?, peer: Int, begun: Timestamp
    ) {
        self.number = number
        self.controller = controller
        self.controllerIndex = controllerIndex
        self.handle = handle
        self.accessAddress = accessAddress
        self.central = central
        self.transport = transport
        self.isCentral = isCentral
        self.peer = peer
        self.begun = begun
    }

    /// A connection begins with LE 1M; nil if it began before the capture.
    package func phy(_ direction: Direction) -> UInt8? {
        (direction == .tx ? transmitPHY : receivePHY) ?? (isCentral != nil ? 1 : nil)
    }

    /// Whether it was captured from the air, and neither side is the recorded host.
    public var isHeard: Bool { accessAddress != nil }

    /// Gives back the memory of an ended connection.
    mutating func release() {
        transmitted = Reassembly()
        received = Reassembly()
        bearers = [Bearer()]
        channels = ChannelTable()
    }

    /// The longest time in which a side waited for credits of a channel.
    public func creditWait(until moment: Moment) -> CreditWait? { channels.creditWait(until: moment) }

    /// An SDU of a side on its way, on the channel with this end of the host.
    package func unfinishedSDU(on channel: L2CAPChannel, sentBy side: Direction) -> UnfinishedSDU? {
        channels.unfinishedSDU(on: channel, sentBy: side)
    }

    /// Bearers outlive their channels, to be used again.
    var channelCount: Int { max(channels.channels.count, bearers.count - 1) }

    /// Octets of memory that unfinished frames and values take.
    var heldOctets: Int {
        var held = transmitted.heldOctets + received.heldOctets
        for channel in channels.channels { held += channel.local.sdu.heldOctets + channel.remote.sdu.heldOctets }
        for bearer in bearers { held += bearer.heldOctets }
        return held
    }

    /// The bearer of the fixed channel.
    public var bearer: Bearer {
        @inline(__always) _read { yield bearers[0] }
        @inline(__always) _modify { yield &bearers[0] }
    }

    /// After a loss: on every bearer.
    mutating func forgetRequests() {
        for index in bearers.indices { bearers[index].forgetRequests() }
    }

    /// The fragments of one side; those of an unknown one are kept with the received.
    subscript(_ side: Direction) -> Reassembly {
        @inline(__always) get { side == .tx ? transmitted : received }
        @inline(__always) _modify {
            if side == .tx { yield &transmitted } else { yield &received }
        }
    }
}

extension ClosedRange {
    /// The least range with both.
    package func joined(_ other: ClosedRange?) -> ClosedRange {
        guard let other else { return self }
        return Swift.min(lowerBound, other.lowerBound)...Swift.max(upperBound, other.upperBound)
    }
}
