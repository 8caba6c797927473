import AttlasWire
import Synchronization

/// The clock that gives the times of packets from the air.
package enum CaptureClock: String, CaseIterable, Sendable {
    /// The sniffer's radio, where the capture has its times.
    case radio
    /// The program that wrote the file.
    case file

    /// For all captures that are opened from now on.
    package static var chosen: CaptureClock {
        get { isFile.load(ordering: .relaxed) ? .file : .radio }
        set { isFile.store(newValue == .file, ordering: .relaxed) }
    }

    private static let isFile = Atomic(false)

    /// Seconds by which the clock of captures is ahead of UTC that do not say it, for all that are opened from now on; nil if it is not known.
    package static var utcOffset: Int64? {
        get { offset.load(ordering: .relaxed) == .max ? nil : offset.load(ordering: .relaxed) }
        set { offset.store(newValue ?? .max, ordering: .relaxed) }
    }

    private static let offset = Atomic(Int64.max)
}

/// The radio's clock of one sniffer, in the time of the file: it is set to that at the first packet, and again after a restart of
/// the sniffer or reports that did not arrive.
struct RadioClock: Sendable {
    /// A sniffer's information about the time of a packet.
    enum Reading: Equatable, Sendable {
        /// A counter that starts again at 0 after `period` nanoseconds.
        case counter(nanoseconds: Int64, period: Int64)
        /// Nanoseconds since the end of the report before it, and how long the packet took itself. Reports have consecutive numbers.
        case sinceEnd(nanoseconds: Int64, airTime: Int64, number: UInt16)
    }

    /// The offset between the file's clock and the radio's changes by more than this from one packet to the next only after a restart. In
    /// total it does so only for an invalid clock, or after weeks.
    private static let longestDelay: UInt64 = 10_000_000_000
    private static let longestDrift: UInt64 = 60_000_000_000

    private var isUsed = CaptureClock.chosen == .radio
    /// With the offset of the file's clock since it was set.
    private var last: (reading: Reading, number: UInt16?, time: Timestamp, file: Timestamp, leap: Int64)?
    /// How it was used; nil if no packet has a time from the radio.
    private(set) var use: RadioClockUse?

    /// The time of a packet.
    ///
    /// - Parameters:
    ///   - packet: The record's octets.
    ///   - head: The head from their framing.
    ///   - file: The record's own time.
    mutating func time(
        _ framing: PacketFraming, _ packet: borrowing Bytes, _ head: PacketHead, file: Timestamp
    ) -> Timestamp {
        guard isUsed, framing == .nordicSniffer || framing == .ppi else { return file }
        guard case .air(let radio) = head.content, let reading = Reading(framing, packet, radio) else {
            // A packet without one is not earlier than the packet before it.
            guard let last, file.nanoseconds(since: last.file) >= 0, file.nanoseconds(since: last.time) < 0 else {
                return file
            }
            return last.time
        }
        let number = framing == .nordicSniffer ? packet.uint16(at: 4) : nil
        var time = file
        var leap: Int64 = 0
        if let last {
            let filed = file.nanoseconds(since: last.file)
            guard reading != last.reading || reading.isDuration || filed == 0 else {
                // Some program wrote the header without a clock.
                (isUsed, use) = (false, nil)
                return file
            }
            if let elapsed = reading.elapsed(since: last.reading, nearest: filed),
                (elapsed &- filed).magnitude < Self.longestDelay,
                (file.nanoseconds(since: last.time) &- elapsed &- last.leap).magnitude < Self.longestDrift
            {
                time = last.time.advanced(nanoseconds: elapsed)
                leap = last.leap
            } else if let before = last.number, number == before &+ 1,
                let elapsed = reading.elapsed(since: last.reading, nearest: 0),
                (0..<Int64(Self.longestDelay)).contains(elapsed), (filed &- elapsed).magnitude >= Self.longestDelay
            {
                // The number follows: the host's clock was set, and the sniffer did not restart.
                time = last.time.advanced(nanoseconds: elapsed)
                leap = file.nanoseconds(since: time)
            } else {
                if filed >= 0, file.nanoseconds(since: last.time) < 0 { time = last.time }
                use?.settings += 1
            }
        }
        let late = file.nanoseconds(since: time)
        last = (reading, number, time, file, leap)
        use = use ?? RadioClockUse(sniffer: framing == .ppi ? "Ubertooth" : "nRF Sniffer")
        use?.note(late: late)
        return time
    }
}

/// How the radio's clock of a sniffer was used.
public struct RadioClockUse: Sendable, Equatable {
    /// Name of the sniffer.
    public let sniffer: String
    /// How often it was set to the file's clock.
    public fileprivate(set) var settings = 1
    /// Nanoseconds by which the file's times are later than those of the radio: the least and the most.
    public fileprivate(set) var late: ClosedRange<Int64> = 0...0

    init(sniffer: String) { self.sniffer = sniffer }

    fileprivate mutating func note(late nanoseconds: Int64) {
        late = min(late.lowerBound, nanoseconds)...max(late.upperBound, nanoseconds)
    }

    /// The largest difference between two of the file's delays, in nanoseconds.
    public var spread: Int64 { late.upperBound &- late.lowerBound }

    /// The combined use for two captures that are read as one.
    func joined(with other: RadioClockUse) -> RadioClockUse {
        var both = self
        both.settings += other.settings
        both.late = min(late.lowerBound, other.late.lowerBound)...max(late.upperBound, other.late.upperBound)
        return both
    }
}

extension RadioClock.Reading {
    /// nil if the framing has no time.
    init?(_ framing: PacketFraming, _ bytes: borrowing Bytes, _ radio: RadioInfo) {
        if framing == .ppi { self.init(ubertooth: bytes) } else { self.init(nordic: bytes, radio) }
    }

    /// Whether it may be the same for consecutive packets.
    var isDuration: Bool {
        if case .sinceEnd = self { true } else { false }
    }

    /// Nanoseconds from another reading; nil when reports between them did not arrive.
    ///
    /// - Parameter filed: The same by the file's clock, to count the periods.
    func elapsed(since other: RadioClock.Reading, nearest filed: Int64) -> Int64? {
        switch (self, other) {
        case (.counter(let now, let period), .counter(let before, _)):
            let difference = now - before
            // The number of whole periods that comes nearest to the file.
            let (periods, rest) = (filed &- difference).quotientAndRemainder(dividingBy: period)
            let nearest = periods + (rest > period / 2 ? 1 : rest < -period / 2 ? -1 : 0)
            return difference &+ nearest &* period
        case (.sinceEnd(let pause, _, let number), .sinceEnd(_, let airTime, let before)):
            return number == before &+ 1 ? airTime + pause : nil
        default: return nil
        }
    }

    /// Protocol versions 1 and 2 have the time since the end of the report before; version 3 the start of the packet. Microseconds.
    private init?(nordic bytes: borrowing Bytes, _ radio: RadioInfo) {
        guard bytes.count > 17, !(bytes[0] == 0xBE && bytes[1] == 0xEF) else { return nil }
        let time = Int64(bytes.uint32(at: 13)) * 1_000
        // Other programs have other identifiers, and no clock.
        guard time > 0, bytes[6] == 0x06 || bytes[6] == 0x02 && bytes[3] == 3 else { return nil }
        if bytes[3] == 3 {
            self = .counter(nanoseconds: time, period: (1 << 32) * 1_000)
            return
        }
        guard let packet = try? LinkLayerPacket(bytes.dropFirst(17), hasCodingIndicator: radio.hasCodingIndicator)
        else { return nil }
        let airTime = Int64(packet.airTime(radio.phy ?? LEPHY(rawValue: 1))) * 1_000
        self = .sinceEnd(nanoseconds: time, airTime: airTime, number: bytes.uint16(at: 4))
    }

    /// CLK100NS: 2^20 ticks of 312.5 µs, in units of 100 ns.
    private init?(ubertooth bytes: borrowing Bytes) {
        guard bytes.count >= 24, bytes.uint16(at: 8) == 30_006, bytes.uint16(at: 10) >= 12 else { return nil }
        let ticks = Int64(bytes.uint32(at: 16))
        guard ticks > 0 else { return nil }
        self = .counter(nanoseconds: ticks / 10 * 1_000, period: 327_680_000_000)
    }
}

extension Timestamp {
    /// The moment after a number of nanoseconds, to the microsecond at least.
    fileprivate func advanced(nanoseconds: Int64) -> Timestamp {
        let (whole, rest) = nanoseconds.dividedDown(by: 1_000_000_000)
        let sum = Int64(self.nanoseconds) + rest
        return Timestamp(
            seconds: seconds &+ whole &+ sum / 1_000_000_000, nanoseconds: UInt32(sum % 1_000_000_000),
            precision: max(precision, 6))
    }
}
