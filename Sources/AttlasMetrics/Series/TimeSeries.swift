import AttlasDissection

/// Numbers over time, kept as summaries of equal pieces of time.
///
/// There are at most `pieceLimit` pieces: when the time is longer, each two of them become one of twice the length. The least, the
/// greatest and the mean number stay exact.
package struct TimeSeries {
    package static let pieceLimit = 2_048
    private let limit: Int
    /// Silences that are kept, the longest ones.
    private static let silenceLimit = 32

    package struct Piece {
        /// Numbers in it; the others mean nothing when there are none.
        package fileprivate(set) var count = 0
        package fileprivate(set) var sum = 0.0
        package fileprivate(set) var least = 0.0
        package fileprivate(set) var greatest = 0.0
        package fileprivate(set) var first = 0.0
        package fileprivate(set) var last = 0.0

        fileprivate mutating func add(_ later: Piece) {
            guard later.count > 0 else { return }
            guard count > 0 else {
                self = later
                return
            }
            count += later.count
            sum += later.sum
            least = min(least, later.least)
            greatest = max(greatest, later.greatest)
            last = later.last
        }
    }

    /// Nanoseconds without a number.
    package struct Silence {
        /// Since the first record.
        package let start: Int64
        package let length: Int64
    }

    package let name: String
    package let unit: String?
    /// Whether the numbers of a piece count together, per second: amounts, and none is 0.
    package let isRate: Bool
    package private(set) var pieces: [Piece] = []
    /// Nanoseconds of a piece.
    package private(set) var pieceLength: Int64
    /// Times of the first and the last number, in nanoseconds since the first record.
    package private(set) var start: Int64 = 0
    package private(set) var end: Int64 = 0
    /// All numbers.
    package private(set) var total = Piece()
    /// At how many times there are numbers: one value may have several.
    private var times = 0
    /// The longest first.
    private var silences: [Silence] = []

    /// - Parameter limit: pieces at most.
    package init(name: String, unit: String?, isRate: Bool = false, limit: Int = Self.pieceLimit) {
        self.limit = limit
        self.name = name
        self.unit = unit
        self.isRate = isRate
        // The rate of a shorter time means nothing.
        pieceLength = isRate ? 1_000_000_000 : 1_000_000
    }

    package mutating func note(_ number: Double, at time: Int64) {
        let piece = Piece(count: 1, sum: number, least: number, greatest: number, first: number, last: number)
        if total.count == 0 { (start, end) = (time, time) }
        if total.count == 0 || time > end { times += 1 }
        total.add(piece)
        // Times of a clock that was set back count at the first time again.
        let offset = max(0, time.subtracting(start))
        while offset / pieceLength >= limit { halve() }
        let place = Int(offset / pieceLength)
        while pieces.count <= place { pieces.append(Piece()) }
        pieces[place].add(piece)
        noteSilence(until: time)
        end = max(end, time)
    }

    private mutating func halve() {
        for place in 0..<(pieces.count + 1) / 2 {
            var piece = pieces[2 * place]
            if 2 * place + 1 < pieces.count { piece.add(pieces[2 * place + 1]) }
            pieces[place] = piece
        }
        pieces.removeLast(pieces.count / 2)
        pieceLength *= 2
    }

    private mutating func noteSilence(until time: Int64) {
        let length = time.subtracting(end)
        guard length > 0, length > silences.last?.length ?? 0 || silences.count < Self.silenceLimit else { return }
        silences.insert(
            Silence(start: end, length: length), at: silences.firstIndex { $0.length < length } ?? silences.count)
        if silences.count > Self.silenceLimit { silences.removeLast() }
    }

    // MARK: What it comes to

    /// Silences of more than three times the mean of the shorter ones, the longest first: at most a quarter of all.
    package var gaps: [Silence] {
        guard !isRate else { return [] }
        var rest = Double(end.subtracting(start))
        var count = 0
        for (place, silence) in silences.prefix((times - 1) / 4).enumerated() {
            rest -= Double(silence.length)
            if Double(silence.length) > 3 * rest / Double(times - 2 - place) { count = place + 1 }
        }
        return Array(silences.prefix(count))
    }

    /// A piece as a plot shows it: between which numbers it lies. nil where there is none.
    package func bounds(ofPiece place: Int) -> ClosedRange<Double>? {
        let piece = pieces[place]
        if isRate {
            let rate = perSecond(piece)
            return rate...rate
        }
        return piece.count > 0 ? piece.least...piece.greatest : nil
    }

    /// Mean of the piece's numbers; nil if it has none.
    package func mean(ofPiece place: Int) -> Double? {
        let piece = pieces[place]
        return isRate ? perSecond(piece) : piece.count > 0 ? piece.sum / Double(piece.count) : nil
    }

    private func perSecond(_ piece: Piece) -> Double { piece.sum * 1e9 / Double(pieceLength) }

    /// The least and the greatest number; nil when there are none.
    package var bounds: ClosedRange<Double>? {
        guard total.count > 0 else { return nil }
        guard isRate else { return total.least...total.greatest }
        let rates = pieces.map { perSecond($0) }
        return (rates.min() ?? 0)...(rates.max() ?? 0)
    }

    package var mean: Double {
        isRate
            ? total.sum * 1e9 / Double(pieceLength) / Double(max(1, pieces.count))
            : total.sum / Double(max(1, total.count))
    }

    /// When a piece begins, in nanoseconds since the first record.
    package func time(ofPiece place: Int) -> Int64 { start &+ Int64(place) &* pieceLength }
}

extension Int64 {
    /// At the limits when it is more: a hostile clock names any year.
    package func subtracting(_ other: Int64) -> Int64 {
        let (difference, overflow) = subtractingReportingOverflow(other)
        return overflow ? (self < 0 ? .min : .max) : difference
    }
}

extension [TimeSeries] {
    /// Notes the measurements of a value, each in the series of its field.
    ///
    /// - Parameters:
    ///   - limit: fields that are kept; more are left out.
    ///   - pieces: of a series, at most.
    package mutating func note(
        _ dissection: borrowing Dissection, of dissector: Dissector, at time: Int64, limit: Int, pieces: Int
    ) {
        for index in 0..<dissection.count {
            let record = dissection[index]
            guard record.field != DissectedField.unexplainedOctets, dissector.isMeasurement(record),
                let number = dissector.number(of: record)?.double, number.isFinite
            else { continue }
            let field = dissector.fields[Int(record.field)]
            // Fields of one name are alternatives, such as the same quantity in one octet or in two.
            if let known = firstIndex(where: { $0.name == field.name && $0.unit == field.unit }) {
                self[known].note(number, at: time)
            } else if count < limit {
                append(TimeSeries(name: field.name, unit: field.unit, limit: pieces))
                self[count - 1].note(number, at: time)
            }
        }
    }
}
