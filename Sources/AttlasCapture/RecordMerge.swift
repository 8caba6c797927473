import AttlasWire

/// Several captures as one, in the order of their times, with new frame numbers. One capture stays as it is.
///
/// The records of each capture keep their order, also where its clock went back.
package struct RecordMerge: ~Copyable {
    /// Records of further interfaces have an index that `interfaces` does not have.
    private static let interfaceLimit = Int(UInt16.max)

    private let sources: [Source]
    private var numbers: ControllerNumbers?
    package let interfaces = Interfaces()
    private var last: Int?
    private var header = CollectionOfOne(RecordHeader())
    private var octets: [UInt8] = []
    private var frame = 0

    /// The interfaces that records came from so far. They can be looked at while a record is borrowed.
    package final class Interfaces {
        /// `Record.interface` is the index.
        package fileprivate(set) var list: [CaptureInterface] = []
    }

    /// One of the captures.
    package final class Source {
        fileprivate var reader: CaptureReader
        /// nil if the clock is right.
        private let clock: ClockCorrection?
        /// Time of the next record; nil at the end.
        fileprivate private(set) var time: Timestamp?
        private var header = RecordHeader()
        private var octets: [UInt8] = []
        /// In `RecordMerge.interfaces`.
        fileprivate var interfaces: [Int] = []
        /// Why it could not be read to its end.
        package fileprivate(set) var failure: CaptureError?

        package init(_ reader: consuming CaptureReader, clock: ClockCorrection = ClockCorrection()) {
            self.reader = reader
            self.clock = clock == ClockCorrection() ? nil : clock
        }

        package var info: CaptureInfo { reader.info }

        fileprivate func advance() {
            time = nil
            octets.removeAll(keepingCapacity: true)
            do throws(CaptureError) {
                guard let record = try reader.next() else { return }
                header = record.copy(to: &octets)
            } catch {
                failure = error
                return
            }
            if let clock { header.time = clock.corrected(header.time) }
            time = header.time
        }

        /// Hands on the next record; its octets are swapped.
        fileprivate func take(_ header: inout RecordHeader, _ octets: inout [UInt8]) {
            header = self.header
            swap(&octets, &self.octets)
        }
    }

    package init(_ sources: [Source]) {
        self.sources = sources
        for source in sources { source.advance() }
        guard sources.count > 1 else { return }
        numbers = ControllerNumbers(reserved: sources.count)
    }

    /// The next record, valid until the next call; nil at the end of all captures.
    @_lifetime(&self)
    package mutating func next() -> Record? {
        if let last { sources[last].advance() }
        last = earliest
        guard let last else { return nil }
        frame += 1
        sources[last].take(&header[0], &octets)
        prepare(last)
        return Record(header.span, in: Bytes(octets.span))
    }

    private var earliest: Int? {
        var earliest: (index: Int, time: Timestamp)?
        for index in sources.indices {
            guard let time = sources[index].time else { continue }
            if let earliest, time.nanoseconds(since: earliest.time) >= 0 { continue }
            earliest = (index, time)
        }
        return earliest?.index
    }

    private mutating func prepare(_ index: Int) {
        if numbers != nil { header[0].frame = frame }
        // A block without a packet belongs to no interface.
        if case .broken = header[0].content, header[0].place.isEmpty, header[0].framing == 0 { return }
        let source = sources[index]
        let number = Int(header[0].interface)
        if number >= source.interfaces.count { addInterfaces(of: source, through: number) }
        guard number < source.interfaces.count else {
            header[0].interface = .max
            return
        }
        header[0].interface = UInt16(clamping: source.interfaces[number])
        guard numbers != nil else { return }
        let interface = interfaces.list[Int(header[0].interface)]
        header[0].controller =
            interface.hasAdapterIndex
            ? numbers?.adapter(header[0].controller, of: index) ?? header[0].controller
            : UInt16(clamping: interface.number)
    }

    private mutating func addInterfaces(of source: Source, through number: Int) {
        let info = source.reader.info
        let described =
            info.interfaces.isEmpty
            ? [CaptureInterface(number: 0, linkType: info.linkTypes.first ?? .h4)] : info.interfaces
        for var interface in described.prefix(number + 1).dropFirst(source.interfaces.count) {
            interface.number = numbers?.interface(after: interfaces.list.count, interface) ?? interfaces.list.count
            guard interface.number < Self.interfaceLimit else { return }
            // A number that an adapter has already is passed over.
            while interfaces.list.count < interface.number {
                var filler = interface
                filler.number = interfaces.list.count
                interfaces.list.append(filler)
            }
            source.interfaces.append(interface.number)
            interfaces.list.append(interface)
        }
    }
}

/// The clock of one capture in terms of another's.
package struct ClockCorrection: Sendable, Equatable {
    /// Nanoseconds to subtract at `reference`.
    package var offset: Int64 = 0
    /// Nanoseconds per second by which the clock is fast.
    package var drift = 0.0
    package var reference = Timestamp.epoch

    package init() {}

    package init(offset: Int64, drift: Double, reference: Timestamp) {
        self.offset = offset
        self.drift = drift
        self.reference = reference
    }

    func corrected(_ time: Timestamp) -> Timestamp {
        let elapsed = Double(time.nanoseconds(since: reference)) / 1e9
        let ahead = Double(offset) + elapsed * drift
        // A time far from the others has no correction that would mean anything.
        guard abs(ahead) < 9e18 else { return time }
        let unit: Int128 = time.precision > 6 ? 1 : 1_000
        let units = (Int128(time.seconds) * 1_000_000_000 + Int128(time.nanoseconds) - Int128(ahead)) / unit
        let (quotient, rest) = (units * unit).quotientAndRemainder(dividingBy: 1_000_000_000)
        return Timestamp(
            seconds: Int64(clamping: rest < 0 ? quotient - 1 : quotient),
            nanoseconds: UInt32(rest < 0 ? rest + 1_000_000_000 : rest), precision: max(time.precision, 6))
    }
}

/// Keeps the controllers of different captures apart: adapters have their own numbers, others that of their interface.
private struct ControllerNumbers {
    private struct Adapter: Hashable {
        let source: Int
        let index: UInt16
    }

    private var adapters: [Adapter: UInt16] = [:]
    private var taken: Set<UInt16> = []
    /// Numbers that first interfaces may get.
    private let reserved: Int
    /// No number from `reserved` to this one is free.
    private var next: UInt16

    init(reserved: Int) {
        self.reserved = reserved
        next = UInt16(clamping: reserved)
    }

    mutating func adapter(_ index: UInt16, of source: Int) -> UInt16 {
        let adapter = Adapter(source: source, index: index)
        if let number = adapters[adapter] { return number }
        // The monitor's own records have no adapter.
        guard index != .max else { return index }
        var number = source == 0 ? index : max(index, UInt16(clamping: reserved))
        if taken.contains(number) {
            while taken.contains(next), next < .max { next += 1 }
            number = next
        }
        taken.insert(number)
        adapters[adapter] = number
        return number
    }

    mutating func interface(after count: Int, _ interface: CaptureInterface) -> Int {
        var number = count
        guard !interface.hasAdapterIndex else { return number }
        while let short = UInt16(exactly: number), taken.contains(short) { number += 1 }
        if let short = UInt16(exactly: number) { taken.insert(short) }
        return number
    }
}
