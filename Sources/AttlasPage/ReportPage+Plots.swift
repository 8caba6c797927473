import AttlasDocuments
import AttlasIncidents
import AttlasMetrics
import AttlasText
import AttlasTrace
import AttlasWire

/// Numbers over time: the fields of values, round trips, throughput and signal strength.
extension ReportPage {
    /// The size of a drawing, in drawing units. The margin above and below the scale is half a label's height.
    private static let (width, height, margin) = (10_000.0, 100.0, 6.25)
    /// Pieces that have a dot each, when there are no more.
    private static let dots = 60

    /// One drawing: a line, those of all methods, or those of two captures.
    struct Figure {
        let owner: String
        let name: String
        /// Their names are a legend.
        var lines: [(name: String, plot: PagePlot)]
        /// Both directions of the traffic have one.
        var range: ClosedRange<Double>?

        init(_ plot: PagePlot) {
            let isRoundTrip = plot.subject == .roundTrip
            owner = isRoundTrip ? "All connections" : plot.owner
            name = isRoundTrip ? "Round trips" : plot.series.name
            lines = [(plot.series.name, plot)]
        }

        init(_ first: PagePlot, over second: PagePlot) {
            (owner, name) = (first.owner, first.series.name)
            lines = [("A", first), ("B", second)]
        }
    }

    func figures(of model: ReportModel) -> [Figure] {
        var figures: [Figure] = []
        let shown = model.plots.filter { options.showsValues || $0.subject != .field }
        let most = shown.filter(\.isThroughput).compactMap { $0.series.bounds?.upperBound }.max() ?? 0
        for plot in shown {
            if plot.subject == .roundTrip, let last = figures.indices.last,
                figures[last].lines[0].plot.subject == .roundTrip
            {
                figures[last].lines.append((plot.series.name, plot))
            } else {
                figures.append(Figure(plot))
                if plot.isThroughput { figures[figures.count - 1].range = 0...max(1, most) }
            }
        }
        // Fewer show nothing that a sentence does not.
        return figures.filter { $0.lines.reduce(0) { $0 + $1.plot.count } > 2 }
    }

    mutating func writePlots(_ model: ReportModel) {
        let figures = figures(of: model)
        guard !figures.isEmpty else { return }
        beginPart("plots")
        let strangers = figures.filter { $0.lines[0].plot.isOfStranger }
        html.markup("<div class=\"plots\">")
        for figure in figures where !figure.lines[0].plot.isOfStranger { write(figure, model.axis, model) }
        html.markup("</div>\n")
        if !strangers.isEmpty {
            html.markup("<details class=\"folded\"><summary>")
            html.put("RSSI of \(counted(strangers.count, "device")) without a connection")
            html.markup("</summary><div class=\"plots\">")
            for figure in strangers { write(figure, model.axis, model) }
            html.markup("</div></details>\n")
        }
        endPart()
    }

    mutating func write(_ figure: Figure, _ axis: TimeAxis, _ model: ReportModel? = nil) {
        let first = figure.lines[0].plot
        let bounds = figure.lines.compactMap(\.plot.series.bounds)
        guard let low = bounds.map(\.lowerBound).min(), let high = bounds.map(\.upperBound).max() else { return }
        let scale = RoundScale(figure.range ?? first.axis(low...high))
        html.markup("<figure class=\"plot\"><figcaption><bdi>")
        html.put(figure.owner)
        html.markup("</bdi> <strong>")
        html.put(figure.name)
        html.markup("</strong>")
        for (place, line) in figure.lines.enumerated() {
            html.markup(" <span class=\"faint\">")
            if figure.lines.count > 1 || first.subject == .roundTrip {
                html.markup("<svg width=\"20\" height=\"8\" aria-hidden=\"true\"><path d=\"")
                html.markup(line.plot.subject == .roundTrip ? "M10 4h0" : "M0 4H20")
                html.markup("\"")
                html.attribute("class", figure.style(of: place))
                html.markup("/></svg> ")
                html.put(line.name)
                html.markup(": ")
            }
            html.element("span", "sum") { $0.put { $0.append(line.plot.series) } }
            if let model, case .throughput(let direction) = line.plot.subject {
                html.put(Self.allowance(direction, model))
            }
            html.markup("</span>")
        }
        html.markup("</figcaption><div class=\"frame\"><p class=\"scale\" aria-hidden=\"true\">")
        for (place, tick) in scale.ticks.reversed().enumerated() {
            html.markup("<span>")
            html.put {
                $0.append(number: tick)
                if place == 0 { $0.append(unit: first.series.unit) }
            }
            html.markup("</span>")
        }
        html.markup(
            "</p><div class=\"time\"><svg class=\"plot\" viewBox=\"0 0 10000 100\" preserveAspectRatio=\"none\" role=\"img\""
        )
        html.attribute("data-scale") { piece in
            piece.append(number: .float64(scale.range.lowerBound))
            piece.append(" ")
            piece.append(number: .float64(scale.range.upperBound))
        }
        if let unit = first.series.unit { html.attribute("data-unit", unit) }
        html.attribute("aria-label") { piece in
            piece.append(string: "\(figure.owner), \(figure.name) over time")
            for line in figure.lines {
                piece.append(string: figure.lines.count > 1 ? "; \(line.name): " : ", ")
                piece.append(line.plot.series)
            }
        }
        html.markup("><path class=\"grid\" d=\"")
        for place in scale.ticks.indices {
            html.markup("M0 ")
            html.put(coordinate: Self.y(Double(place) / Double(scale.ticks.count - 1)))
            html.markup("H10000")
        }
        html.markup("\"/>")
        write(leaps: axis)
        if figure.lines.count == 1 { write(gaps: first.gaps, axis) }
        for (place, line) in figure.lines.enumerated() {
            writePath(figure.style(of: place), line.plot, scale.range, axis)
        }
        html.markup("</svg>")
        for state in first.states where figure.lines.count == 1 { write(state, axis) }
        writeTicks(axis)
        html.markup("</div></div></figure>\n")
    }

    private mutating func write(leaps axis: TimeAxis) {
        for leap in axis.leaps { writeGap(leap.start, leap.end, axis, "the clock leapt ahead by ") }
    }

    private mutating func write(gaps: [TimeSeries.Silence], _ axis: TimeAxis) {
        for gap in gaps { writeGap(gap.start, gap.start &+ gap.length, axis, "no value for ") }
    }

    private mutating func writeGap(_ start: Int64, _ end: Int64, _ axis: TimeAxis, _ text: StaticString) {
        let x = Self.x(start, axis)
        html.markup("<rect class=\"gap\" y=\"0\" height=\"100\" x=\"")
        html.put(coordinate: x)
        html.markup("\" width=\"")
        html.put(coordinate: Self.x(end, axis) - x)
        html.markup("\"><title>")
        html.markup(text)
        html.put { $0.append(duration: end.subtracting(start)) }
        html.markup("</title></rect>")
    }

    /// A band for each time with one state, and above it the legend.
    private mutating func write(_ state: StateSeries, _ axis: TimeAxis) {
        let bands = state.bands
        func name(_ place: Int?) -> String { place.map { state.states[$0] } ?? "changing fast" }
        html.markup("<p class=\"states\" aria-hidden=\"true\"><span>")
        html.put(state.series.name)
        html.markup("</span>")
        var shown: [Int?] = []
        for band in bands where !shown.contains(band.state) { shown.append(band.state) }
        for place in shown {
            html.markup(" <span><svg width=\"12\" height=\"12\"><rect width=\"12\" height=\"12\"")
            html.attribute("class", state.style(of: place))
            html.markup("/></svg> ")
            html.put(name(place))
            html.markup("</span>")
        }
        html.markup("</p><svg class=\"band\" viewBox=\"0 0 10000 100\" preserveAspectRatio=\"none\" role=\"img\"")
        html.attribute("aria-label") { piece in
            piece.append(
                string: "\(state.series.name): \(shown.map(name).joined(separator: ", ")); \(bands.count) bands")
        }
        html.markup(">")
        for band in bands {
            let (start, end) = (Self.x(band.start, axis), Self.x(band.end, axis))
            html.markup("<rect height=\"100\" x=\"")
            html.put(coordinate: start)
            html.markup("\" width=\"")
            // The last value has no duration.
            html.put(coordinate: max(20, end - start))
            html.markup("\"")
            html.attribute("class", state.style(of: band.state))
            html.markup("><title>")
            html.put {
                $0.append("\(display: name(band.state)) from \(secondsOf: band.start) s to \(secondsOf: band.end) s")
            }
            html.markup("</title></rect>")
        }
        html.markup("</svg>")
    }

    private static func x(_ offset: Int64, _ axis: TimeAxis) -> Double { axis.share(of: offset) * width }

    private static func y(_ share: Double) -> Double { margin + (height - 2 * margin) * (1 - share) }

    /// A drawn piece of time: its place, its greatest and its least number, and whether a line leads to it.
    private struct Point {
        let x, top, bottom: Double
        let isJoined: Bool
        let count: Int
        let mean: Double
    }

    private func points(_ plot: PagePlot, _ range: ClosedRange<Double>, _ axis: TimeAxis) -> [Point] {
        func y(_ number: Double) -> Double {
            Self.y((number - range.lowerBound) / (range.upperBound - range.lowerBound))
        }
        let series = plot.series
        let ends = plot.gaps.map { $0.start &+ $0.length }.sorted()
        var nextGap = 0
        var points: [Point] = []
        for place in series.pieces.indices {
            guard let bounds = series.bounds(ofPiece: place), let mean = series.mean(ofPiece: place) else { continue }
            let time = series.time(ofPiece: place)
            var isJoined = !points.isEmpty && plot.subject != .roundTrip
            while nextGap < ends.count, ends[nextGap] < time &+ series.pieceLength {
                isJoined = false
                nextGap += 1
            }
            points.append(
                Point(
                    x: Self.x(time, axis), top: y(bounds.upperBound), bottom: y(bounds.lowerBound), isJoined: isJoined,
                    count: series.isRate ? 1 : series.pieces[place].count, mean: y(mean)))
        }
        return points
    }

    /// A line through the pieces, interrupted where nothing came for long; of few pieces, a dot each. A single piece is a dot.
    private mutating func writePath(_ style: String, _ plot: PagePlot, _ range: ClosedRange<Double>, _ axis: TimeAxis) {
        let points = points(plot, range, axis)
        html.markup("<path")
        html.attribute("class", style)
        // How many values a piece has, and their mean, for captions of a range: nothing of one value.
        html.markup(" data-n=\"")
        if points.contains(where: { $0.count > 1 }) {
            for (place, point) in points.enumerated() {
                if place > 0 { html.markup(",") }
                guard point.count > 1 else { continue }
                html.put(point.count)
                guard point.bottom > point.top else { continue }
                html.markup(":")
                html.put(coordinate: (point.mean * 10).rounded() / 10)
            }
        }
        html.markup("\" d=\"")
        for (place, point) in points.enumerated() {
            put(point, point.isJoined ? "L" : "M")
            if point.bottom > point.top {
                html.markup("V")
                html.put(coordinate: point.bottom)
            } else if !point.isJoined, place + 1 == points.count || !points[place + 1].isJoined {
                html.markup("h0")
            }
        }
        html.markup("\"/>")
        guard plot.subject != .roundTrip, points.count <= (plot.series.isRate ? 1 : Self.dots) else { return }
        html.markup("<path")
        html.attribute("class", "\(style) dots")
        html.markup(" d=\"")
        for point in points {
            put(point, "M")
            html.markup("h0")
        }
        html.markup("\"/>")
    }

    private mutating func put(_ point: Point, _ command: StaticString) {
        html.markup(command)
        html.put(coordinate: point.x)
        html.markup(" ")
        html.put(coordinate: point.top)
    }

    /// The rate that the links allow.
    private static func allowance(_ direction: Direction, _ model: ReportModel) -> String {
        let most = model.connections.compactMap { $0[direction].conditions?.allowedOctetsPerSecond }.max()
        guard let most else { return "" }
        return TextBuffer("; the link allowed \({ $0.append(rate: most, "B/s") })").text
    }
}

extension ReportPage.Figure {
    /// The twelfth line looks like the first one again.
    fileprivate func style(of place: Int) -> String {
        let dots = lines[0].plot.subject == .roundTrip ? " dots" : ""
        return "line l\(place % 12)\(dots)"
    }
}

extension StateSeries {
    /// The colour of a state: flags have the same everywhere.
    fileprivate func style(of place: Int?) -> String {
        guard let place else { return "fast" }
        return ["on", "off", "absent"].contains(states[place]) ? states[place] : "s\(place % 6)"
    }
}

extension PagePlot {
    /// The values that are drawn.
    var count: Int { series.isRate ? series.pieces.count : series.total.count }

    /// Between two requests there is no round trip to be missed.
    fileprivate var gaps: [TimeSeries.Silence] { subject == .roundTrip ? [] : series.gaps }

    /// A range that is not empty, and has 0 in it where that is near.
    fileprivate func axis(_ bounds: ClosedRange<Double>) -> ClosedRange<Double> {
        let (low, high) = (bounds.lowerBound, bounds.upperBound)
        if subject == .roundTrip || isThroughput { return 0...max(high, 0.001) }
        if low == high { return low - max(1, abs(low) * 0.1)...high + max(1, abs(high) * 0.1) }
        if low >= 0, low < (high - low) { return 0...high }
        return bounds
    }
}

extension TextBuffer {
    /// `9 values, 60 to 93 bpm, mean 71.2 bpm`, `9 values, all 72 bpm`. report.js writes the same for a range.
    fileprivate mutating func append(_ series: TimeSeries) {
        guard let bounds = series.bounds else { return }
        if !series.isRate { append("\(series.total.count, "value"), ") }
        let isConstant = !series.isRate && bounds.lowerBound == bounds.upperBound
        if series.isRate {
            append("at most ")
        } else if isConstant {
            if series.total.count > 1 { append("all ") }
        } else {
            append(rounded: bounds.lowerBound)
            append(" to ")
        }
        append(rounded: bounds.upperBound)
        append(unit: series.unit)
        if isConstant { return }
        append(", mean ")
        append(rounded: series.mean)
        append(unit: series.unit)
    }
}
