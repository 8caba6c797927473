import AttlasConversation
import AttlasMetrics
import AttlasProcedures
import AttlasText
import AttlasValues

/// A number as people read it, and as JSON has it; nothing where there is none.
package enum Figure {
    case count(Int?)
    case microseconds(Double?)
    /// With a decimal place.
    case tenths(Double?)
    case rate(Double?, StaticString)
    /// A part of 1, in percent.
    case share(Double?)

    package static func duration(_ microseconds: Int?) -> Figure { .microseconds(microseconds.map(Double.init)) }

    package var number: Double? {
        switch self {
        case .count(let count): count.map(Double.init)
        case .microseconds(let number), .tenths(let number), .rate(let number, _), .share(let number): number
        }
    }
}

extension TextBuffer {
    package mutating func append(_ figure: Figure) {
        guard let number = figure.number else { return }
        switch figure {
        case .count: append(decimal: Int(number))
        // A hostile clock has round trips of 292 years, which a Double rounds up.
        case .microseconds: append(duration: Int64(exactly: (number * 1_000).rounded()) ?? .max)
        case .tenths: append(tenths: UInt64((number * 10).rounded()))
        case .rate(_, let unit): append(rate: number, unit)
        case .share: append("\(tenths: UInt64((number * 1_000).rounded())) %")
        }
    }
}

/// A figure of the rows of a table: of one capture and of two, as text, on a page and in Markdown.
package struct FigureColumn<Row: Sendable>: Sendable {
    /// On a page, and in small letters in Markdown.
    package let title: String
    /// nil if text does not have it.
    package let text: ColumnLayout.Column?
    /// In the text about two captures: the columns of A and of B, and a rank; nil if they are not compared.
    package let pair: (first: Int, second: Int, rank: Int)?
    /// Whether Markdown has it, of one capture and of two.
    package let markdown: (one: Bool, two: Bool)
    /// Whether the change from A to B follows, in percent.
    package let hasChange: Bool
    package let figure: @Sendable (Row) -> Figure

    package init(
        _ title: String, _ text: ColumnLayout.Column? = nil, pair: (first: Int, second: Int, rank: Int)? = nil,
        markdown: (one: Bool, two: Bool) = (false, false), hasChange: Bool = false,
        _ figure: @escaping @Sendable (Row) -> Figure
    ) {
        (self.title, self.text, self.pair, self.markdown) = (title, text, pair, markdown)
        (self.hasChange, self.figure) = (hasChange, figure)
    }
}

extension FigureColumn<ExchangeRow> {
    package static let all: [FigureColumn] = [
        .init("Count", .init("count", 9, rank: 0), pair: (9, 7, 2), markdown: (true, true)) {
            .count($0.roundTrips.count)
        },
        .init("min") { .duration($0.roundTrips.minimum) },
        .init("p50", .init("p50", 9, rank: 1), pair: (10, 9, 0), markdown: (true, true), hasChange: true) {
            .duration($0.roundTrips.percentile(50))
        },
        .init("p90", .init("p90", 9, rank: 4), markdown: (true, false)) { .duration($0.roundTrips.percentile(90)) },
        .init("p99", .init("p99", 9, rank: 2), pair: (10, 9, 3), markdown: (true, true)) {
            .duration($0.roundTrips.percentile(99))
        },
        .init("max", .init("max", 9, rank: 3), pair: (10, 9, 4), markdown: (true, false)) {
            .duration($0.roundTrips.maximum)
        },
        .init("Intervals p50", .init("intervals", 12, rank: 5)) {
            .tenths($0.intervals.percentile(50).map { Double($0) / 100 })
        },
    ]
}

extension FigureColumn<ProcedureRow> {
    package static let all: [FigureColumn] = [
        .init("Count", .init("count", 9, rank: 0), pair: (9, 7, 2), markdown: (true, true)) { .count($0.count) },
        .init("p50", .init("p50", 9, rank: 1), pair: (10, 9, 0), markdown: (true, true), hasChange: true) {
            .duration($0.durations.percentile(50))
        },
        .init("p90", .init("p90", 9, rank: 2), pair: (10, 9, 3), markdown: (true, true)) {
            .duration($0.durations.percentile(90))
        },
        .init("max", .init("max", 9, rank: 3), pair: (10, 9, 4), markdown: (true, false)) {
            .duration($0.durations.maximum)
        },
    ]
}

extension ProcedureRow {
    /// The outcomes other than done, with their numbers: `2 refused, 1 open`.
    package var outcomes: TextBuffer {
        var text = TextBuffer()
        for word in Procedure.Outcome.Word.allCases where word != .done && count(of: word) > 0 {
            if text.count > 0 { text.append(", ") }
            text.append("\(count(of: word)) \(own: "\(word)")")
        }
        return text
    }

    /// Whether one of them failed.
    package var hasFailed: Bool { failures > 0 }
}

extension FigureColumn<ValueRow> {
    package static let all: [FigureColumn] = [
        .init("Count", .init("count", 9, rank: 0), pair: (9, 7, 1), markdown: (true, true)) { .count($0.count) },
        .init("Octets", .init("octets", 10, rank: 3), markdown: (true, false)) { .count($0.octets.value) },
        .init("L2CAP", .init("L2CAP", 9, rank: 9)) { .count($0.octets.l2cap) },
        .init("HCI", .init("HCI", 9, rank: 10)) { .count($0.octets.hci) },
        .init("Rate", .init("rate", 11, rank: 1), pair: (10, 9, 0), markdown: (true, true)) {
            .rate($0.perSecond, "/s")
        },
        .init("Mean", .init("mean", 11, rank: 5), pair: (11, 10, 3)) { .rate($0.octetsPerSecond, "B/s") },
        .init("Best 1 s", .init("best 1 s", 11, rank: 8), pair: (11, 8, 4)) { .rate(Double($0.bestSecond), "B") },
        .init("Gap p50", .init("gap p50", 9, rank: 2), pair: (10, 9, 2), markdown: (true, true)) {
            .duration($0.gaps.percentile(50))
        },
        .init("Gap p99", .init("p99", 9, rank: 4), pair: (10, 9, 5)) { .duration($0.gaps.percentile(99)) },
        .init("Gap max", .init("max", 9, rank: 6), markdown: (true, false)) { .duration($0.gaps.maximum) },
        .init("Jitter", .init("jitter", 9, rank: 7)) { .microseconds($0.jitter) },
    ]
}

extension FigureColumn<LinkTraffic> {
    package static let all: [FigureColumn] = [
        .init("Value octets", .init("values", 12, rank: 0)) { .count($0.octets.value) },
        .init("ATT", .init("ATT", 10, rank: 7)) { .count($0.attOctets) },
        .init("L2CAP", .init("L2CAP", 10, rank: 6)) { .count($0.octets.l2cap) },
        .init("HCI", .init("HCI", 10, rank: 5)) { .count($0.octets.hci) },
        .init("Packets", .init("packets", 10, rank: 4)) { .count($0.aclPackets) },
        .init("Best 1 s", .init("best 1 s", 11, rank: 1)) { .rate(Double($0.bestSecond), "B") },
        .init("Allowed", .init("allowed", 12, rank: 2)) { .rate($0.conditions?.allowedOctetsPerSecond, "B/s") },
        .init("Share", .init("share", 8, rank: 3)) { .share($0.share) },
    ]
}

extension CaptureDifference.Pair {
    /// Figures of A and of B; an empty one for a capture without it.
    package func figures(_ column: FigureColumn<Row>) -> [Figure] {
        [first, second].map { $0.map(column.figure) ?? .count(nil) }
    }
}

extension CaptureDifference.Pair where Row: SampledRow {
    /// `+12 %`; nothing of few samples, whose difference may be chance.
    package func change(_ column: FigureColumn<Row>) -> TextBuffer {
        guard [first, second].allSatisfy({ $0?.sampleCount ?? 0 >= DifferenceVerdict.leastCount }) else {
            return TextBuffer()
        }
        let numbers = figures(column).map { $0.number.map { Int($0) } }
        return TextBuffer("\({ $0.append(changeFrom: numbers[0], to: numbers[1]) })")
    }
}
