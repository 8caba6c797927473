import AttlasCapture
import AttlasTrace
import AttlasWire

/// The attribute of a row.
///
/// Two numbers, because each value looks for its row: comparing five optionals took 110 instructions, the cost of counting the
/// value.
package struct RowAttribute: Hashable, Sendable {
    /// Three of 21 bits: 0, or one more than the number of a UUID.
    private let uuids: UInt64
    /// The handle, and above it the masks.
    private var bits: UInt32

    private static let hasHandle: UInt32 = 0x1_0000
    private static let isPeers: UInt32 = 0x2_0000
    private static let isKnown: UInt32 = 0x4_0000

    /// Both numbers, which `RowKey` holds.
    fileprivate init(uuids: UInt64, bits: UInt32) {
        self.uuids = uuids
        self.bits = bits
    }

    fileprivate var numbers: (uuids: UInt64, bits: UInt32) { (uuids, bits) }

    init(_ server: ServerSide, _ handle: AttributeHandle, _ attribute: AttributeInfo?) {
        bits = UInt32(handle) | Self.hasHandle
        if server == .peer { bits |= Self.isPeers }
        guard let attribute else {
            uuids = 0
            return
        }
        bits |= Self.isKnown
        uuids =
            Self.bits(attribute.service) | Self.bits(attribute.characteristic) << 21
            | Self.bits(attribute.descriptor) << 42
    }

    private static func bits(_ uuid: UUIDIndex?) -> UInt64 { uuid.map { UInt64($0.value) + 1 } ?? 0 }

    private func uuid(_ shift: UInt64) -> UUIDIndex? {
        let number = uuids >> shift & 0x1F_FFFF
        return number == 0 ? nil : UUIDIndex(value: Int32(number) - 1)
    }

    package var server: ServerSide { bits & Self.isPeers != 0 ? .peer : .local }
    /// nil if the row has the attributes of several handles.
    package var handle: AttributeHandle? {
        bits & Self.hasHandle != 0 ? AttributeHandle(truncatingIfNeeded: bits) : nil
    }
    package var service: UUIDIndex? { uuid(0) }
    package var characteristic: UUIDIndex? { uuid(21) }
    /// The attribute's own type, when it is not the value of the characteristic.
    package var descriptor: UUIDIndex? { uuid(42) }
    /// Whether the handle is known.
    package var isKnown: Bool { bits & Self.isKnown != 0 }

    /// The same for any handle.
    var ofAnyHandle: RowAttribute {
        var attribute = self
        attribute.bits &= ~(Self.hasHandle | 0xFFFF)
        return attribute
    }
}

/// The key of a row within its connection.
///
/// Two numbers as well.
package struct RowKey: Hashable, Sendable {
    private var uuids: UInt64 = 0
    /// The bits of the attribute, and above them the masks, the direction and the opcode.
    private var bits: UInt64

    private static let hasAttribute: UInt64 = 1 << 32
    private static let isTransmitted: UInt64 = 1 << 33
    private static let isReceived: UInt64 = 1 << 34

    @inline(__always)
    init(opcode: ATTOpcode, direction: Direction, attribute: RowAttribute?) {
        bits = UInt64(opcode.rawValue) << 56
        switch direction {
        case .tx: bits |= Self.isTransmitted
        case .rx: bits |= Self.isReceived
        case .unknown: break
        }
        self.attribute = attribute
    }

    package var opcode: ATTOpcode { ATTOpcode(rawValue: UInt8(truncatingIfNeeded: bits >> 56)) }
    /// As the capture recorded it.
    package var direction: Direction {
        bits & Self.isTransmitted != 0 ? .tx : bits & Self.isReceived != 0 ? .rx : .unknown
    }
    /// nil for a PDU that is about no attribute, or about several.
    package internal(set) var attribute: RowAttribute? {
        get {
            bits & Self.hasAttribute == 0
                ? nil : RowAttribute(uuids: uuids, bits: UInt32(truncatingIfNeeded: bits))
        }
        set {
            bits &= ~(Self.hasAttribute | 0xFFFF_FFFF)
            uuids = 0
            guard let newValue else { return }
            uuids = newValue.numbers.uuids
            bits |= Self.hasAttribute | UInt64(newValue.numbers.bits)
        }
    }

    /// A number that few others have.
    var place: Int { Int(truncatingIfNeeded: bits & 0xFFFF) &* 5 &+ Int(truncatingIfNeeded: bits >> 56) }
}

/// Requests, or indications, of one kind, and how long their answers took.
package struct ExchangeRow: Sendable, StatisticsRow {
    package internal(set) var key: RowKey
    /// Microseconds from the record of the request to the record of the answer.
    package internal(set) var roundTrips = Distribution()
    /// The same in hundredths of the connection interval in force when the answer came.
    package internal(set) var intervals = Distribution()
    /// Answered, and no time can be given, because the capture's clock was set between the two.
    package internal(set) var untimed = 0
    // How the others ended: `ExchangeEnd.Outcome`.
    package internal(set) var unanswered = 0
    /// Doubtful or overlapped.
    package internal(set) var answerMissed = 0
    package internal(set) var open = 0
    /// Not answered within 30 s. Core Specification, Vol 3, Part F, 3.3.3.
    package internal(set) var timedOut = 0
    /// Sent before the one before was answered. Vol 3, Part F, 3.3.2.
    package internal(set) var overlapping = 0
    /// The requests and the answers.
    package internal(set) var seen: SeenTimes

    init(_ key: RowKey, _ time: Timestamp) {
        self.key = key
        seen = SeenTimes(time)
    }

    /// Octets that its figures take besides itself.
    private var footprint: Int { roundTrips.footprint + intervals.footprint }

    /// - Parameters:
    ///   - roundTrip: Nanoseconds.
    ///   - interval: Nanoseconds; 0 when it is not known.
    /// - Returns: the octets that its figures take more.
    mutating func record(_ roundTrip: Int64, interval: Int64, isTight: Bool) -> Int {
        let before = footprint
        roundTrips.record(roundTrip / 1_000, isTight: isTight)
        if roundTrip >= ExchangeEnd.timeout { timedOut += 1 }
        // An hour at most: Distribution keeps no more.
        if interval > 0 { intervals.record(min(roundTrip, 3_600_000_000_000) * 100 / interval, isTight: isTight) }
        return footprint - before
    }

    mutating func sort() {
        roundTrips.sort()
        intervals.sort()
    }

    /// One ended without its answer.
    mutating func count(_ end: ExchangeEnd) {
        switch end.outcome {
        case .open: open += 1
        case .doubtful, .overlapped: answerMissed += 1
        case .unanswered:
            unanswered += 1
            if end.isTimedOut { timedOut += 1 }
        }
    }

    /// Nothing that an answer would have shown is known.
    mutating func excuseAnswers() {
        answerMissed += unanswered + open
        (unanswered, open, overlapping, timedOut) = (0, 0, 0, 0)
    }

    /// Whether nothing was counted.
    var isEmpty: Bool { roundTrips.count + untimed + unanswered + answerMissed + open + timedOut + overlapping == 0 }

    mutating func merge(_ other: ExchangeRow) {
        roundTrips.merge(other.roundTrips)
        intervals.merge(other.intervals)
        untimed += other.untimed
        unanswered += other.unanswered
        answerMissed += other.answerMissed
        open += other.open
        timedOut += other.timedOut
        overlapping += other.overlapping
        seen = seen.joined(with: other.seen)
    }
}

/// An answered request with its frames.
package struct SlowExchange: Sendable {
    package let key: RowKey
    package let requestFrame: Int
    package let frame: Int
    package let time: Timestamp
    package let nanoseconds: Int64
}

/// Values of one characteristic that went by one kind of PDU in one direction.
package struct ValueRow: Sendable, StatisticsRow {
    package internal(set) var key: RowKey
    /// The first PDU.
    package let first: Moment
    package private(set) var last: Moment
    /// From the first PDU to the last.
    package var seen: SeenTimes { SeenTimes(first.time).joined(with: SeenTimes(last.time)) }
    package private(set) var count = 0
    package private(set) var octets = Octets()
    /// Microseconds from each PDU to the next of its connection.
    package private(set) var gaps = Distribution()
    /// Value octets in the best second.
    package private(set) var bestSecond = 0
    private var window = BestSecond()
    /// Nanoseconds of all gaps, and the value octets after them.
    private var gapSum: Int128 = 0
    private var octetsBehindGaps = 0
    private var differenceSum: Int128 = 0
    private var differences = 0
    private var lastGap: Int64?
    private var lastTime: Int64?
    /// Which run of the capture's clock `lastTime` belongs to.
    private var run = 0

    init(_ key: RowKey, _ first: Moment) {
        self.key = key
        self.first = first
        last = first
    }

    /// Value octets in a second, from the first PDU to the last.
    package var octetsPerSecond: Double? { gapSum > 0 ? Double(octetsBehindGaps) * 1e9 / Self.double(gapSum) : nil }
    /// PDUs in a second, from the first to the last.
    package var perSecond: Double? { gapSum > 0 ? Double(gaps.count) * 1e9 / Self.double(gapSum) : nil }
    /// Microseconds by which a gap differs from the one before it, on average.
    package var jitter: Double? { differences > 0 ? Self.double(differenceSum) / 1_000 / Double(differences) : nil }

    /// Converting 128 bits to `Double` takes 3 600 instructions; sums of less than 292 years fit into 64.
    private static func double(_ sum: Int128) -> Double { Int64(exactly: sum).map(Double.init) ?? Double(sum) }

    /// Octets that its figures take besides itself.
    private var footprint: Int { gaps.footprint + window.footprint }

    mutating func sort() {
        gaps.sort()
    }

    /// - Parameters:
    ///   - moment: Moment of the PDU.
    ///   - time: The same in nanoseconds from any moment that stays the same.
    ///   - run: Another number after every step of the clock.
    ///   - isTight: Whether it must not take much.
    /// - Returns: the octets that its figures take more.
    @inline(__always)
    mutating func record(
        _ added: Octets, _ moment: Moment, at time: Int64, run: Int, isTight: Bool
    ) -> Int {
        let before = footprint
        count += 1
        last = moment
        octets.add(added)
        if run != self.run {
            self.run = run
            lastTime = nil
            lastGap = nil
            window.restart()
        }
        if window.record(added.value, at: time) { bestSecond = window.best }
        guard let lastTime else {
            self.lastTime = time
            return footprint - before
        }
        self.lastTime = max(time, lastTime)
        // Wraps when the times are more than 292 years apart, which no gap is.
        let gap = max(0, time &- lastTime)
        gaps.record(gap / 1_000, isTight: isTight)
        gapSum += Int128(gap)
        octetsBehindGaps += added.value
        if let lastGap {
            differenceSum += Int128(abs(gap - lastGap))
            differences += 1
        }
        lastGap = gap
        return footprint - before
    }

    /// Frees storage that only further values would need.
    mutating func finish() {
        window = BestSecond()
    }

    mutating func merge(_ other: ValueRow) {
        count += other.count
        if other.last.frame > last.frame { last = other.last }
        octets.add(other.octets)
        gaps.merge(other.gaps)
        bestSecond = max(bestSecond, other.bestSecond)
        gapSum += other.gapSum
        octetsBehindGaps += other.octetsBehindGaps
        differenceSum += other.differenceSum
        differences += other.differences
    }
}

/// The same octets, counted at each layer.
package struct Octets: Sendable, Equatable {
    /// Octets of attribute values.
    package internal(set) var value = 0
    /// Octets of L2CAP PDUs: Basic L2CAP headers and SDU lengths included.
    package internal(set) var l2cap = 0
    /// Octets of HCI ACL Data packets: their headers of four octets included, without those that the transport adds.
    package internal(set) var hci = 0

    mutating func add(_ other: Octets) {
        value += other.value
        l2cap += other.l2cap
        hci += other.hci
    }
}

/// A row of a table, of which several may become one.
protocol StatisticsRow: Sendable {
    var key: RowKey { get set }
    mutating func merge(_ other: Self)
    /// Readies its figures to be read.
    mutating func sort()
}
