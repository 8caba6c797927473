import AttlasFilter
import AttlasMetrics
import AttlasTestSupport
import AttlasTrace
import AttlasValues
import AttlasWire
import Foundation
import Testing

@testable import AttlasDocuments
@testable import AttlasPage

/// One page, whose parts say what the other documents say.
@Suite struct ReportPageTests {
    private static func page(_ model: ReportModel, showsValues: Bool = true) throws -> String {
        try printed { output in
            var page = ReportPage(
                ReportOptions(title: "a", showsValues: showsValues), values: ValueInterpreter(library: .withExamples))
            page.write(model, file: "a.btsnoop", number: 1)
            page.finish(into: &output)
        }
    }

    private static func model(_ packets: [Packet], _ selection: Selection = Selection()) -> ReportModel {
        document(of: packets, as: RecordMaker(step: 1_000_000)) { ReportCollector(selection: selection, values: $0) }
    }

    private static func page(of packets: [Packet], showsValues: Bool = true) throws -> String {
        try page(model(packets), showsValues: showsValues)
    }

    /// The part of the page with this id.
    private static func part(_ id: String, of page: String) throws -> String {
        let start = try #require(page.range(of: "<section id=\"c1-\(id)\""))
        let end = try #require(page.range(of: "</section>", range: start.upperBound..<page.endIndex))
        return String(page[start.lowerBound..<end.lowerBound])
    }

    /// A device that advertises its name after its first connection has it in all parts; the first of equal ends is by frame.
    @Test func aDeviceHasOneNameAndTheFirstEndIsByFrame() throws {
        let name: [UInt8] = [0x05, 0x09] + Array("Lamp".utf8)
        let page = try Self.page(of: [
            .connected(), .att(.tx, "0A 0300"), .att(.rx, "0B 01"), .connected(Address.probe, handle: 0x41),
            .disconnected(handle: 0x41, reason: 0x08), .disconnected(reason: 0x08),
            .advertisement(of: Address.strap, name), .connected(),
            .att(.tx, "0A 0300"), .att(.rx, "0B 01"), .disconnected(),
        ])
        for id in ["timeline", "sequence"] {
            let part = try Self.part(id, of: page)
            #expect(part.contains("Lamp") && !part.contains("F2:F2:F2:F2:F2:F2"), "\(id)")
        }
        #expect(try Self.part("capture", of: page).contains("2 lost: Connection Timeout (first in frame 5)"))
    }

    /// Service Changed ends the table in frame 6.
    @Test func aFormerTableIsThere() throws {
        let page = try Self.page(of: [
            .connected(), .att(.tx, "10 0100 FFFF 0028"), .att(.rx, "11 06 0100 0400 0F18 0500 0800 0118"),
            .att(.tx, "08 0100 FFFF 0328"), .att(.rx, "09 07 0200 12 0300 192A 0600 20 0700 052A"),
            .att(.rx, "1D 0700 0100 0400"), .att(.tx, "1E"),
        ])
        #expect(
            page.contains("<li><strong>until frame <a href=\"#c1-f6\">6</a>, then Service Changed:</strong><ul><li"))
    }

    /// axe does not look at text in pictures. WCAG 2.2, 1.4.3: 4.5 for small text; the first definition is the light one.
    @Test(arguments: [0, 1], ["bar", "encrypted"]) func textOnBarsIsLegible(scheme: Int, bar: String) throws {
        func luminance(_ name: String) throws -> Double {
            let colors = PageFrame.style.matches(of: try Regex<(Substring, Substring)>("\\s--\(name): #([0-9a-f]+);"))
            var digits = String(colors[scheme].1)
            if digits.count == 3 { digits = digits.map { "\($0)\($0)" }.joined() }
            let parts = digits.matches(of: /../).compactMap { Int($0.0, radix: 16) }.map { part in
                let part = Double(part) / 255
                return part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4)
            }
            return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
        }
        let both = [try luminance("bar-ink"), try luminance(bar)]
        #expect((both.max()! + 0.05) / (both.min()! + 0.05) >= 4.5)
    }

    // MARK: Security

    /// A browser computes the same hashes, or it refuses the style and the script.
    @Test(.enabled(if: Tool("sha256sum") != nil), arguments: [("style", "style-src"), ("script", "script-src")])
    func theHashesAreThoseOfTheTexts(element: String, directive: String) throws {
        let page = try Self.page(of: [])
        let text = try #require(
            page.firstMatch(of: try Regex<(Substring, Substring)>("(?s)<\(element)>(.*?)</\(element)>"))
        ).1
        let hash = try #require(page.firstMatch(of: try Regex<(Substring, Substring)>("\(directive) 'sha256-([^']*)'")))
            .1
        let sum = try #require(try Tool("sha256sum")?.run([], input: Array(text.utf8)))
        let octets = String(decoding: sum.prefix(64), as: UTF8.self).matches(of: /../).compactMap {
            UInt8($0.0, radix: 16)
        }
        expect(octets.count, equals: 32)
        #expect(hash == Data(octets).base64EncodedString())
    }

    @Test(arguments: Repository.someCaptureNames) func nothingIsAskedForFromOutside(_ name: String) throws {
        let page = try Self.page(document(ofCapture: name) { ReportCollector(selection: Selection(), values: $0) })
        #expect(
            page.contains(
                "default-src 'none'; style-src 'sha256-\(PageFrame.hash(PageFrame.style))'; script-src 'sha256-\(PageFrame.hash(PageFrame.script))'; base-uri 'none'"
            ))
        #expect(!page.contains("://") && !page.contains(" src=") && !page.contains("url("))
        #expect(page.matches(of: #/ href="[^#]/#).isEmpty)
        #expect(page.utf8.count < 1_500_000)
        // Each id once, and each address leads to one.
        let ids = page.matches(of: #/ id="([^"]*)"/#).map { String($0.1) }
        expect(Set(ids).count, equals: ids.count)
        let missing = Set(page.matches(of: #/ href="\#([^"]*)"/#).map { String($0.1) }).subtracting(ids)
        expect(missing, equals: [])
    }

    /// What every page has: its style, its script, headings and controls. The rest is data of the capture.
    @Test func thePageItselfIsSmall() throws {
        let page = try Self.page(of: [])
        #expect(!page.contains("{{"))
        #expect(page.utf8.count < 32_000, "\(page.utf8.count)")
        #expect(page.utf8.count > (PageFrame.style + PageFrame.script).utf8.count)
    }

    /// Clocks that name any year leave a page.
    @Test(arguments: ["btsnoop-time-before-year-zero.btsnoop"]) func hostileClocks(_ name: String) throws {
        let model = try document(ofCapture: "malformed/\(name)") {
            ReportCollector(selection: Selection(), values: $0)
        }
        #expect(try Self.page(model).hasSuffix("</html>\n"))
    }

    // MARK: Figures

    private static func number(_ object: [String: Any], _ path: String...) -> Double? {
        var value: Any? = object
        for key in path { value = (value as? [String: Any])?[key] }
        return (value as? NSNumber)?.doubleValue
    }

    @Test(arguments: Repository.someCaptureNames) func figuresAreThoseOfStats(_ name: String) throws {
        let model = try document(ofCapture: name) { ReportCollector(selection: Selection(), values: $0) }
        let page = try Self.page(model)
        let text = try printed { output in
            var json = StatisticsJSON(model.statistics, grouping: .connection)
            json.write(file: "a", into: &output)
        }
        let json = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        let groups = try #require(json["groups"] as? [[String: Any]])
        func rows(_ key: String) -> [[String: Any]] { groups.flatMap { $0[key] as? [[String: Any]] ?? [] } }
        func numbers(_ row: [String: Any], _ paths: [[String]]) -> [Double] {
            paths.compactMap { path in
                var value: Any? = row
                for key in path { value = (value as? [String: Any])?[key] }
                return (value as? NSNumber).map { PageFigures.rounded($0.doubleValue) }
            }
        }
        // Troubles have a column where a row of their connection has some.
        let troubles = ["unanswered", "answer_missed", "timed_out", "overlapping", "untimed"]
        let exchanges = groups.flatMap { group -> [[Double]] in
            let rows = group["round_trips"] as? [[String: Any]] ?? []
            let columns = troubles.filter { key in rows.contains { Self.number($0, key) != 0 } }
            return rows.map { row in
                numbers(
                    row,
                    ["count", "min", "p50", "p90", "p99", "max"].map { ["rtt_us", $0] }
                        + [["rtt_connection_intervals", "p50"]] + columns.map { [$0] })
            }
        }
        expect(PageFigures.all("Round trips", in: page), equals: exchanges)
        expect(PageFigures.all("Slowest", in: page), equals: rows("slowest").map { numbers($0, [["rtt_us"]]) })
        let values = rows("values").map { row in
            numbers(
                row,
                [
                    ["count"], ["value_octets"], ["l2cap_octets"], ["hci_octets"], ["per_s"], ["octets_per_s"],
                    ["best_second_octets"], ["gap_us", "p50"], ["gap_us", "p99"], ["gap_us", "max"], ["jitter_us"],
                ])
        }
        expect(PageFigures.all("Values", in: page), equals: values)
        let links = (json["connections"] as? [[String: Any]] ?? []).flatMap { $0["links"] as? [[String: Any]] ?? [] }
        let keys = [
            "value_octets", "att_octets", "l2cap_octets", "hci_octets", "acl_packets", "best_second_octets",
            "allowed_octets_per_s", "share_of_allowed",
        ]
        expect(PageFigures.all("Link", in: page), equals: links.map { link in numbers(link, keys.map { [$0] }) })
    }

    // MARK: Sentences

    /// A read that is answered, one that is refused, and the end of the connection.
    private static let packets: [Packet] = [
        .connected(), .att(.tx, "0A 0300"), .att(.rx, "0B 5A"), .att(.tx, "0A 0300"), .att(.rx, "01 0A 0300 05"),
        .disconnected(reason: 0x08),
    ]

    @Test func whatWentWrong() throws {
        let summary = ReportSummary(model: Self.model(Self.packets)).sentences
        expect(
            summary[1],
            equals: "2 round trips: p50 1 s, p99 1 s; the slowest took 1 s: → Read handle 0x0003 (frames 2 → 3).")
        expect(summary[2], equals: "1 connection: lost: Connection Timeout (frame 6).")
        expect(
            ReportSummary(model: Self.model([])).sentences,
            equals: [
                "No finding.", "No request with its answer was captured.", "No connection.",
            ])
    }

    /// A packet from the air with a wrong CRC, and no other.
    @Test func damagedPacketsAreTheHeadline() throws {
        var packet = Air().advertising("0006 112233445566")
        packet.octets[8] ^= 1
        let what = "The only packet has a wrong CRC: nothing that it holds can be trusted."
        #expect(
            try Self.part("summary", of: Self.page(of: [packet])).contains(
                "<p class=\"headline\">\(what)</p><p class=\"headline\">Nothing can be said about what broke.</p>"))
        let markdown = try printed { output in
            var report = ReportMarkdown(ReportOptions(title: "a"), values: ValueInterpreter(library: .withExamples))
            report.write([("a.pcap", Self.model([packet]))], into: &output)
        }
        #expect(markdown.contains("## `a.pcap`\n\n\(what)\n\nNothing can be said about what broke.\n\n"))
    }

    /// The read is refused (Insufficient Authentication), then the link is lost: both link to their frames.
    @Test func whatBroke() throws {
        let page = try Self.page(of: Self.packets)
        let incidents = try Self.part("incidents", of: page)
        let lost = try #require(
            incidents.range(of: "connection lost</strong> · frame <a href=\"#c1-f6\">6</a> · 00:00:07 UTC<br>"))
        let refused = try #require(incidents.range(of: "</strong> · frame <a href=\"#c1-f5\">5</a> · 00:00:06 UTC<br>"))
        #expect(lost.lowerBound != refused.lowerBound)
        #expect(try Self.part("summary", of: page).contains("<p class=\"headline\">2 things broke.</p>"))
        #expect(incidents.contains("<ol class=\"places\" start=\"1\"><li id=\"c1-i1\"><strong>"))
        #expect(try Self.part("summary", of: Self.page(of: [])).contains(">No packets to judge.</p>"))
        let markdown = try printed { output in
            var report = ReportMarkdown(ReportOptions(title: "a"), values: ValueInterpreter(library: .withExamples))
            report.write([("a.btsnoop", Self.model(Self.packets))], into: &output)
        }
        #expect(markdown.contains("2 things broke.\n\n1. ") && markdown.contains("connection lost · frame 6"))
        #expect(markdown.contains("<br>Cause (") && markdown.contains("<br>Next: "))
    }

    @Test func whatOneCaptureCannotTellIsFolded() throws {
        let model = Self.model(Self.packets)
        let summary = try Self.part("capture", of: Self.page(model))
        let count = model.lint.rules.count
        #expect(
            summary.contains(
                "<details><summary>\(model.lint.checkedCount) of \(count) rules could be checked</summary><p>The others could not: "
            ))
        #expect(summary.contains("no indication"))
    }

    @Test func theTimelineHasMarks() throws {
        let timeline = try Self.part("timeline", of: Self.page(of: Self.packets))
        #expect(
            timeline.contains(
                "<rect y=\"20\" height=\"14\" x=\"0%\" width=\"100%\" class=\"bar\" data-t=\"0.000000\" data-u=\"5.000000\">"
            ))
        // The refused read, as the incident that it is: a click leads to its story. The clock is that of the capture.
        #expect(
            timeline.contains(
                #/data-t="4.000000" data-to="i[12]"><title>4.000000 s · [^<]+ · 00:00:06 UTC \(frame 5\)<\/title>/#))
        #expect(!timeline.contains("href=\"#m-error\""))
        #expect(timeline.contains("data-clock=\"2.0\" data-zone=\" UTC\"") && timeline.contains(">00:00:04 UTC</text>"))
        #expect(timeline.contains("lost after 5 s: Connection Timeout (0x08) (frame 6)"))
    }

    /// A device that never connected has a lane, too: LE Create Connection, and Connection Complete with an error (0x3E).
    @Test func anAttemptThatFailedHasALane() throws {
        let page = try Self.page(of: [
            .command("0D2019 6000 3000 00 01 A6A5A4A3A2C1 00 1800 2800 0000 2A00 0000 0000"), .event("0F04 00 01 0D20"),
            .event("3E13 01 3E 0000 00 01 A6A5A4A3A2C1 0000 0000 0000 00"),
        ])
        #expect(try Self.part("timeline", of: page).contains("C1:A2:A3:A4:A5:A6</bdi>"))
    }

    /// What is a fact of an incident is told with it, and not a second time among the findings.
    @Test func aFindingThatAnIncidentTellsIsThere() throws {
        // An error code that is reserved (Vol 3, Part F, 3.4.1.1).
        let page = try Self.page(of: [
            .connected(), .att(.tx, "0A 0300"), .att(.rx, "01 0A 0300 42"), .disconnected(),
        ])
        let findings = try Self.part("findings", of: page)
        #expect(try Self.part("incidents", of: page).contains("(att/reserved-error-code)"))
        #expect(!findings.contains("att/reserved-error-code") && findings.contains("1 finding of them is told above"))
    }

    /// What is found when a connection ends is no part of its loss. Battery (180F) without Battery Level, which it must have.
    @Test func aFindingAboutSomethingElseStaysAFinding() throws {
        let page = try Self.page(of: [
            .connected(), .att(.tx, "10 0100 FFFF 0028"), .att(.rx, "11 06 0100 0300 0F18"),
            .att(.tx, "10 0400 FFFF 0028"), .att(.rx, "01 10 0400 0A"), .att(.tx, "08 0100 0300 0328"),
            .att(.rx, "01 08 0100 0A"), .disconnected(reason: 0x08),
        ])
        #expect(try Self.part("incidents", of: page).contains("connection lost"))
        #expect(try Self.part("findings", of: page).contains("<code>gatt/mandatory-missing</code>"))
        #expect(try !Self.part("incidents", of: page).contains("gatt/mandatory-missing"))
    }

    @Test func severalCapturesHaveAnIndex() throws {
        let (broken, whole) = (Self.model(Self.packets), Self.model([.connected(), .disconnected()]))
        let text = try printed { output in
            var page = ReportPage(ReportOptions(title: "a"), values: ValueInterpreter(library: .withExamples))
            page.write(broken, file: "a<b.log", number: 1)
            page.write(whole, file: "b.log", number: 2)
            page.finish(into: &output)
        }
        let start = try #require(text.range(of: "<section id=\"index\">"))
        let index = text[start.lowerBound...]
        #expect(index.contains("<a href=\"#c1\">a&lt;b.log</a></th><td class=\"w\">2 things broke: "))
        #expect(index.contains("<a href=\"#c2\">b.log</a></th><td class=\"w\">Nothing broke"))
        #expect(index.contains("1970-01-01 00:00:02"))
        #expect(try !Self.page(broken).contains("id=\"index\""))
    }

    /// Of captures for which the page has no room, the index has a line, and says so.
    @Test func aPageOfManyCapturesIsBounded() throws {
        let model = Self.model(Self.packets)
        let values = ValueInterpreter(library: .withExamples)
        var page = ReportPage(ReportOptions(title: "a"), values: values, room: (whole: 1, brief: 100_000))
        for number in 1...80 { page.write(model, file: "\(number).log", number: number) }
        let text = try printed { page.finish(into: &$0) }
        #expect(text.contains("id=\"c1-conversation\"") && !text.contains("id=\"c2-conversation\""))
        #expect(text.contains("<a href=\"#c2\">2.log</a>") && text.contains("id=\"c2-incidents\""))
        #expect(
            text.contains("<th scope=\"row\">80.log</th><td class=\"w\">2 things broke") && !text.contains("id=\"c80\"")
        )
        #expect(text.contains("The page is full: the last 79 captures have their incidents alone."))
    }

    // MARK: Conversation

    @Test func messagesAreJoinedAndRepeatsCollapsed() throws {
        let notifications = (0..<5).map { Packet.att(.rx, "1B 0300 0\($0)") }
        let page = try Self.page(of: [.connected(), .att(.tx, "0A 0300"), .att(.rx, "0B 5A")] + notifications)
        let sequence = try Self.part("sequence", of: page)
        expect(sequence.components(separatedBy: "<li class=\"pair\"").count, equals: 2)
        #expect(sequence.contains("<span class=\"rtt\">1 s</span>"))
        #expect(sequence.contains("<span class=\"count\">× 5</span>"))
        // Made, the interval, the read, the notifications.
        expect(sequence.components(separatedBy: " data-t=").count, equals: 5)
    }

    /// A capture that begins in the middle of a connection.
    @Test func aConnectionBeginsBeforeItsFirstRequest() throws {
        let sequence = try Self.part("sequence", of: Self.page(of: [.att(.tx, "0A 0300"), .att(.rx, "0B 5A")]))
        let begin = try #require(sequence.range(of: "first seen here; its beginning was not captured"))
        let request = try #require(sequence.range(of: "Read Request"))
        #expect(begin.upperBound < request.lowerBound)
    }

    /// Pairing Request, Pairing Response, two Pairing Confirm in a row, and Pairing Failed. Vol 3, Part H, 3.5.
    @Test func thePDUsOfAPairingStandOneByOne() throws {
        func smp(_ direction: Direction, _ pdu: String) -> Packet { .frame(direction, channel: 6, hex(pdu)) }
        let page = try Self.page(of: [
            .connected(), smp(.tx, "01 03 00 01 10 00 00"), smp(.rx, "02 03 00 01 10 00 00"),
            smp(.tx, "03 " + String(repeating: "AB", count: 16)),
            smp(.tx, "03 " + String(repeating: "AB", count: 16)),
            smp(.rx, "05 04"),
        ])
        let sequence = try Self.part("sequence", of: page)
        let names = sequence.matches(of: #/<strong>([^<]*)</strong>/#).map { String($0.1) }
        expect(
            names,
            equals: [
                "SMP Pairing Request", "SMP Pairing Response", "SMP Pairing Confirm", "SMP Pairing Confirm",
                "SMP Pairing Failed",
            ])
        #expect(sequence.contains("<span class=\"bad\">✗ Confirm Value Failed</span>"))
        #expect(sequence.contains("io capability NoInputNoOutput"))
        let conversation = try Self.part("conversation", of: page)
        expect(conversation.components(separatedBy: "<td>SMP ").count, equals: 6)
        // What only a key explains is not there.
        #expect(!page.contains("ABAB") && !page.lowercased().contains("abab"))
        let hidden = try Self.page(
            of: [.connected(), smp(.tx, "01 03 00 01 10 00 00")], showsValues: false)
        #expect(hidden.contains("SMP Pairing Request") && !hidden.contains("io capability"))
    }

    /// A notification of 30 octets: the row has 20 of them, and inside are its handle and all.
    @Test func aRowOpensItsLayersAndOctets() throws {
        let octets = (0..<30).map { UInt8(0xA0 + $0) }
        let digits = octets.map { String($0, radix: 16) }
        let packets: [Packet] = [.connected(), .att(.rx, "1B 0300 \(digits.joined())")]
        let conversation = try Self.part("conversation", of: Self.page(of: packets))
        let inside = try #require(
            conversation.firstMatch(of: #/<details><summary>([^<]*)<\/summary><pre>([^<]*)<\/pre>/#))
        #expect(inside.1.contains("… (30 octets)"))
        let lines = inside.2.split(separator: "\n").map(String.init)
        expect(lines[0], equals: "1b                       Opcode")
        expect(lines[1], equals: "03 00                    Attribute Handle: 0x0003")
        #expect(lines[2].hasPrefix("a0 a1 a2 a3 a4 a5 a6 a7  Attribute Value: "))
        expect(
            lines.dropFirst(3), equals: ["a8 a9 aa ab ac ad ae af ", "b0 b1 b2 b3 b4 b5 b6 b7 ", "b8 b9 ba bb bc bd "])
        #expect(!(try Self.part("conversation", of: Self.page(of: packets, showsValues: false))).contains("<pre>"))
    }

    /// 2 000 notifications of 500 octets: the first have layers, then come octets, then nothing.
    @Test func insidesAreBounded() throws {
        let value = String(repeating: "5A", count: 500)
        let model = Self.model([.connected()] + (0..<2_000).map { _ in .att(.rx, "1B 0300 \(value)") })
        let insides = model.operations.map(\.inside)
        #expect(insides.reduce(0) { $0 + $1.utf8.count } < 1_000_000)
        #expect(
            insides[0].contains("Attribute Value") && insides[400].hasPrefix("1b 03 00 5a") && insides[1_999].isEmpty)
        #expect(try Self.part("conversation", of: Self.page(model)).contains("later ones octets only"))
    }

    /// Beyond the limit, what is around an error is shown.
    @Test func theConversationEnds() throws {
        let reads = (0..<3_000).flatMap { _ in [Packet.att(.tx, "0A 0300"), .att(.rx, "0B 5A")] }
        let refused: [Packet] = [.att(.tx, "0A 0400"), .att(.rx, "01 0A 0400 05")]
        let model = Self.model([.connected()] + reads + refused + reads)
        expect(model.operationCount, equals: 12_002)
        let numbers = model.operations.compactMap(\.number)
        #expect(numbers.prefix(2_000).elementsEqual(1...2_000))
        // Two are found: the error, and what lint says of it.
        #expect(
            numbers.contains(6_001) && numbers.contains(6_002) && numbers.contains(5_997) && numbers.contains(6_007))
        #expect(numbers.count < 2_100)
        let conversation = try Self.part("conversation", of: Self.page(model))
        #expect(conversation.contains("The first 2000 of 12002 operations, and those around what went wrong later."))
        #expect(conversation.contains("operations left out"))
    }

    @Test func aSelectionLeavesOutTheRest() throws {
        var selection = Selection()
        selection.frames = 2...3
        let model = Self.model(Self.packets, selection)
        expect(model.operations.map(\.frame), equals: [2, 3])
        expect(model.totals.operations, equals: 2)
        #expect(try Self.page(model).contains("Only a part of the capture was asked for"))
        selection.frames = 100...200
        #expect(Self.model(Self.packets, selection).whyNothing != nil)
    }

    @Test func valuesAreLeftOut() throws {
        let model = try document(ofCapture: "heart-rate.btsnoop") {
            ReportCollector(selection: Selection(), values: $0)
        }
        let values = ["Pulsar Instruments", "72 bpm", "87 %", "Heart Rate Measurement Value"]
        let (shown, hidden) = (try Self.page(model), try Self.page(model, showsValues: false))
        for value in values { #expect(shown.contains(value) && !hidden.contains(value), "\(value)") }
    }

    // MARK: Plots

    @Test func plotsHaveGapsAndDots() throws {
        // Battery Level at 0x0003, each second, and once after half a minute.
        let discovery: [Packet] = [
            .connected(), .att(.tx, "08 0100 FFFF 0328"), .att(.rx, "09 07 0200 12 0300 192A"),
        ]
        let values = (0..<8).map { number in
            Packet.att(.rx, "1B 0300 5\(number)").at(milliseconds: Double(3_000 + number * 1_000))
        }
        let late = Packet.att(.rx, "1B 0300 40").at(milliseconds: 40_000)
        let plots = try Self.part("plots", of: Self.page(of: discovery + values + [late]))
        #expect(
            plots.contains(
                "<strong>Battery Level</strong> <span class=\"faint\"><span class=\"sum\">9 values, 64 to 87 %, mean"))
        #expect(plots.contains("<title>no value for 30 s</title>"))
        // The line begins again after the gap.
        let line = try #require(plots.firstMatch(of: /<path class="line l0" data-n="" d="([^"]*)"/)).1
        expect(line.count { $0 == "M" }, equals: 2)
        let dots = try #require(plots.firstMatch(of: /<path class="line l0 dots" d="([^"]*)"/)).1
        expect(dots.count { $0 == "M" }, equals: 9)
        // 64 to 87 %.
        let labels = plots.matches(of: #/<span>(\d+)( %)?</span>/#).map { "\($0.1)\($0.2 ?? "")" }
        expect(labels.prefix(4), equals: ["90 %", "80", "70", "60"])
    }

    /// Battery Level, read and notified: two values say no more than a table does.
    @Test(arguments: [2, 3]) func fewerThanThreeValuesMakeNoPlot(count: Int) throws {
        let discovery: [Packet] = [
            .connected(), .att(.tx, "08 0100 FFFF 0328"), .att(.rx, "09 07 0200 12 0300 192A"),
        ]
        let page = try Self.page(of: discovery + (0..<count).map { .att(.rx, "1B 0300 5\($0)") })
        expect(page.contains("<strong>Battery Level</strong> <span"), equals: count == 3)
        expect(page.contains("id=\"c1-plots\""), equals: count == 3)
    }

    @Test func theRoundTripsOfAllMethodsAreOnePlot() throws {
        let reads = (0..<2).flatMap { _ in [Packet.att(.tx, "0A 0300"), .att(.rx, "0B 5A")] }
        let write: [Packet] = [.att(.tx, "12 0300 01"), .att(.rx, "13")]
        let plots = try Self.part("plots", of: Self.page(of: [.connected()] + reads + write))
        expect(plots.components(separatedBy: "<strong>Round trips</strong>").count, equals: 2)
        #expect(plots.contains("/></svg> Read: <span class=\"sum\">2 values, all 1000 ms</span>"))
        #expect(plots.contains("/></svg> Write: <span class=\"sum\">1 value, 1000 ms</span>"))
        // Nothing was measured between two requests: dots, and no line.
        let line = try #require(plots.firstMatch(of: /<path class="line l0 dots" data-n="" d="([^"]*)"/)).1
        #expect(line.count { $0 == "M" } == 2 && !line.contains("L"))
    }

    /// Three reports of a device that connects, and of one that does not.
    @Test func theSignalOfStrangersIsFolded() throws {
        func reports(_ address: String) -> [Packet] { (0..<3).map { _ in .advertisement(of: address, []) } }
        let packets = reports(Address.strap) + reports(Address.probe)
        let plots = try Self.part("plots", of: Self.page(of: packets + [.connected()]))
        let fold = try #require(
            plots.range(of: "<details class=\"folded\"><summary>RSSI of 1 device without a connection"))
        expect(plots[..<fold.lowerBound].components(separatedBy: "<strong>RSSI</strong>").count, equals: 2)
        expect(plots[fold.lowerBound...].components(separatedBy: "<strong>RSSI</strong>").count, equals: 2)
        // Without any connection, nobody is a stranger.
        #expect(!(try Self.part("plots", of: Self.page(of: packets))).contains("<details"))
    }

    /// Flags of Heart Rate Measurement: Sensor Contact Detected, and Supported.
    @Test func flagsAreBandsBelowThePlot() throws {
        let discovery: [Packet] = [
            .connected(), .att(.tx, "08 0100 FFFF 0328"), .att(.rx, "09 07 0200 10 0300 372A"),
        ]
        let plots = try Self.part(
            "plots", of: Self.page(of: discovery + ["04 48", "06 49", "06 4A"].map { .att(.rx, "1B 0300 \($0)") }))
        #expect(plots.contains("aria-label=\"Sensor Contact Detected: off, on; 2 bands\""))
        #expect(plots.contains("class=\"on\"><title>on from 4.000000 s to 5.000000 s</title></rect>"))
        #expect(!plots.contains("Sensor Contact Supported"))
    }

    // MARK: Markdown

    @Test func markdownFitsIntoATicket() throws {
        func markdown(_ models: [ReportModel]) throws -> String {
            try printed { output in
                var document = ReportMarkdown(
                    ReportOptions(title: "a|b <c>"), values: ValueInterpreter(library: .withExamples))
                document.write(models.map { ("a.btsnoop", $0) }, into: &output)
            }
        }
        let model = Self.model(Self.packets)
        let short = try markdown([model])
        #expect(short.hasPrefix("# a\\|b \\<c>\n\n## `a.btsnoop`\n\n2 things broke.\n\n1. **F2"))
        #expect(
            short.contains(
                "| 1 | F2:F2:F2:F2:F2:F2 | 0.000000 s, frame 1 | lost after 5 s: Connection Timeout"))
        #expect(short.contains("| → Read unknown handles | 2 | 1 s | 1 s | 1 s | 1 s | 0 |"))
        let long = try markdown([ReportModel](repeating: model, count: 200))
        #expect(long.count <= 65_536 && long.count > 60_000)
        #expect(long.contains(/\n\d+ lines more do not fit into 65536 characters\.\n$/))
    }
}

/// … of every capture.
@Suite struct ReportPageLongTests {
    @Test(arguments: Repository.captureNames) func nothingIsAskedForFromOutside(_ name: String) throws {
        try ReportPageTests().nothingIsAskedForFromOutside(name)
    }

    @Test(arguments: Repository.captureNames) func figuresAreThoseOfStats(_ name: String) throws {
        try ReportPageTests().figuresAreThoseOfStats(name)
    }
}
