import AttlasFilter
import AttlasLint
import AttlasMetrics
import AttlasTestSupport
import AttlasTrace
import AttlasValues
import Foundation
import Testing

@testable import AttlasConversation
@testable import AttlasDocuments
@testable import AttlasText

/// Terminals of 60 and of 80 columns: nothing passes the edge, nothing runs together, and each row says what it is about.
@Suite struct NarrowTests {
    private static let captures = [
        "heart-rate.btsnoop", "careless-scale.btsnoop", "two-controllers.btsnoop", "eatt.btsnoop",
    ]

    private func text(_ command: String, _ capture: String, width: Int?) throws -> [Substring] {
        switch command {
        case "stats":
            let model = try document(ofCapture: capture) { SelectedStatistics(selection: Selection(), values: $0) }
            var text = StatisticsText(model, grouping: .connection, width: width, isColoured: false)
            return try printed { text.write(file: nil, into: &$0) }.split(separator: "\n")
        case "lint":
            var text = LintText(
                try document(ofCapture: capture) { LintCollector(values: $0) }, width: width, isColoured: false)
            return try printed { text.write(file: nil, into: &$0) }.split(separator: "\n")
        case "tree":
            var text = TreeText(
                try document(ofCapture: capture) { TreeCollector(values: $0) }, width: width, isColoured: false)
            return try printed { text.write(file: nil, into: &$0) }.split(separator: "\n")
        case "devices":
            let model = try document(ofCapture: capture) { _ in DeviceCollector() }
            let values = ValueInterpreter(library: .shipped)
            var text = DevicesText(model, values: values, width: width, isColoured: false)
            return try printed { text.write(into: &$0) }.split(separator: "\n")
        case "diff":
            let snapshots = try [capture, "two-peripherals.btsnoop"].map { name in
                try document(ofCapture: name) { SnapshotCollector(file: name, selection: Selection(), values: $0) }
            }
            let difference = CaptureDifference(snapshots[0], snapshots[1])
            let verdict = DifferenceVerdict(difference, failOn: DifferenceVerdict.Criterion.allCases, tolerance: 0)
            var text = DifferenceText(values: ValueInterpreter(library: .shipped), width: width, isColoured: false)
            return try printed { text.write(difference, verdict, into: &$0) }.split(separator: "\n")
        default:
            var options = ConversationText.Options()
            options.width = width
            return try printedLines(ofCapture: capture) { ConversationText(values: $0, options: options) }
                .split(separator: "\n")
        }
    }

    @Test(arguments: ["stats", "lint", "tree", "devices", "diff", "show"], [60, 80])
    func nothingRunsTogether(command: String, width: Int) throws {
        for capture in Self.captures {
            let wide = Set(try text(command, capture, width: nil).flatMap { $0.split(separator: " ") })
            for line in try text(command, capture, width: width) {
                var buffer = TextBuffer()
                buffer.append(string: String(line))
                #expect(buffer.columns <= width, "\(capture): \(line)")
                // What runs together is no word of the whole text.
                for word in line.split(separator: " ") where !wide.contains(word) && !word.contains("…") {
                    Issue.record("\(capture): \(word) in: \(line)")
                }
            }
        }
    }

    @Test func rowsSayWhatTheyAreAbout() throws {
        for width in [60, 80] {
            let stats = try text("stats", "heart-rate.btsnoop", width: width)
            #expect(stats.contains { $0.hasSuffix("→ Exchange MTU") })
            #expect(stats.contains { $0.hasSuffix("← Notification  Heart Rate Measurement") && $0.contains("3.8 /s") })
            #expect(stats.contains { $0.contains("→ Write  Heart Rate Control P") && $0.contains(" ms ") })
            let difference = try text("diff", "heart-rate.btsnoop", width: width)
            #expect(
                difference.contains { $0.hasSuffix("← Notification  Heart Rate Measurement") && $0.contains("8.6 /s") })
            #expect(
                try text("lint", "careless-scale.btsnoop", width: width).contains {
                    $0.contains("Request of frame 121.")
                })
        }
        // What a line of the tree has no room for is below its beginning.
        let tree = try text("tree", "heart-rate.btsnoop", width: 60)
        let value = try #require(tree.firstIndex { $0.contains("0x0010  Heart Rate Measurement  2A37") })
        #expect(tree[value + 1].hasPrefix("│  │     "))
        #expect(
            tree.contains { $0.hasSuffix(" subscribed in frame 139") || $0.hasSuffix(" unsubscribed in frame 176") })
        // The columns that a line has no room for, the least important first.
        let headings = try text("stats", "heart-rate.btsnoop", width: 80).filter { $0.contains("count") }
        expect(
            headings[...1], equals: ["    count      p50      p90      max", "    count      p50      p99      max"])
        expect(headings.last, equals: "    count       rate  gap p50")
    }

    /// 1 2 3 with names of half the line.
    @Test func columnsOfTheHighestRankAreLeftOutFirst() {
        let columns: [ColumnLayout.Column] = [
            .init("a", 10, rank: 0), .init("b", 10, rank: 2), .init("c", 10, rank: 1),
        ]
        expect(ColumnLayout(columns, width: nil).ends, equals: [10, 20, 30])
        expect(ColumnLayout(columns, width: 72).ends, equals: [10, 20, 30])
        expect(ColumnLayout(columns, width: 60).ends, equals: [10, nil, 20])
        expect(ColumnLayout(columns, width: 40).ends, equals: [10, nil, nil])
        expect(ColumnLayout(columns, width: 60).name, equals: 22)
    }
}
