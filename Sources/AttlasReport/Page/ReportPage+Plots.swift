import AttlasMetrics
import AttlasTrace
import AttlasWire

/// Numbers over time: the fields of values, round trips, throughput and signal strength.
extension ReportPage {
    /// The drawing, in units of its own.
    private static let (width, height, margin) = (10_000.0, 100.0, 4.0)
    /// Pieces that have a dot each, when there are no more.
    private static let dots = 60

    func plots(of model: ReportModel) -> [PagePlot] {
        model.plots.filter(isPlotted)
    }

    func isPlotted(_ plot: PagePlot) -> Bool {
        plot.series.total.count > 1 && (options.showsValues || plot.subject != .field)
    }

    mutating func writePlots(_ model: ReportModel) {
        let plots = plots(of: model)
        guard !plots.isEmpty else { return }
        beginPart("plots")
        html.markup("<div class=\"plots\">")
        // Both directions of the traffic have one axis.
        let most = plots.filter(\.isThroughput).compactMap { $0.series.bounds?.upperBound }.max() ?? 0
        for plot in plots { write(plot, model, shared: plot.isThroughput ? 0...max(1, most) : nil) }
        html.markup("</div>\n")
        endPart()
    }

    private mutating func write(_ plot: PagePlot, _ model: ReportModel, shared: ClosedRange<Double>?) {
        let series = plot.series
        guard let bounds = series.bounds else { return }
        let range = shared ?? plot.axis(bounds)
        beginFigure(plot)
        html.markup("<span class=\"faint\">")
        html.put { piece in
            if !series.isRate { piece.append(string: "\(series.total.count) values, ") }
            piece.append(series, bounds)
            if case .throughput(let direction) = plot.subject {
                piece.append(display: Self.allowance(direction, model))
            }
        }
        html.markup("</span>")
        beginDrawing(plot, range) { piece in
            piece.append(rounded: bounds.lowerBound)
            piece.append(" to ")
            piece.append(rounded: bounds.upperBound)
            piece.append(unit: series.unit)
        }
        write(leaps: model.axis)
        let gaps = plot.gaps
        for gap in gaps {
            html.markup("<rect class=\"gap\" y=\"0\" height=\"100\" x=\"")
            let x = Self.x(gap.start, model.axis)
            html.put(coordinate: x)
            html.markup("\" width=\"")
            html.put(coordinate: Self.x(gap.start &+ gap.length, model.axis) - x)
            html.markup("\"><title>no value for ")
            html.put { $0.append(duration: gap.length) }
            html.markup("</title></rect>")
        }
        writePath("line", series, range, gaps, model.axis)
        html.markup("</svg>")
        for state in plot.states { write(state, model.axis) }
        endDrawing(model.axis)
    }

    private mutating func write(leaps axis: TimeAxis) {
        for leap in axis.leaps {
            let x = Self.x(leap.start, axis)
            html.markup("<rect class=\"gap\" y=\"0\" height=\"100\" x=\"")
            html.put(coordinate: x)
            html.markup("\" width=\"")
            html.put(coordinate: Self.x(leap.end, axis) - x)
            html.markup("\"><title>the clock leapt ahead by ")
            html.put { $0.append(duration: leap.length) }
            html.markup("</title></rect>")
        }
    }

    /// The same numbers of two captures on one axis, each from the first record of its capture on.
    mutating func write(_ first: PagePlot, over second: PagePlot, _ axis: TimeAxis) {
        guard let bounds = first.series.bounds, let others = second.series.bounds else { return }
        let both = min(bounds.lowerBound, others.lowerBound)...max(bounds.upperBound, others.upperBound)
        let range = first.axis(both)
        let lines: [(name: StaticString, style: StaticString, PagePlot, ClosedRange<Double>)] = [
            ("A", "line", first, bounds), ("B", "line second", second, others),
        ]
        beginFigure(first)
        for (name, style, plot, bounds) in lines {
            html.markup(
                "<span class=\"faint\"><svg width=\"20\" height=\"8\" aria-hidden=\"true\"><path d=\"M0 4H20\" class=\""
            )
            html.markup(style)
            html.markup("\"/></svg> ")
            html.markup(name)
            html.markup(": ")
            html.put { $0.append(plot.series, bounds) }
            html.markup("</span> ")
        }
        beginDrawing(first, range) { piece in
            for (name, _, plot, bounds) in lines {
                piece.append(name)
                piece.append(" ")
                piece.append(plot.series, bounds)
                piece.append("; ")
            }
        }
        for (_, style, plot, _) in lines { writePath(style, plot.series, range, plot.gaps, axis) }
        html.markup("</svg>")
        endDrawing(axis)
    }

    /// A figure, up to what its caption says besides its name.
    private mutating func beginFigure(_ plot: PagePlot) {
        html.markup("<figure class=\"plot\"><figcaption><bdi>")
        html.put(plot.owner)
        html.markup("</bdi> <strong>")
        html.put(plot.series.name)
        html.markup("</strong> ")
    }

    private mutating func beginDrawing(
        _ plot: PagePlot, _ range: ClosedRange<Double>, _ describe: (inout TextBuffer) -> Void
    ) {
        html.markup("</figcaption><div class=\"frame\"><p class=\"scale\" aria-hidden=\"true\"><span>")
        html.put { $0.append(rounded: range.upperBound) }
        html.markup("</span><span>")
        html.put { $0.append(rounded: range.lowerBound) }
        html.markup("</span></p><div class=\"time\">")
        html.markup("<svg class=\"plot\" viewBox=\"0 0 10000 100\" preserveAspectRatio=\"none\" role=\"img\"")
        html.attribute("aria-label") { piece in
            piece.append(string: "\(plot.owner), \(plot.series.name) over time, ")
            describe(&piece)
        }
        html.markup(">")
    }

    private mutating func endDrawing(_ axis: TimeAxis) {
        writeTicks(axis)
        html.markup("</div></div></figure>\n")
    }

    /// A band for each time with one state, and above it what the colours mean.
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
            // The last value has no time of its own.
            html.put(coordinate: max(20, end - start))
            html.markup("\"")
            html.attribute("class", state.style(of: band.state))
            html.markup("><title>")
            html.put { piece in
                piece.append(display: name(band.state))
                piece.append(" from ")
                piece.append(secondsOf: band.start)
                piece.append(" s to ")
                piece.append(secondsOf: band.end)
                piece.append(" s")
            }
            html.markup("</title></rect>")
        }
        html.markup("</svg>")
    }

    private static func x(_ offset: Int64, _ axis: TimeAxis) -> Double {
        axis.share(of: offset) * width
    }

    /// What is drawn of a piece of time: its place, its greatest and its least number, and whether the line goes on to it.
    private struct Point {
        let x, top, bottom: Double
        let isJoined: Bool
    }

    private func points(
        _ series: TimeSeries, _ range: ClosedRange<Double>, _ gaps: [TimeSeries.Silence], _ axis: TimeAxis
    ) -> [Point] {
        func y(_ number: Double) -> Double {
            let share = (number - range.lowerBound) / (range.upperBound - range.lowerBound)
            return Self.margin + (Self.height - 2 * Self.margin) * (1 - share)
        }
        let ends = gaps.map { $0.start &+ $0.length }.sorted()
        var nextGap = 0
        var points: [Point] = []
        for place in series.pieces.indices {
            guard let bounds = series.bounds(ofPiece: place) else { continue }
            let time = series.time(ofPiece: place)
            var isJoined = !points.isEmpty
            while nextGap < ends.count, ends[nextGap] < time &+ series.pieceLength {
                isJoined = false
                nextGap += 1
            }
            points.append(
                Point(
                    x: Self.x(time, axis), top: y(bounds.upperBound), bottom: y(bounds.lowerBound), isJoined: isJoined))
        }
        return points
    }

    /// A line through the pieces, interrupted where nothing came for long; of few pieces, a dot each.
    private mutating func writePath(
        _ style: StaticString, _ series: TimeSeries, _ range: ClosedRange<Double>, _ gaps: [TimeSeries.Silence],
        _ axis: TimeAxis
    ) {
        let points = points(series, range, gaps, axis)
        html.markup("<path class=\"")
        html.markup(style)
        html.markup("\" d=\"")
        for point in points {
            put(point, point.isJoined ? "L" : "M")
            guard point.bottom > point.top else { continue }
            html.markup("V")
            html.put(coordinate: point.bottom)
        }
        html.markup("\"/>")
        guard points.count <= (series.isRate ? 1 : Self.dots) else { return }
        html.markup("<path class=\"")
        html.markup(style)
        html.markup(" dots\" d=\"")
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

    /// What the links allow.
    private static func allowance(_ direction: Direction, _ model: ReportModel) -> String {
        let most = model.connections.compactMap { $0[direction].conditions?.allowedOctetsPerSecond }.max()
        guard let most else { return "" }
        var text = TextBuffer()
        text.append("; the link allowed ")
        text.append(rate: most, "B/s")
        return text.text
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
    /// `60 to 93 bpm, mean 71.2 bpm`, `all 72 bpm`
    fileprivate mutating func append(_ series: TimeSeries, _ bounds: ClosedRange<Double>) {
        let isConstant = !series.isRate && bounds.lowerBound == bounds.upperBound
        if series.isRate {
            append("at most ")
        } else if isConstant {
            append("all ")
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
