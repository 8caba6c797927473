import Histogram

/// How a number is distributed: exactly for the first values, then in a histogram with three significant digits.
///
/// Takes 4 octets a value up to `exactLimit` values, and then some 10 kB to 100 kB, however many follow. One that is to be tight
/// keeps `tightLimit` values exactly, and then takes 3 kB, with one significant digit.
public struct Distribution: Sendable {
    /// Values that are kept as they are.
    static let exactLimit = 1_024
    /// The same of one that is to be tight.
    static let tightLimit = 128
    /// A greater value counts as this one. Of microseconds, it is an hour.
    static let highest: UInt64 = 3_600_000_000

    private var exact: [UInt32] = []
    private var isSorted = false
    /// One, or none yet. Most rows have none, and an optional would take 88 octets of each.
    private var histogram: [Histogram<UInt32>] = []
    package private(set) var count = 0
    private var sum: UInt64 = 0
    private var least = UInt64.max
    private var greatest: UInt64 = 0

    package init() {}

    /// nil, like every other figure, when there is no value.
    package var minimum: Int? { count > 0 ? Int(least) : nil }
    package var maximum: Int? { count > 0 ? Int(greatest) : nil }
    var mean: Double? { count > 0 ? Double(sum) / Double(count) : nil }

    /// Octets that it takes besides itself. Kept, because the figures of all rows are limited together: it is asked for at each value.
    private(set) var footprint = 0

    /// The same by what it holds.
    private var measuredFootprint: Int {
        guard let histogram = histogram.first else {
            return Footprint.array(exact.count, stride: MemoryLayout<UInt32>.stride)
        }
        // Buckets of this number of counts, each for twice the values of the one before.
        let countBits = histogram.numberOfSignificantValueDigits == .three ? 10 : 4
        let valueBits = UInt64.bitWidth - histogram.highestTrackableValue.leadingZeroBitCount
        let counts = (max(1, valueBits - countBits) + 1) << countBits
        return 512 + Footprint.array(counts, stride: MemoryLayout<UInt32>.stride)
    }

    /// A negative value counts as 0.
    @inline(__always)
    public mutating func record(_ value: Int64, isTight: Bool = false) {
        let value = min(UInt64(max(0, value)), Self.highest)
        count += 1
        sum += value
        least = min(least, value)
        greatest = max(greatest, value)
        // All counted values are kept: there is no histogram.
        guard exact.count == count - 1, count <= (isTight ? Self.tightLimit : Self.exactLimit) else {
            return recordInHistogram(value, isTight: isTight)
        }
        isSorted = false
        // Room is doubled.
        if exact.count & (exact.count - 1) == 0 {
            footprint = Footprint.array(count, stride: MemoryLayout<UInt32>.stride)
        }
        exact.append(UInt32(value))
    }

    private mutating func recordInHistogram(_ value: UInt64, isTight: Bool) {
        if histogram.isEmpty {
            var new = Self.emptyHistogram(isTight ? .one : .three)
            for value in exact { new.record(UInt64(value)) }
            histogram = [new]
            exact = []
            footprint = measuredFootprint
        }
        // Nothing grows for a value that fits.
        let isBeyond = value > histogram[0].highestTrackableValue
        defer { if isBeyond { footprint = measuredFootprint } }
        guard isTight else { return grow(for: value) }
        // A histogram that would have to grow becomes a tight one.
        let isLarge = histogram[0].numberOfSignificantValueDigits == .three
        histogram[0].autoResize = !isLarge
        guard !histogram[0].record(value) else { return }
        var small = Self.emptyHistogram(.one)
        Self.add(histogram[0], to: &small)
        small.record(value)
        histogram = [small]
    }

    private mutating func grow(for value: UInt64) {
        guard !histogram[0].record(value) else { return }
        // It was tight before.
        histogram[0].autoResize = true
        histogram[0].record(value)
    }

    private static func emptyHistogram(_ digits: SignificantDigits) -> Histogram<UInt32> {
        var histogram = Histogram<UInt32>(numberOfSignificantValueDigits: digits)
        histogram.autoResize = true
        return histogram
    }

    /// Takes over the values of a histogram, also of one with another number of digits.
    private static func add(_ other: Histogram<UInt32>, to histogram: inout Histogram<UInt32>) {
        histogram.autoResize = true
        guard histogram.numberOfSignificantValueDigits != other.numberOfSignificantValueDigits else {
            return histogram.add(other)
        }
        for step in other.recordedValues() {
            histogram.record(other.medianEquivalentForValue(step.value), count: UInt32(clamping: step.count))
        }
    }

    /// Before several percentiles are asked for, so that each need not sort.
    mutating func sort() {
        guard !isSorted else { return }
        exact.sort()
        isSorted = true
    }

    /// The value that `percent` of the values do not exceed: the nearest rank, the ⌈percent ÷ 100 × count⌉th value in
    /// ascending order.
    package func percentile(_ percent: Double) -> Int? {
        guard count > 0 else { return nil }
        if let histogram = histogram.first {
            return Int(min(max(histogram.valueAtPercentile(percent), least), greatest))
        }
        let rank = Int((percent * Double(count) / 100).rounded(.up))
        let values = isSorted ? exact : exact.sorted()
        return Int(values[min(max(rank, 1), count) - 1])
    }

    /// How many values lie in each of a number of equal parts of the range from the least to the greatest; one part when they are
    /// all the same.
    package func parts(_ number: Int) -> [Part] {
        guard count > 0 else { return [] }
        // Whole numbers in every part, the same number in each.
        let width = (greatest - least) / UInt64(max(1, number)) + 1
        var parts: [Part] = []
        var start = least
        while start <= greatest {
            parts.append(Part(from: Int(start), to: Int(start + width), count: 0))
            start += width
        }
        func add(_ value: UInt64, _ count: Int) {
            parts[Int((min(max(value, least), greatest) - least) / width)].count += count
        }
        if let histogram = histogram.first {
            for step in histogram.recordedValues() {
                add(histogram.medianEquivalentForValue(step.value), Int(step.count))
            }
        } else {
            for value in exact { add(UInt64(value), 1) }
        }
        return parts
    }

    /// Values from `from` up to, and without, `to`.
    package struct Part: Sendable, Equatable {
        package let from: Int
        package let to: Int
        package internal(set) var count: Int
    }
}

extension Distribution {
    /// Takes the values of another distribution as well.
    package mutating func merge(_ other: Distribution) {
        guard let added = other.histogram.first else {
            for value in other.exact { record(Int64(value)) }
            return
        }
        guard var merged = histogram.first else {
            var merged = other
            merged.merge(self)
            self = merged
            return
        }
        histogram = []
        Self.add(added, to: &merged)
        histogram = [merged]
        footprint = measuredFootprint
        count += other.count
        sum += other.sum
        least = min(least, other.least)
        greatest = max(greatest, other.greatest)
    }
}
