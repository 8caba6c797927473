import AttlasLint
import AttlasTestSupport
import Testing

@testable import AttlasDocuments

/// The forms of findings for CI. The schemas of others judge them elsewhere; the texts here are written by hand.
@Suite struct LintFormatsTests {
    /// Battery Level at 0x0003, asked for twice before the first answer; then two errors with a reserved code.
    private static let packets: [Packet] = [
        .connected(), .att(.tx, "10 0100 FFFF 0028"), .att(.rx, "11 06 0100 0400 0F18"),
        .att(.tx, "08 0100 0400 0328"), .att(.rx, "09 07 0200 02 0300 192A"),
        .att(.tx, "0A 0300"), .att(.tx, "0A 0300"), .att(.rx, "0B 5A"), .att(.rx, "0B 5A"),
        .att(.tx, "0A 0300"), .att(.rx, "01 0A 0300 20"), .att(.tx, "0A 0300"), .att(.rx, "01 0A 0300 20"),
    ]
    private static let overlap =
        "Read Request before the Read Request of frame 6 was answered. (by the host · F2:F2:F2:F2:F2:F2 · Battery › Battery Level)"
    private static let reserved =
        "Error code 0x20. 2 times, last in frame 13. (by the peer · F2:F2:F2:F2:F2:F2 · Battery › Battery Level)"

    private func report(
        _ packets: [Packet] = packets, file: String = "log/a b.btsnoop", rules: [String] = []
    ) -> LintReport {
        var model = document(of: packets) { LintCollector(values: $0) }
        if !rules.isEmpty { model.rules = LintRule.all.filter { rules.contains($0.id) } }
        return LintReport(file: file, model, offsets: [7: 512])
    }

    private static let two = ["att/request-overlap", "att/reserved-error-code"]

    private func fingerprint(_ place: Int, _ report: LintReport) -> String { report.model.findings[place].fingerprint }

    @Test func sarif() throws {
        let report = report(rules: Self.two)
        func rule(_ index: Int) -> String {
            let rule = report.model.rules[index]
            return """
                {"id": "\(rule.id)", "shortDescription": {"text": "\(rule.title)"},
                 "fullDescription": {"text": "\(rule.explanation)"},
                 "help": {"text": "\(rule.explanation)\\n\(rule.advice)\\nNeeds in the capture: \(rule.needs).\\n\(rule.section)"},
                 "defaultConfiguration": {"level": "\(index == 0 ? "error" : "warning")"}}
                """
        }
        func location(_ region: String) -> String {
            #"[{"physicalLocation": {"artifactLocation": {"uri": "log/a%20b.btsnoop"}, "region": {\#(region)}}}]"#
        }
        let output = try printed { output in
            var document = LintSARIF([report], version: "1.2.3")
            document.write(into: &output)
        }
        try expectJSON(
            output,
            equals: """
                {"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": [{
                  "tool": {"driver": {"name": "attlas", "semanticVersion": "1.2.3", "rules": [\(rule(0)), \(rule(1))]}},
                  "invocations": [{"executionSuccessful": true, "toolExecutionNotifications": []}],
                  "results": [
                   {"ruleId": "att/request-overlap", "ruleIndex": 0, "level": "error", "message": {"text": "\(Self.overlap)"},
                    "locations": \(location(#""startLine": 7, "byteOffset": 512"#)),
                    "partialFingerprints": {"primaryLocationLineHash": "\(fingerprint(0, report))"}},
                   {"ruleId": "att/reserved-error-code", "ruleIndex": 1, "level": "warning",
                    "message": {"text": "\(Self.reserved)"}, "locations": \(location(#""startLine": 11"#)),
                    "partialFingerprints": {"primaryLocationLineHash": "\(fingerprint(1, report))"}}]}]}
                """)
    }

    /// 98 captures with 256 findings each are 25088.
    fileprivate func expectLimitOfSARIF() throws {
        let reads = (1...256).flatMap { handle -> [Packet] in
            let octets = little(handle)
            return [
                .frame(.tx, channel: 4, [0x0A] + octets), .frame(.rx, channel: 4, [0x01, 0x0A] + octets + [0x20]),
            ]
        }
        let report = report([.connected()] + reads)
        let output = try printed { output in
            var document = LintSARIF(Array(repeating: report, count: 98), version: "1")
            document.write(into: &output)
        }
        expect(output.components("\"ruleIndex\":"), equals: 25_000)
        #expect(output.contains(#""text":"88 findings above 25000 were left out""#))
    }

    @Test func junit() throws {
        // Overlapping requests cannot be judged in a log of one side.
        let oneSided = report(
            [.connected()] + (0..<9).map { _ in .att(.tx, "0A 0300") }, file: "one", rules: Self.two)
        let report = report(rules: Self.two)
        let rules = report.model.rules
        let reason = try #require(oneSided.model.unchecked.first { $0.rules.contains(rules[0].id) }).reason
        let output = try printed { output in
            var document = LintJUnit([report, oneSided], failingFrom: .error)
            document.write(into: &output)
        }
        expectText(
            output,
            equals: """
                <?xml version="1.0" encoding="UTF-8"?>
                <testsuites name="attlas" tests="4" failures="1" errors="0" skipped="2">
                  <testsuite name="log/a b.btsnoop" tests="2" failures="1" errors="0" skipped="0">
                    <testcase classname="log/a b.btsnoop" name="att/request-overlap">
                      <failure type="error" message="\(rules[0].title)">frame 7: \(Self.overlap)
                \(rules[0].explanation)
                \(rules[0].advice)
                Needs in the capture: \(rules[0].needs).
                \(rules[0].section)</failure>
                    </testcase>
                    <testcase classname="log/a b.btsnoop" name="att/reserved-error-code">
                      <system-out>frame 11: \(Self.reserved)</system-out>
                    </testcase>
                  </testsuite>
                  <testsuite name="one" tests="2" failures="0" errors="0" skipped="2">
                    <testcase classname="one" name="att/request-overlap">
                      <skipped message="\(reason)"/>
                    </testcase>
                    <testcase classname="one" name="att/reserved-error-code">
                      <skipped message="no Error Response"/>
                    </testcase>
                    <system-err>This log holds only what this host sent. A filter left out what it received: no round trips, no \
                values that it read</system-err>
                  </testsuite>
                </testsuites>

                """)
    }

    @Test func githubAnnotations() throws {
        let output = try printed { output in
            var document = LintAnnotations([report(file: "50%,a:b.btsnoop")])
            document.write(into: &output)
        }
        let rules = report(rules: Self.two).model.rules
        expectText(
            output,
            equals: """
                ::error file=50%25%2Ca%3Ab.btsnoop,line=7,title=att/request-overlap%3A \(rules[0].title)::\(Self.overlap)
                ::warning file=50%25%2Ca%3Ab.btsnoop,line=11,title=att/reserved-error-code%3A \(rules[1].title)::\(Self.reserved)

                """)
    }

    @Test func gitlabCodeQuality() throws {
        let report = report()
        let output = try printed { output in
            var document = LintCodeQuality([report])
            document.write(into: &output)
        }
        try expectJSON(
            output,
            equals: """
                [{"description": "\(Self.overlap)", "check_name": "att/request-overlap", "fingerprint": "\(fingerprint(0, report))",
                  "severity": "major", "location": {"path": "log/a b.btsnoop", "lines": {"begin": 7}}},
                 {"description": "\(Self.reserved)", "check_name": "att/reserved-error-code",
                  "fingerprint": "\(fingerprint(1, report))", "severity": "minor",
                  "location": {"path": "log/a b.btsnoop", "lines": {"begin": 11}}}]
                """)
    }

    @Test func markdown() throws {
        let output = try printed { output in
            var document = LintMarkdown([report(), report([], file: "empty")])
            document.write(into: &output)
        }
        expectText(
            output,
            equals: #"""
                ## `log/a b.btsnoop`

                1 error · 1 warning

                | severity | frame | rule | finding | where |
                |---|--:|---|---|---|
                | error | 7 | `att/request-overlap` | Read Request before the Read Request of frame 6 was answered. | `by the host · F2:F2:F2:F2:F2:F2 · Battery › Battery Level` |
                | warning | 11 | `att/reserved-error-code` | Error code 0x20. 2 times, last in frame 13. | `by the peer · F2:F2:F2:F2:F2:F2 · Battery › Battery Level` |

                ## `empty`

                Nothing found.

                """#)
    }

    /// A peer whose name is markup of each format, and a line break. In CDATA, in an attribute, in a link, in a code span.
    @Test func hostileNames() throws {
        let name = "](x){0}|``<b a=\"'\">&%\n::error::@a\u{FFFE}"
        let octets = Array(name.utf8)
        let report = report(
            [.advertisement([UInt8(octets.count + 1), 0x09] + octets)] + Self.packets, file: "<a>&\"|`\n]]>")
        let sarif = try printed { output in
            var document = LintSARIF([report], version: "1")
            document.write(into: &output)
        }
        #expect(sarif.contains(#"by the peer · ] (x){{0}}|``<b a=\"'\">&%\\n::error::@a"#))
        #expect(sarif.contains(#""uri":"%3Ca%3E%26%22%7C%60%0A%5D%5D%3E""#))
        let junit = try printed { output in
            var document = LintJUnit([report], failingFrom: .info)
            document.write(into: &output)
        }
        #expect(junit.contains(#"](x){0}|``&lt;b a=&quot;'&quot;&gt;&amp;%\n::error::@a\#u{FFFD} · Battery"#))
        #expect(junit.contains(#"<testsuite name="&lt;a&gt;&amp;&quot;|`\n]]&gt;" "#))
        let annotations = try printed { output in
            var document = LintAnnotations([report])
            document.write(into: &output)
        }
        #expect(annotations.contains(#"](x){0}|``<b a="'">&%25\n::error::@a"#))
        #expect(
            annotations.split(separator: "\n").allSatisfy {
                $0.hasPrefix(#"::"#) && $0.contains(#"file=<a>&"|`\n]]>,line="#)
            })
        let markdown = try printed { output in
            var document = LintMarkdown([report])
            document.write(into: &output)
        }
        #expect(markdown.hasPrefix("## `` <a>&\"|`\\n]]> ``\n"))
        #expect(markdown.contains(#"| ``` by the peer · ](x){0}\|``<b a="'">&%\n::error::@a"#))
    }
}

@Suite struct LintFormatsLongTests {
    @Test func sarifHasAtMost25000Results() throws { try LintFormatsTests().expectLimitOfSARIF() }
}
