/// Searches the octets of values with one layout, the most specific kinds of fields first.
struct FieldSearch {
    private let columns: [Column]
    private let times: [Int64]
    private let count: Int
    private let distinct: Int
    /// Each distinct value once.
    private let contents: ValueSeries
    private let cost: Double
    private let stepShare: Double
    private let addresses: Set<UInt64>
    private var fields: [InferredField] = []
    private var taken: Set<Int> = []

    /// - Parameters:
    ///   - prefix: octets at the start that are searched.
    ///   - distinct: the first index of each distinct value.
    ///   - addresses: of the devices of the capture.
    init(
        _ values: ValueSeries, prefix: Int, distinct indexes: [Int], groups: Int, addresses: Set<UInt64> = []
    ) {
        self.addresses = addresses
        columns = (0..<prefix).map { values.column($0) }
        times = values.times
        count = values.count
        distinct = indexes.count
        contents = values.selecting(indexes)
        stepShare = values.distinctStepShare()
        cost = Chance.cost(of: 16 * max(1, prefix) * groups)
    }

    /// The fields that are known and those that were found.
    mutating func fields(besides known: [InferredField]) -> [InferredField] {
        for field in known { take(field) }
        findEpochs()
        findAddresses()
        findSums()
        findFloats()
        findUUIDs()
        findConstants()
        findCounters()
        findUptimes()
        findMedicalFloats()
        findNumbers()
        findTexts()
        findScrambled()
        findFlags()
        findOctets()
        addDoubtsAboutWidth()
        return fields
    }

    /// Fields that advance with the values or the time, at places that are not `isKnown`.
    mutating func advancing(_ isKnown: (Int) -> Bool) -> [InferredField] {
        taken = Set(columns.indices.filter(isKnown))
        findEpochs()
        findCounters()
        findUptimes()
        return fields
    }

    private func isFree(_ place: Int) -> Bool { !taken.contains(place) }

    private mutating func take(_ field: InferredField) {
        fields.append(field)
        if field.place >= 0 { taken.formUnion(field.range) }
    }

    private func evidence(_ bits: Double?, support: Int? = nil) -> Evidence {
        Evidence(support: support, of: count, distinct: distinct, bits: bits)
    }

    // MARK: Kinds

    private mutating func findEpochs() {
        for place in columns.indices {
            guard let found = Times.epoch(at: place, columns, times, isFree), found.bits - cost >= Chance.fieldLimit
            else {
                continue
            }
            take(found)
        }
    }

    private mutating func take(_ found: Times.Finding) {
        var field = InferredField(
            found.range.lowerBound, found.range.count, found.kind, evidence(found.bits - cost),
            isBigEndian: found.isBigEndian)
        if let doubt = found.doubt { field.doubts.append(doubt) }
        take(field)
    }

    private mutating func findAddresses() {
        for place in columns.indices {
            guard let found = KnownNumbers.address(at: place, columns, addresses, isFree) else { continue }
            take(InferredField(place, 6, .address, evidence(found.bits - cost), isBigEndian: found.isBigEndian))
        }
    }

    private mutating func findSums() {
        for sum in KnownNumbers.sums(columns, distinct: distinct)
        where sum.bits - cost >= Chance.limit && sum.range.allSatisfy(isFree) && sum.parts.allSatisfy(isFree) {
            take(
                InferredField(
                    sum.range.lowerBound, 2, .sum(of: sum.parts), evidence(sum.bits - cost),
                    isBigEndian: sum.isBigEndian))
            for place in stride(from: sum.parts.lowerBound, to: sum.parts.upperBound, by: 2) {
                take(InferredField(place, 2, .number, evidence(sum.bits - cost), isBigEndian: sum.isBigEndian))
            }
        }
    }

    private mutating func findFloats() {
        for place in columns.indices {
            guard let found = KnownNumbers.float(at: place, columns, isFree), found.bits - cost >= Chance.fieldLimit
            else { continue }
            take(InferredField(place, 4, .float, evidence(found.bits - cost), isBigEndian: found.isBigEndian))
        }
    }

    private mutating func findMedicalFloats() {
        for place in columns.indices {
            guard let found = KnownNumbers.medicalFloat(at: place, columns, isFree),
                found.bits * stepShare - cost >= Chance.fieldLimit
            else { continue }
            take(
                InferredField(
                    place, 2, .medicalFloat, evidence(found.bits * stepShare - cost), isBigEndian: found.isBigEndian))
        }
    }

    private mutating func findUUIDs() {
        for place in columns.indices {
            guard let found = KnownNumbers.uuid(at: place, columns, distinct: distinct, isFree),
                found.bits - cost >= Chance.fieldLimit
            else { continue }
            take(InferredField(place, 16, .uuid, evidence(found.bits - cost), isBigEndian: found.isBigEndian))
        }
    }

    /// What a number that moves in small steps may be: only by its range, or by an exponent.
    private func guess(_ range: Range<Int>, isBigEndian: Bool, isSigned: Bool) -> String? {
        let numbers = Times.numbers(columns, range, isBigEndian: isBigEndian)
        guard !isSigned, let least = numbers.min(), let greatest = numbers.max() else { return nil }
        let medical = range.count == 2 ? KnownNumbers.medicalFloatGuess(numbers) : nil
        return medical ?? KnownNumbers.guess(least, greatest)
    }

    private mutating func findConstants() {
        var place = 0
        while place < columns.count {
            var run: [UInt8] = []
            while place + run.count < columns.count, isFree(place + run.count), columns[place + run.count].isConstant {
                run.append(columns[place + run.count].octets[0])
            }
            if !run.isEmpty { take(InferredField(place, run.count, .constant(run), evidence(nil))) }
            place += max(1, run.count)
        }
    }

    private mutating func findCounters() {
        for place in columns.indices where isFree(place) && !columns[place].isConstant {
            guard let found = Counters.find(at: place, columns, isFree), found.bits - cost >= Chance.fieldLimit else {
                continue
            }
            // A clock that is read at regular times also has a regular step.
            if found.step != 1 || !found.isExact, hasUptime(from: place) { continue }
            var field = InferredField(
                found.range.lowerBound, found.range.count, .counter(step: found.step),
                evidence(found.bits - cost, support: found.support), isBigEndian: found.isBigEndian)
            if found.support < count {
                field.doubts.append("\(count - found.support) values do not continue the count")
            }
            take(field)
        }
    }

    private func hasUptime(from place: Int) -> Bool {
        (max(0, place - 3)...place).contains { first in
            Times.uptime(at: first, columns, times, isFree).map { $0.range.contains(place) } ?? false
        }
    }

    private mutating func findUptimes() {
        for place in columns.indices {
            guard let found = Times.uptime(at: place, columns, times, isFree), found.bits - cost >= Chance.fieldLimit
            else {
                continue
            }
            take(found)
        }
    }

    private mutating func findNumbers() {
        for found in Numbers.joined(columns, share: stepShare, cost: cost, isFree) {
            var field = InferredField(
                found.range.lowerBound, found.range.count, .number, evidence(found.bits),
                isBigEndian: found.isBigEndian)
            field.isSigned = Numbers.isSigned(columns, found.range, isBigEndian: found.isBigEndian)
            if let doubt = found.doubt { field.doubts.append(doubt) }
            if !field.isSigned { field.doubts.append("no value passes through 0, so that a sign would not show") }
            if let guess = guess(found.range, isBigEndian: found.isBigEndian, isSigned: field.isSigned) {
                field.doubts.append(guess)
            }
            take(field)
        }
    }

    private mutating func findTexts() {
        for (range, bits) in Contents.texts(columns, isFree) where bits - cost >= Chance.fieldLimit {
            take(InferredField(range.lowerBound, range.count, .text, evidence(bits - cost)))
        }
    }

    private mutating func findScrambled() {
        // Octets that are encrypted in blocks are the same again for the same contents.
        let columns = columns.indices.map { contents.column($0) }
        for (range, entropy) in Contents.scrambled(columns, isFree) {
            var field = InferredField(range.lowerBound, range.count, .scrambled, evidence(nil))
            let hundredths = Int((entropy * 100).rounded())
            field.doubts.append(
                "entropy \(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100) of 8 bits an octet"
            )
            if field.width % 16 == 0 {
                field.doubts.append(
                    "blocks of 16 octets, as AES has them: with a key, `assemble: { aes: … }` decrypts them")
            }
            take(field)
        }
    }

    private mutating func findFlags() {
        for place in columns.indices where isFree(place) {
            guard let flags = Contents.flags(columns[place]), flags.evidence * stepShare - cost >= Chance.fieldLimit
            else {
                continue
            }
            var field = InferredField(place, 1, .flags(flags.bits), evidence(flags.evidence * stepShare - cost))
            if flags.alone < flags.changes {
                field.doubts.append("\(flags.changes - flags.alone) of \(flags.changes) changes are of several bits")
            }
            take(field)
        }
    }

    /// Whether a neighbour that changes as a high or a low octet would, too rarely for a claim, makes it unclear how long the number is.
    private func mayBePart(_ place: Int) -> Bool {
        [place - 1, place + 1].contains { next in
            guard columns.indices.contains(next), isFree(next), !columns[next].isConstant else { return false }
            return Numbers.isCarry(low: columns[place], high: columns[next])
                || Numbers.isCarry(low: columns[next], high: columns[place])
        }
    }

    /// Numbers of one octet.
    private mutating func findOctets() {
        for place in columns.indices where isFree(place) {
            let column = columns[place]
            let isSigned = Numbers.isSigned(columns, place..<place + 1, isBigEndian: false)
            let bits = Numbers.smoothness(column, asSigned: isSigned) * stepShare - cost
            guard bits >= Chance.fieldLimit, !mayBePart(place) else { continue }
            var field = InferredField(place, 1, .number, evidence(bits))
            field.isSigned = isSigned
            if let guess = guess(place..<place + 1, isBigEndian: false, isSigned: isSigned) {
                field.doubts.append(guess)
            }
            take(field)
        }
    }

    /// A number that moves may have more octets than change, or than change in a way that shows it.
    private mutating func addDoubtsAboutWidth() {
        for index in fields.indices {
            let field = fields[index]
            let isCounter = if case .counter = field.kind { true } else { false }
            let isLength = if case .length = field.kind { true } else { false }
            guard field.place >= 0, isCounter || isLength || field.kind == .number else { continue }
            let (before, after) = (field.place - 1, field.place + field.width)
            let isEither = field.width == 1
            var (high, low): ([Int], [Int]) = ([], [])
            for (next, isHigh, isLow) in [
                (before, isEither || field.isBigEndian, isEither || !field.isBigEndian),
                (after, isEither || !field.isBigEndian, isEither || field.isBigEndian),
            ] where columns.indices.contains(next) {
                // Another octet than 0 is a mark at the start, and too much for a length.
                if isHigh, columns[next].isConstant, next > 0 && !isLength || columns[next].octets.first == 0 {
                    high.append(next)
                } else if isLow, field.kind == .number, isFree(next) {
                    low.append(next)
                }
            }
            // One doubt: the number may have more octets.
            func octets(_ places: [Int]) -> String { "octet \(places.map(String.init).joined(separator: " or "))" }
            let parts = [
                high.isEmpty ? nil : "the constant \(octets(high)) may be its high part",
                low.isEmpty ? nil : "\(octets(low)) may be its low part",
            ].compactMap(\.self)
            if !parts.isEmpty { fields[index].doubts.append(parts.joined(separator: ", or ")) }
        }
    }
}
