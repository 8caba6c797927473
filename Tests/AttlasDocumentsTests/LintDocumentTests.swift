import AttlasLint
import AttlasTestSupport
import Testing

@testable import AttlasDocuments

@Suite struct LintDocumentTests {
    private func findings(_ packets: [Packet]) -> LintModel {
        document(of: packets, as: RecordMaker(step: 1_000_000)) { LintCollector(values: $0) }
    }

    private func text(_ model: LintModel, file: String? = nil, width: Int? = nil) throws -> String {
        try printed { output in
            var text = LintText(model, width: width, isColoured: false)
            text.write(file: file, into: &output)
        }
    }

    private func json(_ model: LintModel, file: String = "a.btsnoop") throws -> String {
        try printed { output in
            var json = LintJSON(model)
            json.write(file: file, into: &output)
        }
    }

    private func rule(_ id: String) throws -> LintRule { try #require(LintRule.all.first { $0.id == id }) }

    /// The members of JSON about the rules that could not be checked.
    private func unchecked(_ model: LintModel) -> String {
        let groups = model.unchecked.map {
            #"{"reason": "\#($0.reason)", "rules": [\#($0.rules.map { "\"\($0)\"" }.joined(separator: ","))]}"#
        }
        return #""rules": \#(model.rules.count), "rules_checked": \#(model.checkedCount), "#
            + #""unchecked_rules": [\#(groups.joined(separator: ","))]"#
    }

    // MARK: One side

    /// Nine requests, of which the filter left out the answers: overlapping requests are no finding.
    @Test func rulesThatNeedBothSidesAreSilentInALogOfOne() throws {
        let model = findings([.connected()] + (0..<9).map { _ in .att(.tx, "0A 0300") })
        #expect(model.findings.isEmpty)
        #expect(
            try text(model).contains(
                "\n· the log holds one direction only: att/request-overlap, att/unanswered-request, att/transaction-timeout, "
                    + "att/request-after-timeout and "))
        #expect(
            try text(model).contains(
                "\n\n✗ This log holds only what this host sent. A filter left out what it received: no round "
                    + "trips, no values that it read\nSilent because of that, in whole or after a gap: att/request-overlap, "
            ))
        #expect(try json(model).contains(#""only_side":"tx""#))
    }

    // MARK: Findings

    /// Battery Level at 0x0003. It is asked for twice before the first answer; then an error has a reserved code, twice.
    private static let hasty: [Packet] = [
        .connected(), .att(.tx, "10 0100 FFFF 0028"), .att(.rx, "11 06 0100 0400 0F18"),
        .att(.tx, "08 0100 0400 0328"), .att(.rx, "09 07 0200 02 0300 192A"),
        .att(.tx, "0A 0300"), .att(.tx, "0A 0300"), .att(.rx, "0B 5A"), .att(.rx, "0B 5A"),
        .att(.tx, "0A 0300"), .att(.rx, "01 0A 0300 20"), .att(.tx, "0A 0300"), .att(.rx, "01 0A 0300 20"),
    ]

    /// A rule's own words are those of Documentation/lint.md.
    @Test func findingsAsText() throws {
        let (overlap, reserved) = (try rule("att/request-overlap"), try rule("att/reserved-error-code"))
        // Explanations continue below their beginning.
        let text = try text(findings(Self.hasty)).replacing(#/\n {10}(?=\S)/#, with: " ")
            .replacing(#/\n· .*/#, with: "")
        let (checked, all) = (findings(Self.hasty).checkedCount, LintRule.all.count)
        expectText(
            text,
            equals: """
                ✗ error   att/request-overlap · \(overlap.title)
                    frame 7       Read Request before the Read Request of frame 6 was answered.
                                  by the host · F2:F2:F2:F2:F2:F2 · Battery › Battery Level · 00:00:08 UTC
                    why   \(overlap.explanation)
                    spec  \(overlap.section)
                    do    \(overlap.advice)

                ! warning att/reserved-error-code · \(reserved.title)
                    frame 11      Error code 0x20. 2 times, last in frame 13.
                                  by the peer · F2:F2:F2:F2:F2:F2 · Battery › Battery Level · 00:00:12 UTC
                    why   \(reserved.explanation)
                    spec  \(reserved.section)
                    do    \(reserved.advice)

                1 error · 1 warning
                \(checked) of \(all) rules could be checked. The others could not:

                """)
    }

    @Test func findingsAsJSON() throws {
        let model = findings(Self.hasty)
        func words(_ id: String) throws -> String {
            let rule = try self.rule(id)
            let fingerprint = try #require(model.findings.first { $0.rule.id == id }).fingerprint
            return """
                "rule": "\(id)", "title": "\(rule.title)", "explanation": "\(rule.explanation)",
                "section": "\(rule.section)", "advice": "\(rule.advice)", "fingerprint": "\(fingerprint)"
                """
        }
        let place = """
            "connection": 1, "peer": {"address": "F2:F2:F2:F2:F2:F2", "address_type": "random-static"}, "server": "peer",
            "handle": 3, "service": {"uuid": "180F", "name": "Battery"},
            "characteristic": {"uuid": "2A19", "name": "Battery Level"}
            """
        try expectJSON(
            json(model),
            equals: """
                {"schema": "attlas/lint/1", "file": "a.btsnoop",
                 "findings": [
                  {\(words("att/request-overlap")), "severity": "error", "frame": 7, "related_frames": [6],
                   "time": "1970-01-01T00:00:08.000000Z", "count": 1, "last_frame": 7, "by": "host", \(place),
                   "message": "Read Request before the Read Request of frame 6 was answered."},
                  {\(words("att/reserved-error-code")), "severity": "warning", "frame": 11,
                   "time": "1970-01-01T00:00:12.000000Z", "count": 2, "last_frame": 13, "by": "peer", \(place),
                   "message": "Error code 0x20."}],
                 "count": {"info": 0, "warning": 1, "error": 1}, "left_out": 0, "suppressed": [], "silent_rules": [],
                 \(unchecked(findings(Self.hasty))), \(complete(Self.hasty.count))}
                """)
    }

    /// A peripheral whose central writes an empty value where the capture knows no characteristic: no peer's name, no path.
    @Test func aPlaceOfWhichLittleIsKnown() throws {
        // Connected before the capture began.
        let model = findings([.att(.tx, "0A 2A00"), .att(.rx, "01 0A 2A00 20")])
        #expect(try text(model).contains("                  by the peer · connection 1 · 0x002A · 00:00:03 UTC\n"))
        let json = try json(model)
        #expect(json.contains(#""by":"peer","connection":1,"server":"peer","handle":42,"message""#))
    }

    // MARK: Nothing, too much, and names that would steer

    @Test func anEmptyCapture() throws {
        let start =
            "Nothing found.\n0 of \(LintRule.all.count) rules could be checked. The others could not:\n· there is no ATT PDU: "
        #expect(try text(findings([])).hasPrefix(start))
        #expect(try text(findings([]), file: "a").hasPrefix("a\n\n" + start))
        try expectJSON(
            json(findings([])),
            equals: #"""
                {"schema": "attlas/lint/1", "file": "a.btsnoop", "findings": [], "count": {"info": 0, "warning": 0, "error": 0}, "left_out": 0,
                 "suppressed": [], "silent_rules": [], \#(unchecked(findings([]))), \#(complete(0))}
                """#)
    }

    /// 300 attributes with the same fault: text lists 20 of them, JSON 256.
    @Test func whatWasLeftOut() throws {
        let reads = (1...300).flatMap { handle -> [Packet] in
            let octets = little(handle)
            return [
                .frame(.tx, channel: 4, [0x0A] + octets), .frame(.rx, channel: 4, [0x01, 0x0A] + octets + [0x20]),
            ]
        }
        let model = findings([.connected()] + reads)
        let lines = try text(model).split(separator: "\n")
        let shown = lines.count { $0.contains("Error code 0x20.") }
        expect(shown, equals: 20)
        #expect(lines.contains("    and 280 more"))
        let json = try json(model)
        expect(json.components("\"rule\":"), equals: 256)
        #expect(json.contains(#","count":{"info":0,"warning":256,"error":0},"left_out":44,"#))
    }

    /// A name that ends a JSON string, begins a line, clears the screen and turns the line round; and a file called like that.
    @Test func hostileNames() throws {
        let name = "a\"\n\u{1B}[2J\u{202E}"
        let octets = Array(name.utf8)
        let model = findings([.advertisement([UInt8(octets.count + 1), 0x09] + octets)] + Self.hasty)
        let text = try text(model, file: name)
        #expect(text.hasPrefix(#"a"\n\u{1B}[2J\u{202E}"# + "\n\n"))
        #expect(text.contains(#"by the peer · a"\n\u{1B}[2J\u{202E} · Battery › Battery Level · 00:00:13 UTC"# + "\n"))
        let json = try json(model, file: name)
        #expect(json.hasPrefix(#"{"schema":"attlas/lint/1","file":"a\"\n\u001b[2J\u202e","findings":[{"#))
        #expect(json.contains(#""address_type":"random-static","name":"a\"\n\u001b[2J\u202e"}"#))
    }

    @Test func noLineOfAFindingPassesTheEdge() throws {
        for line in try text(findings(Self.hasty), width: 60).split(separator: "\n") { #expect(line.count <= 60) }
    }
}
