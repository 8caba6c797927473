import AttlasWire

/// Values of one characteristic in the order of the capture.
package struct ValueSeries: Sendable {
    private var octets: [UInt8] = []
    private var ends: [Int] = []
    /// Nanoseconds since 1970.
    package private(set) var times: [Int64] = []
    package private(set) var frames: [Int] = []

    package init() {}

    package var count: Int { ends.count }
    /// Octets of all values.
    package var octetCount: Int { octets.count }

    package mutating func append(_ value: borrowing Bytes, time: Int64, frame: Int) {
        value.append(to: &octets)
        ends.append(octets.count)
        times.append(Self.limited(time))
        frames.append(frame)
    }

    package mutating func append(_ series: ValueSeries) {
        for index in 0..<series.count {
            append(Array(series[index]), time: series.times[index], frame: series.frames[index])
        }
    }

    /// Differences of times do not overflow, whatever a capture says.
    private static let latest: Int64 = 1 << 61

    static func limited(_ time: Int64) -> Int64 { min(latest, max(-latest, time)) }

    package mutating func append(_ value: [UInt8], time: Int64, frame: Int) {
        append(Bytes(value.span), time: time, frame: frame)
    }

    package func range(_ index: Int) -> Range<Int> { (index == 0 ? 0 : ends[index - 1])..<ends[index] }
    package func length(_ index: Int) -> Int { range(index).count }
    package subscript(_ index: Int) -> ArraySlice<UInt8> { octets[range(index)] }

    /// An octet; `place` counts from the start of the value, or from its end if it is negative.
    package subscript(_ index: Int, _ place: Int) -> UInt8 {
        let range = range(index)
        return octets[place < 0 ? range.upperBound + place : range.lowerBound + place]
    }

    /// The number in one or two octets.
    func number(_ index: Int, at place: Int, width: Int, isBigEndian: Bool) -> Int {
        self[index].number(at: place, width: width, isBigEndian: isBigEndian)
    }

    /// Messages of these parts, with the time and the frame of the last part.
    /// - Parameter header: octets of each part that do not belong to its message.
    func joining(_ parts: [[Int]], header: Int = 0) -> ValueSeries {
        var messages = ValueSeries()
        for part in parts {
            guard let last = part.last else { continue }
            messages.append(part.flatMap { self[$0].dropFirst(header) }, time: times[last], frame: frames[last])
        }
        return messages
    }

    /// With other octets.
    func mapping(_ transform: (ArraySlice<UInt8>) -> [UInt8]) -> ValueSeries {
        var mapped = ValueSeries()
        for index in 0..<count { mapped.append(transform(self[index]), time: times[index], frame: frames[index]) }
        return mapped
    }

    /// The values with these indexes.
    func selecting(_ indexes: [Int]) -> ValueSeries {
        if indexes.count == count { return self }
        var selected = ValueSeries()
        for index in indexes {
            selected.octets += self[index]
            selected.ends.append(selected.octets.count)
            selected.times.append(times[index])
            selected.frames.append(frames[index])
        }
        return selected
    }

    /// The first index of each distinct value, of `most` of them.
    package func distinctIndexes(atMost most: Int = .max) -> [Int] {
        var seen = Set<Octets>(minimumCapacity: min(count, most, 1 << 17))
        var indexes: [Int] = []
        for index in 0..<count where indexes.count < most && seen.insert(Octets(octets: self[index])).inserted {
            indexes.append(index)
        }
        return indexes
    }

    /// A key whose hash takes eight octets at once; that of a slice takes one.
    private struct Octets: Hashable {
        let octets: ArraySlice<UInt8>

        func hash(into hasher: inout Hasher) {
            hasher.combine(octets.count)
            var (word, count) = (UInt64(0), 0)
            for octet in octets {
                word = word << 8 | UInt64(octet)
                count += 1
                if count % 8 == 0 { hasher.combine(word) }
            }
            if count % 8 > 0 { hasher.combine(word) }
        }
    }

    /// How many of the steps from a value to the next are different ones, from 0 to 1: values that come again and again in one order are
    /// evidence only once.
    func distinctStepShare() -> Double {
        guard count > 1 else { return 1 }
        var numbers: [Octets: Int] = [:]
        var steps: Set<Int> = []
        var before: Int?
        for index in 0..<count {
            let next = numbers.count
            let number = numbers[Octets(octets: self[index]), default: next]
            if number == next { numbers[Octets(octets: self[index])] = number }
            if let before { steps.insert(before * count + number) }
            before = number
        }
        return Double(steps.count) / Double(count - 1)
    }

    package var lengths: ClosedRange<Int> {
        var (least, greatest) = (Int.max, 0)
        for index in 0..<count {
            least = min(least, length(index))
            greatest = max(greatest, length(index))
        }
        return least > greatest ? 0...0 : least...greatest
    }

    /// The octets at a place of all values, which have it.
    func column(_ place: Int) -> Column { Column((0..<count).map { self[$0, place] }) }
}

extension ArraySlice<UInt8> {
    /// The number in one or two octets after `place` others.
    func number(at place: Int, width: Int, isBigEndian: Bool) -> Int {
        let start = startIndex + place
        guard width == 2 else { return Int(self[start]) }
        let (first, second) = (Int(self[start]), Int(self[start + 1]))
        return isBigEndian ? first << 8 | second : second << 8 | first
    }
}

/// The octets at one place of all values, in their order.
package struct Column: Sendable {
    package let octets: [UInt8]
    package let counts: [Int]
    package let distinct: Int
    /// How often an octet differs from the one before.
    package let changes: Int

    init(_ octets: [UInt8]) {
        self.octets = octets
        var counts = [Int](repeating: 0, count: 256)
        var (changes, before) = (0, octets.first ?? 0)
        for octet in octets {
            counts[Int(octet)] += 1
            if octet != before { changes += 1 }
            before = octet
        }
        self.counts = counts
        self.changes = changes
        distinct = counts.count { $0 > 0 }
    }

    package var isConstant: Bool { distinct <= 1 }
    package var entropy: Double { Chance.entropy(counts) }
    /// The octets that occur, in ascending order.
    package var values: [UInt8] { counts.indices.filter { counts[$0] > 0 }.map { UInt8($0) } }
    /// From the least to the greatest.
    package var range: ClosedRange<UInt8>? {
        guard let least = counts.firstIndex(where: { $0 > 0 }), let greatest = counts.lastIndex(where: { $0 > 0 })
        else { return nil }
        return UInt8(least)...UInt8(greatest)
    }
}
