import AttlasDissection

/// Which state a flag or an enumeration has over time. The numbers of the series are the places of the states.
package struct StateSeries {
    /// Distinguished states; all others are the last one.
    private static let stateLimit = 12

    /// The names of states, in the order in which they came.
    package private(set) var states: [String] = []
    package private(set) var series: TimeSeries
    /// Code of each in a value; nil for a value without the field.
    private var codes: [Int64?] = []

    fileprivate init(name: String, limit: Int) {
        series = TimeSeries(name: name, unit: nil, limit: limit)
    }

    fileprivate mutating func note(_ code: Int64?, at time: Int64, _ name: () -> String) {
        let place = codes.firstIndex(of: code) ?? min(codes.count, Self.stateLimit)
        if place == states.count {
            codes.append(code)
            states.append(place < Self.stateLimit ? name() : "another")
        }
        series.note(Double(place), at: time)
    }

    /// A time with one state. Nanoseconds since the first record.
    package struct Band: Equatable {
        package let start: Int64
        package fileprivate(set) var end: Int64
        /// nil if it has several, which come too fast to be distinguished.
        package let state: Int?
    }

    /// Each ends where the next begins, or where nothing came for long.
    package var bands: [Band] {
        var bands: [Band] = []
        let gaps = series.gaps.sorted { $0.start < $1.start }
        var nextGap = 0
        for place in series.pieces.indices {
            guard let bounds = series.bounds(ofPiece: place) else { continue }
            let start = series.time(ofPiece: place)
            let state = bounds.lowerBound == bounds.upperBound ? Int(bounds.lowerBound) : nil
            var isBehindGap = bands.isEmpty
            if !isBehindGap { bands[bands.count - 1].end = start }
            while nextGap < gaps.count, gaps[nextGap].start &+ gaps[nextGap].length < start &+ series.pieceLength {
                if !isBehindGap { bands[bands.count - 1].end = gaps[nextGap].start }
                isBehindGap = true
                nextGap += 1
            }
            if isBehindGap || bands.last?.state != state {
                bands.append(Band(start: start, end: max(start, series.end), state: state))
            }
        }
        if let last = bands.indices.last { bands[last].end = max(bands[last].start, series.end) }
        return bands
    }
}

extension [StateSeries] {
    /// Notes the flags and enumerations of a value, each in the series of its name.
    ///
    /// - Parameters:
    ///   - limit: names that are kept, at most 64; more are left out.
    ///   - pieces: of a series, at most.
    package mutating func note(
        _ dissection: borrowing Dissection, of dissector: Dissector, at time: Int64, limit: Int, pieces: Int
    ) {
        // By their places. The first of a repeated field counts.
        var noted: UInt64 = 0
        func note(_ name: String, _ code: Int64, _ series: inout [StateSeries], _ label: () -> String) {
            var place = series.firstIndex { $0.series.name == name }
            if place == nil, series.count < limit {
                place = series.count
                series.append(StateSeries(name: name, limit: pieces))
            }
            guard let place, noted & 1 << UInt64(place) == 0 else { return }
            noted |= 1 << UInt64(place)
            series[place].note(code, at: time, label)
        }
        for index in 0..<dissection.count {
            let record = dissection[index]
            guard record.field != DissectedField.unexplainedOctets, record.special == .none else { continue }
            let field = dissector.fields[Int(record.field)]
            for bits in field.bits {
                let code = bits.value(in: record.raw)
                note(bits.name, code, &self) {
                    bits.isFlag ? code == 0 ? "off" : "on" : bits.label(of: code) ?? "\(code)"
                }
            }
            if case .ranges = field.labels, field.bits.isEmpty {
                note(field.name, record.raw, &self) { dissector.label(of: record) ?? "\(record.raw)" }
            }
        }
        for place in indices where noted & 1 << UInt64(place) == 0 {
            self[place].note(nil, at: time) { "absent" }
        }
    }
}
