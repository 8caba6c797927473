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
        model.plots.filter { $0.series.total.count > 1 && (options.showsValues || $0.subject != .field) }
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
        let range = shared ?? (plot.subject == .roundTrip ? 0...max(bounds.upperBound, 0.001) : Self.axis(bounds))
        let unit = series.unit.map { " \($0)" } ?? ""
        html.markup("<figure class=\"plot\"><figcaption><bdi>")
        html.put(plot.owner)
        html.markup("</bdi> <strong>")
        html.put(series.name)
        html.markup("</strong> <span class=\"faint\">")
        html.put { piece in
            piece.append(string: series.isRate ? "at most " : "\(series.total.count) values, ")
            if !series.isRate {
                piece.append(plotted: bounds.lowerBound)
                piece.append(" to ")
            }
            piece.append(plotted: bounds.upperBound)
            piece.append(display: unit)
            piece.append(", mean ")
            piece.append(plotted: series.mean)
            piece.append(display: unit)
            if case .throughput(let direction) = plot.subject {
                piece.append(display: Self.allowance(direction, model))
            }
        }
        html.markup("</span></figcaption><div class=\"frame\"><p class=\"scale\" aria-hidden=\"true\"><span>")
        html.put { $0.append(plotted: range.upperBound) }
        html.markup("</span><span>")
        html.put { $0.append(plotted: range.lowerBound) }
        html.markup("</span></p><div class=\"time\">")
        html.markup("<svg class=\"plot\" viewBox=\"0 0 10000 100\" preserveAspectRatio=\"none\" role=\"img\"")
        html.attribute("aria-label") { piece in
            piece.append(string: "\(plot.owner), \(series.name) over time, ")
            piece.append(plotted: bounds.lowerBound)
            piece.append(" to ")
            piece.append(plotted: bounds.upperBound)
            piece.append(display: unit)
        }
        html.markup(">")
        // Between two requests there is no round trip to be missed.
        let gaps = plot.subject == .roundTrip ? [] : series.gaps
        for gap in gaps {
            html.markup("<rect class=\"gap\" y=\"0\" height=\"100\" x=\"")
            html.put(coordinate: x(gap.start, model))
            html.markup("\" width=\"")
            html.put(coordinate: x(gap.start &+ gap.length, model) - x(gap.start, model))
            html.markup("\"><title>no value for ")
            html.put { $0.append(duration: gap.length) }
            html.markup("</title></rect>")
        }
        writePath(series, range, gaps, model)
        html.markup("</svg>")
        writeTicks(model)
        html.markup("</div></div></figure>\n")
    }

    private func x(_ offset: Int64, _ model: ReportModel) -> Double {
        Double(min(max(0, offset), model.span)) / Double(model.span) * Self.width
    }

    /// What is drawn of a piece of time: its place, its greatest and its least number, and whether the line goes on to it.
    private struct Point {
        let x, top, bottom: Double
        let isJoined: Bool
    }

    private func points(
        _ series: TimeSeries, _ range: ClosedRange<Double>, _ gaps: [TimeSeries.Silence], _ model: ReportModel
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
                Point(x: x(time, model), top: y(bounds.upperBound), bottom: y(bounds.lowerBound), isJoined: isJoined))
        }
        return points
    }

    /// A line through the pieces, interrupted where nothing came for long; of few pieces, a dot each.
    private mutating func writePath(
        _ series: TimeSeries, _ range: ClosedRange<Double>, _ gaps: [TimeSeries.Silence], _ model: ReportModel
    ) {
        let points = points(series, range, gaps, model)
        html.markup("<path class=\"line\" d=\"")
        for point in points {
            put(point, point.isJoined ? "L" : "M")
            guard point.bottom > point.top else { continue }
            html.markup("V")
            html.put(coordinate: point.bottom)
        }
        html.markup("\"/>")
        guard points.count <= (series.isRate ? 1 : Self.dots) else { return }
        html.markup("<path class=\"line dots\" d=\"")
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

    /// A range that is not empty, and has 0 in it where that is near.
    private static func axis(_ bounds: ClosedRange<Double>) -> ClosedRange<Double> {
        let (low, high) = (bounds.lowerBound, bounds.upperBound)
        if low == high { return low - max(1, abs(low) * 0.1)...high + max(1, abs(high) * 0.1) }
        if low >= 0, low < (high - low) { return 0...high }
        return bounds
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

extension TextBuffer {
    /// A number at an axis: at most three decimal places, fewer of greater numbers.
    fileprivate mutating func append(plotted number: Double) {
        guard number.isFinite, abs(number) < 1e15 else { return append(number: .float64(number)) }
        let scale = abs(number) >= 1_000 ? 1.0 : abs(number) >= 10 ? 10 : 1_000
        append(number: .float64((number * scale).rounded() / scale))
    }
}
