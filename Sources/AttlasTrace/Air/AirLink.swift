import AttlasCapture
import AttlasWire

/// The state of the link layer of one connection, as an observer receives it.
struct AirLink: Sendable {
    let accessAddress: UInt32
    /// nil when the connection setup was not heard and the sniffer checks the CRCs itself.
    let crcInit: UInt32?
    var central: BluetoothAddress?
    var peripheral: BluetoothAddress?
    /// Whether the connection was heard from its first event on.
    let isWhole: Bool
    var slot = 0
    /// Connection events that the peripheral may sleep through; nil if it is unknown. Here too, because each packet asks: a value in
    /// another table or in an optional is copied as a whole.
    var latency: UInt16?

    private var centralSide = AirSide()
    private var peripheralSide = AirSide()
    private var last: Heard?
    /// Connection events since one in which the peripheral was heard, that one not included.
    private var eventsWithoutPeripheral = 0
    var connectionEvents: AirEvents
    /// Missed since the last PDU that was handed to L2CAP.
    var missed = MissedPackets()
    /// The same for sides whose numbers may turn out not to change.
    private var doubtful = MissedPackets()
    var lengths = AirLengths()
    /// Announced, and not in force yet.
    var updates = AirUpdates()
    /// CIG_ID and CIS_ID of the last LL_CIS_REQ.
    var requestedStream: (group: UInt8, stream: UInt8)?
    var encryption: AirEncryption?
    var pairing = AirPairing()
    /// Starts of L2CAP frames in a row that made no sense.
    var unlikelyFrames = 0

    init(
        accessAddress: UInt32, crcInit: UInt32?, central: BluetoothAddress? = nil, peripheral: BluetoothAddress? = nil,
        interval: UInt16? = nil, latency: UInt16? = nil
    ) {
        self.accessAddress = accessAddress
        self.crcInit = crcInit
        self.central = central
        self.peripheral = peripheral
        self.latency = latency
        isWhole = central != nil
        connectionEvents = AirEvents(isWhole: isWhole, interval: interval)
        guard isWhole else { return }
        // Both numbers begin with 0. Vol 6, Part B, 4.5.9.
        centralSide.begin()
        peripheralSide.begin()
    }

    /// One packet as the link heard it.
    private struct Heard: Sendable {
        var side: Direction
        var begin: Timestamp
        /// Nanoseconds.
        var airTime: Int64 = 0
        var channel: UInt8?
        /// nil when its CRC was wrong.
        var numbers: SequenceNumbers?

        /// Whether a sniffer names the side that sent this packet for one that answers it, T_IFS later: some sniffers go wrong
        /// in events of more than two packets.
        @inline(__always)
        func contradicts(_ direction: Direction, _ answer: SequenceNumbers?, gap: Int64) -> Bool {
            guard side == direction, let numbers, let answer else { return false }
            return gap >= 0 && gap < AirLink.longestAnswerTime && answer == numbers.answer
        }

        /// Nanoseconds from its end to another packet; negative when the clock went back, and then at its limit far from an overflow.
        @inline(__always)
        func gap(to time: Timestamp) -> Int64 { max(time.nanoseconds(since: begin), .min / 2) - airTime }
    }

    /// Whether no packet was heard since its making.
    var isSilent: Bool { last == nil }

    /// Begins with a packet: the number of connection events that went by unheard before it, and its sender.
    ///
    /// - Parameters:
    ///   - numbers: nil when the CRC is wrong.
    ///   - direction: As the sniffer reports it.
    mutating func hear(
        _ numbers: SequenceNumbers?, _ direction: Direction, radio: RadioInfo, at time: Timestamp
    ) -> (side: Direction, missedEvents: Int) {
        let gap = last?.gap(to: time)
        let hops = !isSameChannel(radio.channel)
        let isSameEvent =
            !hops && gap.map { $0 < Self.longestPause } ?? false && connectionEvents.isCurrent(radio.eventCounter)
        let events = isSameEvent ? 0 : connectionEvents.begin(radio.eventCounter, hops: hops, at: time)
        // Passes only parts of the link, because a function that only reads it would get a copy of all of it.
        let isWrong = isSameEvent && last?.contradicts(direction, numbers, gap: gap ?? 0) ?? false
        let isKnown = direction != .unknown && !isWrong
        let side = isKnown ? direction : infer(numbers, gap: isSameEvent ? gap : nil, events: events)
        eventsWithoutPeripheral = side == .rx ? 0 : min(eventsWithoutPeripheral + events, Self.mostEvents)
        last = Heard(side: side, begin: time, channel: radio.channel, numbers: numbers)
        return (side, max(0, events - 1))
    }

    /// Ends the packet that `hear` began.
    ///
    /// - Parameter airTime: The packet's duration, in microseconds.
    @inline(__always)
    mutating func endPacket(airTime: Int) {
        last?.airTime = Int64(airTime) * 1_000
    }

    /// The counter of events has 16 bits.
    private static let mostEvents = 65_536
    /// Longer than T_IFS and a few packets that were missed, and shorter than the shortest interval of 7.5 ms.
    private static let longestPause: Int64 = 2_500_000
    /// T_IFS of 150 µs, and the error of sniffers. Vol 6, Part B, 4.1.
    private static let longestAnswerTime: Int64 = 250_000

    private func isSameChannel(_ channel: UInt8?) -> Bool {
        guard let channel, let before = last?.channel else { return true }
        return channel == before
    }

    /// The sender of a packet if the sniffer does not report it: within an event the two sides alternate, and the central begins each. A
    /// direction that the sequence numbers contradict stays unknown. Vol 6, Part B, 4.5.1 and 4.5.9.
    ///
    /// - Parameter gap: Nanoseconds since the end of the packet before in the same event; nil at the start of one.
    private func infer(_ numbers: SequenceNumbers?, gap: Int64?, events: Int) -> Direction {
        guard let last else { return isWhole ? .tx : .unknown }
        guard let gap else { return inferFirst(numbers, events: events) }
        guard last.side != .unknown, let numbers, let before = last.numbers, gap > Self.longestAnswerTime else {
            return last.side.opposite
        }
        // The other side's packet between was missed.
        return numbers == before.next && numbers != before.answer ? last.side : last.side.opposite
    }

    private func inferFirst(_ numbers: SequenceNumbers?, events: Int) -> Direction {
        // After missed events, the numbers are unknown.
        guard events == 1, let numbers, let last, let before = last.numbers, last.side != .unknown else { return .tx }
        let expected = last.side == .tx ? before.next : before.answer
        if numbers == expected || numbers == centralSide.numbers { return .tx }
        return numbers == expected.answer ? .rx : .unknown
    }

    // MARK: Sequence numbers

    /// The kind of packet, by its sequence number.
    enum Reception {
        case new
        case again
        /// The central's empty packet, again, because the peripheral sleeps: the latency permits it.
        case poll
    }

    /// The effects of a packet with a right CRC.
    struct Acceptance {
        let reception: Reception
        /// The missing packets, before it and including those that it reveals.
        let missed: (before: MissedPackets, now: MissedPackets)
        /// A side whose sequence numbers turned out not to change, once.
        let constantSide: Direction?
    }

    /// Takes over the numbers of a packet with a right CRC, and ends it.
    ///
    /// - Parameter airTime: The packet's duration, in microseconds.
    mutating func accept(_ packet: DataPDU, _ side: Direction, missedEvents: Int, airTime: Int) -> Acceptance {
        endPacket(airTime: airTime)
        let before = missed
        let reception = receive(packet, side, missedEvents: missedEvents)
        return Acceptance(reception: reception, missed: (before, missed), constantSide: takeConstantSide())
    }

    @inline(__always)
    private mutating func receive(_ packet: DataPDU, _ side: Direction, missedEvents: Int) -> Reception {
        miss(missedEvents)
        defer { settleDoubts() }
        let numbers = SequenceNumbers(packet)
        let print = packet.fingerprint
        switch side {
        case .tx:
            if peripheralSide.isAcknowledged(by: numbers, of: centralSide) == .missed { doubtful.peripheral += 1 }
            let step = centralSide.advance(numbers, print, isEmpty: packet.isEmpty)
            if step == .afterMissed, missedEvents == 0 { doubtful.central += 1 }
            guard step == .again else { return .new }
            return packet.isEmpty && isAsleep ? .poll : .again
        case .rx:
            if centralSide.isAcknowledged(by: numbers, of: peripheralSide) == .missed, missedEvents == 0 {
                doubtful.central += 1
            }
            let step = peripheralSide.advance(numbers, print, isEmpty: packet.isEmpty)
            if step == .afterMissed { doubtful.peripheral += 1 }
            return step == .again ? .again : .new
        case .unknown: return .new
        }
    }

    /// Notes events that went by unheard. In each, the central sent.
    @inline(__always)
    mutating func miss(_ events: Int) {
        guard events > 0 else { return }
        doubtful.central += events
        centralSide.isAfterGap = true
        peripheralSide.isAfterGap = true
    }

    /// Counts packets missed of sides whose numbers change, and drops those of sides whose numbers do not.
    @inline(__always)
    private mutating func settleDoubts() {
        guard doubtful.total > 0 || centralSide.isConstant || peripheralSide.isConstant else { return }
        centralSide.settle(&doubtful.central, &missed.central)
        peripheralSide.settle(&doubtful.peripheral, &missed.peripheral)
    }

    /// Whether the peripheral did not have to listen to the central's packet before. Vol 6, Part B, 4.5.1.
    private var isAsleep: Bool {
        guard let latency else { return eventsWithoutPeripheral > 1 }
        return eventsWithoutPeripheral > 1 && eventsWithoutPeripheral <= Int(latency) + 1
    }

    // MARK: Numbers that are none

    @inline(__always)
    private mutating func takeConstantSide() -> Direction? {
        if centralSide.takeConstancy() { return .tx }
        return peripheralSide.takeConstancy() ? .rx : nil
    }

    /// Sides whose numbers did not change in another connection of the capture: their numbers count once they change.
    mutating func presumeConstant(central: Bool, peripheral: Bool) {
        if central { centralSide.presumeConstant() }
        if peripheral { peripheralSide.presumeConstant() }
    }
}

/// SN and NESN of one packet.
struct SequenceNumbers: Sendable, Equatable {
    /// Both in one number, so that they are compared at once: NESN is the lower one.
    private let bits: UInt8

    private init(bits: UInt8) {
        self.bits = bits
    }

    init(sn: Bool, nesn: Bool) {
        self.init(bits: (sn ? 0b10 : 0) | (nesn ? 0b01 : 0))
    }

    @inline(__always)
    init(_ packet: DataPDU) {
        self.init(sn: packet.sn, nesn: packet.nesn)
    }

    var sn: Bool { bits & 0b10 != 0 }
    var nesn: Bool { bits & 0b01 != 0 }
    /// The sender's next numbers, when both sides heard each other.
    var next: SequenceNumbers { SequenceNumbers(bits: bits ^ 0b11) }
    /// The other side's answer, when it heard this packet and had been heard.
    var answer: SequenceNumbers { SequenceNumbers(sn: nesn, nesn: !sn) }
}

/// One side of a link: its last packet that was heard.
struct AirSide: Sendable {
    enum Acknowledgement {
        case none, of, missed
    }

    enum Step {
        case next, again, afterMissed
    }

    private(set) var numbers: SequenceNumbers?
    /// nil when the packet itself was missed, and only its acknowledgement shows that there was one.
    private var fingerprint: UInt64?
    private var isAcknowledged = false
    /// Whether connection events were missed since that packet.
    var isAfterGap = false
    private var constancy = Constancy()

    /// Before the first packet, whose numbers are both 0.
    mutating func begin() {
        numbers = SequenceNumbers(sn: true, nesn: false)
        isAcknowledged = true
    }

    /// Whether the numbers mean nothing.
    var isConstant: Bool { constancy.isAssumed }
    mutating func presumeConstant() { constancy.presume() }

    func settle(_ doubtful: inout Int, _ missed: inout Int) {
        if isConstant {
            (doubtful, missed) = (0, 0)
        } else if !constancy.isOpen {
            missed += doubtful
            doubtful = 0
        }
    }
    /// Whether it has become certain since the last call that they mean nothing.
    mutating func takeConstancy() -> Bool { constancy.takeNews() }

    /// The acknowledgement of this side's packets by a packet of the other side: one was received whenever its NESN changes.
    ///
    /// - Parameter other: The other side as it was before that packet.
    @inline(__always)
    mutating func isAcknowledged(by received: SequenceNumbers, of other: AirSide) -> Acknowledgement {
        guard !isConstant, !other.isConstant else { return .none }
        guard let before = other.numbers, received.nesn != before.nesn else { return .none }
        guard let numbers else { return .none }
        if !isAcknowledged, numbers.sn != received.nesn {
            isAcknowledged = true
            return .of
        }
        // It has received one after the last that was heard.
        self.numbers = SequenceNumbers(sn: !received.nesn, nesn: numbers.nesn)
        fingerprint = nil
        isAcknowledged = true
        return .missed
    }

    @inline(__always)
    mutating func advance(_ received: SequenceNumbers, _ print: UInt64, isEmpty: Bool) -> Step {
        defer {
            numbers = received
            fingerprint = print
            isAfterGap = false
        }
        let step = step(received, print, isEmpty: isEmpty)
        constancy.note(received, print, isAnother: step != .again && !isEmpty)
        if isConstant { return .next }
        if step == .afterMissed || isAfterGap || numbers?.sn != received.sn { isAcknowledged = false }
        return step
    }

    @inline(__always)
    private func step(_ received: SequenceNumbers, _ print: UInt64, isEmpty: Bool) -> Step {
        guard let numbers, numbers.sn == received.sn else { return .next }
        // All empty packets are alike, and an even count of packets may have been missed.
        if isAfterGap, isEmpty { return .next }
        // Acknowledged, and sent again nevertheless: now it is heard.
        guard let fingerprint else { return .next }
        // Another packet with the same number: an odd count of them went by.
        return fingerprint == print ? .again : .afterMissed
    }
}

extension DataPDU {
    /// The same for a packet that is sent again, and hardly ever for another.
    fileprivate var fingerprint: UInt64 {
        // Most are empty.
        @inline(__always) get { length == 0 ? UInt64(header & 0b11) : fingerprintOfPayload }
    }

    private var fingerprintOfPayload: UInt64 {
        var print = UInt64(length) << 8 | UInt64(llid.rawValue)
        let payload = payload
        func mix(_ word: UInt64) {
            print = (print ^ word) &* 0x9E37_79B9_7F4A_7C15
            print ^= print >> 32
        }
        guard payload.count >= 8 else {
            for offset in 0..<payload.count { mix(UInt64(payload[offset])) }
            return print
        }
        var offset = 0
        while offset + 8 < payload.count {
            mix(payload.uint64(at: offset))
            offset += 8
        }
        // The last eight, of which some may be among those before.
        mix(payload.uint64(at: payload.count - 8))
        return print
    }
}

/// Packet lengths that both sides announced. Core Specification, Vol 6, Part B, 4.5.10.
struct AirLengths: Sendable {
    struct Side: Sendable {
        let maxRxOctets: UInt16
        let maxRxTime: UInt16
        let maxTxOctets: UInt16
        let maxTxTime: UInt16
    }

    var central: Side?
    var peripheral: Side?

    /// The lengths in force: the smaller of the sender's and the receiver's limits.
    var effective: Connection.DataLength? {
        guard let central, let peripheral else { return nil }
        return Connection.DataLength(
            maxTxOctets: min(central.maxTxOctets, peripheral.maxRxOctets),
            maxTxTime: min(central.maxTxTime, peripheral.maxRxTime),
            maxRxOctets: min(peripheral.maxTxOctets, central.maxRxOctets),
            maxRxTime: min(peripheral.maxTxTime, central.maxRxTime))
    }
}
