import AttlasFilter
import AttlasMetrics
import AttlasTestSupport
import AttlasTrace
import AttlasValues
import Foundation
import Testing

@testable import AttlasDocuments
@testable import AttlasPage

/// Two captures on one page say what `diff` says of them.
@Suite struct ReportComparisonTests {
    private static var values: ValueInterpreter { ValueInterpreter(library: .withExamples) }

    private static func comparison(_ first: [Packet], _ second: [Packet]) throws -> ReportComparison {
        let models = [first, second].map { packets in
            document(of: packets, as: RecordMaker(step: 1_000_000)) {
                ReportCollector(selection: Selection(), isCompared: true, values: $0)
            }
        }
        return try #require(ReportComparison(("a.btsnoop", models[0]), ("b.btsnoop", models[1])))
    }

    private static func page(_ comparison: ReportComparison, showsValues: Bool = true) throws -> String {
        try printed { output in
            var page = ReportPage(ReportOptions(title: "a", showsValues: showsValues), values: values)
            page.write(comparison)
            page.finish(into: &output)
        }
    }

    /// Battery Level at 0x0003 or 0x0005, read and notified, and with `isRefused` a read that is refused.
    private static func packets(_ handle: String, _ percent: [String], isRefused: Bool = false) -> [Packet] {
        [.connected(), .att(.tx, "08 0100 FFFF 0328"), .att(.rx, "09 07 0200 12 \(handle)00 192A")]
            + percent.map { .att(.rx, "1B \(handle)00 \($0)") }
            + [.att(.tx, "0A \(handle)00"), .att(.rx, isRefused ? "01 0A \(handle)00 05" : "0B \(percent[0])")]
            + [.disconnected(reason: 0x13)]
    }

    /// A device that only one capture has, one that was never discovered, and another end.
    @Test func whatIsNotCompared() throws {
        let shared: [Packet] = [
            .connected(Address.probe, handle: 0x41), .att(.tx, "08 0100 FFFF 002A", handle: 0x41),
            .att(.rx, "09 06 0300 4C616D70", handle: 0x41),
        ]
        let comparison = try Self.comparison(
            Self.packets("03", ["50"]) + shared + [.disconnected(handle: 0x41, reason: 0x13)],
            shared + [.disconnected(handle: 0x41, reason: 0x08)])
        let sentences = comparison.sentences(Self.values, showsValues: true)
        #expect(sentences.contains("No device has a GATT tree in both captures; 1 only in A."))
        expect(
            sentences.last,
            equals: "A has 2 connections: 2 ended by the peer: Remote User Terminated Connection. "
                + "B has 1 connection: lost: Connection Timeout.")
        #expect(try Self.page(comparison).contains("Not discovered in either capture."))
    }

    @Test func whatChanged() throws {
        let comparison = try Self.comparison(
            Self.packets("03", ["50", "5A"]), Self.packets("05", ["32", "5A"], isRefused: true))
        let sentences = comparison.sentences(Self.values, showsValues: true)
        let refused = "F2:F2:F2:F2:F2:F2: Battery Level cannot be read: Insufficient Authentication"
        expect(sentences[0], equals: "Incidents: 1 only in B (\(refused)).")
        #expect(sentences[1].hasPrefix("Findings: "))
        expect(sentences[2], equals: "GATT trees differ: F2:F2:F2:F2:F2:F2: 1 attribute.")
        expect(
            sentences[3],
            equals:
                "No request became slower by more than 20 % (0 of 2 kinds could be compared: 20 or more round trips in each capture)."
        )
        expect(sentences[4], equals: "1 field has other values than before.")
        expect(comparison.sentences(Self.values, showsValues: false).count, equals: 4)
        let page = try Self.page(comparison)
        #expect(
            page.contains(
                "<th scope=\"row\">no known service › Battery Level</th><td>moved</td><td class=\"k\">0x0003</td><td class=\"k\">0x0005</td>"
            ))
        #expect(page.contains("<td>80 … 90 %</td><td>50 … 90 %</td>"))
        #expect(page.contains("<h2>A: a.btsnoop</h2>") && page.contains("<h2>B: b.btsnoop</h2>"))
        let hidden = try Self.page(comparison, showsValues: false)
        #expect(!hidden.contains("80 … 90 %") && !hidden.contains("Fields in other ranges"))
    }

    /// A finding is the same when its fingerprint is: not by its frame.
    @Test func findingsThatCameAndWent() throws {
        // A second MTU exchange is an error; a first one is none.
        let exchange: [Packet] = [.att(.tx, "02 F700"), .att(.rx, "03 F700")]
        let common = Self.packets("03", ["50"])
        let twice: [Packet] = [.connected()] + exchange + exchange
        let came = try Self.comparison(common, twice + common.dropFirst())
        expect(came.findings.first?.change, equals: .new)
        expect(came.findings.first.flatMap { came.words(of: $0) }?.finding.rule.id, equals: "att/mtu-exchanged-twice")
        #expect(
            came.sentences(Self.values, showsValues: true)[1].hasPrefix(
                "Findings: 1 only in B (a second MTU exchange), "))
        let went = try Self.comparison(twice + common.dropFirst(), common)
        #expect(went.findings.contains { $0.change == .gone && $0.firstCount == 1 && $0.secondCount == 0 })
        let same = try Self.comparison(twice, [.connected()] + common.dropFirst(3).prefix(1) + exchange + exchange)
        #expect(same.findings.contains { $0.change == .both && $0.first?.frame != $0.second?.frame })
    }

    /// The read is refused in frame 6 of B (Vol 3, Part F, 3.4.1.1); the link is lost in frame 6 of A (Vol 1, Part F, 2.8).
    @Test func incidentsThatCameAndWent() throws {
        let lost = Self.packets("03", ["50"]).dropLast() + [.disconnected(reason: 0x08)]
        let comparison = try Self.comparison(Array(lost), Self.packets("03", ["50"], isRefused: true))
        expect(comparison.difference.incidents.map(\.change), equals: [.new, .gone])
        let page = try Self.page(comparison)
        let part = try #require(page.firstMatch(of: #/<section id="c0-incidents".*?<\/section>/#.dotMatchesNewlines()))
            .0
        let refused = "F2:F2:F2:F2:F2:F2: Battery Level cannot be read: Insufficient Authentication"
        #expect(part.contains("<th scope=\"row\">\(refused)</th><td>only in B</td>"))
        #expect(part.contains("<th scope=\"row\">F2:F2:F2:F2:F2:F2: connection lost</th><td>only in A</td>"))
        #expect(part.firstRange(of: "#c2-f6") != nil, "\(part)")
        let nothing = try Self.comparison(Self.packets("03", ["50"]), Self.packets("03", ["50"]))
        expect(nothing.sentences(Self.values, showsValues: true)[0], equals: "No incidents in either capture.")
        #expect(try Self.page(nothing).contains("<p>No incidents in either capture.</p>"))
        let markdown = try printed { output in
            var document = ReportMarkdown(ReportOptions(title: "a"), values: Self.values)
            document.write(comparison, into: &output)
        }
        #expect(
            markdown.contains("| F2:F2:F2:F2:F2:F2: connection lost | only in A | 1 | 0 |"),
            "\(markdown.prefix(3_000))")
    }

    @Test func bothAreDrawnOnOneAxis() throws {
        let comparison = try Self.comparison(
            Self.packets("03", ["0A", "14"]), Self.packets("05", ["1E", "28", "32"]))
        expect(comparison.plots.count { $0.first.subject == .field }, equals: 1)
        let page = try Self.page(comparison)
        let part = try #require(page.firstMatch(of: #/<section id="c0-plots".*?<\/section>/#.dotMatchesNewlines())).0
        #expect(part.contains("A: </") == false)
        #expect(part.contains("10 to 20 %, mean 13.33 %") && part.contains("30 to 50 %, mean 37.5 %"))
        #expect(
            part.contains("<path class=\"line l0\" data-n=\"\" d=")
                && part.contains("<path class=\"line l1\" data-n=\"\" d="))
        #expect(!(try Self.page(comparison, showsValues: false)).contains("30 to 50 %"))
    }

    /// Plots of other devices are not laid over each other, unless each capture has one alone.
    @Test func plotsAreOfTheSameDevice() {
        func plot(_ device: String) -> PagePlot {
            PagePlot(subject: .strength, device: device, series: TimeSeries(name: "RSSI", unit: "dBm"))
        }
        func devices(_ first: [String], _ second: [String]) -> [String] {
            PagePlot.pairs(first.map(plot), second.map(plot)).map { "\($0.first.device)\($0.second.device)" }
        }
        expect(devices(["a"], ["b"]), equals: ["ab"])
        expect(devices(["a", "b"], ["b", "c"]), equals: ["bb"])
        expect(devices(["a"], ["b", "c"]), equals: [])
    }

    /// The figures of the tables are those of `diff --json`.
    @Test func figuresAreThoseOfDiff() throws {
        let models = try ["careless-scale.btsnoop", "hasty-app.btsnoop"].map { name in
            try document(ofCapture: name) { ReportCollector(selection: Selection(), isCompared: true, values: $0) }
        }
        let comparison = try #require(ReportComparison(("a", models[0]), ("b", models[1])))
        let text = try printed { output in
            var json = DifferenceJSON(values: Self.values)
            json.write(
                comparison.difference, DifferenceVerdict(comparison.difference, failOn: [], tolerance: 20),
                into: &output)
        }
        let json = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        func numbers(_ row: [String: Any], _ paths: [[String]]) -> [Double] {
            paths.flatMap { path in
                ["a", "b"].compactMap { side in
                    var value: Any? = row[side]
                    for key in path { value = (value as? [String: Any])?[key] }
                    return (value as? NSNumber).map { PageFigures.rounded($0.doubleValue) }
                }
            }
        }
        let page = try Self.page(comparison)
        let exchanges = try #require(json["round_trips"] as? [[String: Any]])
        expect(
            PageFigures.all("Round trips of both captures", in: page),
            equals: exchanges.map { row in numbers(row, ["count", "p50", "p99", "max"].map { ["rtt_us", $0] }) })
        let values = try #require(json["values"] as? [[String: Any]])
        let keys = [
            ["count"], ["per_s"], ["octets_per_s"], ["best_second_octets"], ["gap_us", "p50"], ["gap_us", "p99"],
        ]
        expect(PageFigures.all("Values of both captures", in: page), equals: values.map { numbers($0, keys) })
    }

    @Test func markdownHasTheSame() throws {
        let comparison = try Self.comparison(
            Self.packets("03", ["50", "5A"]), Self.packets("05", ["32", "5A"], isRefused: true))
        let text = try printed { output in
            var document = ReportMarkdown(ReportOptions(title: "a"), values: Self.values)
            document.write(comparison, into: &output)
        }
        #expect(text.contains("\n## A and B compared\n\n- Incidents"))
        #expect(
            text.contains(
                "| no known service › Battery Level | moved | 0x0003 | 0x0005 | read, notify | read, notify |"))
        #expect(text.contains("| → Read Battery Level | 1 | 1 | 1 s | 1 s |  | 1 s | 1 s |"))
        #expect(text.contains("| Battery Level › Battery Level | 80 … 90 % | 50 … 90 % |"))
        #expect(text.contains("\n## `a.btsnoop`\n") && text.contains("\n## `b.btsnoop`\n"))
    }
}

/// Figures of a page.
enum PageFigures {
    /// The rows of tables with a caption, each as the values of its figures.
    static func all(_ caption: String, in page: String) -> [[Double]] {
        page.components(separatedBy: "<caption>\(caption)</caption>").dropFirst().flatMap { rest in
            rest.components(separatedBy: "</table>")[0].components(separatedBy: "<tbody>")[1]
                .components(separatedBy: "<tr").dropFirst().map { row in
                    row.matches(of: /<data value="([^"]*)">/).compactMap { Double($0.1) }.map(rounded)
                }
        }
    }

    /// To twelve digits: the reader of JSON changes the last ones.
    static func rounded(_ number: Double) -> Double { Double(String(format: "%.11e", number)) ?? .nan }
}
