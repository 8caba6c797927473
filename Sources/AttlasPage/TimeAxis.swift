import AttlasMetrics

/// The axis of time of a page: a leap of the clock is a gap of fixed width, however long it is.
struct TimeAxis: Sendable {
    /// In nanoseconds since the origin of the times.
    struct Leap: Sendable {
        let end: Int64
        let length: Int64

        var start: Int64 { end.subtracting(length) }
    }

    let span: Int64
    /// In the order of time, none within another.
    let leaps: [Leap]
    /// Nanoseconds that each leap takes on the axis.
    private let gap: Double

    /// - Parameter leaps: those that do not lie between the origin and the end one after the other are ignored: the clock went
    ///   back as well.
    init(span: Int64, leaps: [Leap] = []) {
        self.span = span
        var kept: [Leap] = []
        for leap in leaps where leap.start >= kept.last?.end ?? 0 && leap.end <= span { kept.append(leap) }
        self.leaps = kept
        gap = max(1e6, kept.reduce(Double(span)) { $0 - Double($1.length) }) / 25
    }

    var length: Double { leaps.reduce(Double(span)) { $0 - Double($1.length) + gap } }

    /// Where on the axis, from 0 to 1.
    func share(of offset: Int64) -> Double {
        let offset = min(max(0, offset), span)
        var place = Double(offset)
        for leap in leaps where offset > leap.start {
            let passed = Double(min(offset, leap.end).subtracting(leap.start))
            place -= passed - gap * passed / Double(leap.length)
        }
        return min(1, max(0, place / length))
    }
}
