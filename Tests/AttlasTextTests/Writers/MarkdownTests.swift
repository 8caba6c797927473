import AttlasTestSupport
import Testing

@testable import AttlasText

/// GitHub Flavored Markdown: what would be markup is escaped, and nothing else. cmark-gfm judges.
@Suite struct MarkdownTests {
    private static func escaped(_ text: String) -> String {
        var buffer = TextBuffer()
        buffer.append(markdown: text)
        return buffer.text
    }

    @Test(arguments: [
        "heart-rate.btsnoop", "HRM-7 F2:F2:F2:F2:F2:F2: connection lost 6 times (0x08); p50 59.4 ms", "09:55:22 UTC",
        "Battery › Battery Level", "-45 dBm", "a_b", "a__b_c", "R&D", "1.5 s", "3 × 4 = 12!", "a + b, {c}", "20-30",
        "→ Read",
    ])
    func whatIsNoMarkupStaysAsItIs(_ text: String) {
        expect(Self.escaped(text), equals: text)
    }

    @Test(arguments: [
        ("*a*", #"\*a\*"#), ("_a_", #"\_a\_"#), ("[a](b)", #"\[a\](b)"#), ("<b>", #"\<b>"#), ("a|b", #"a\|b"#),
        ("&amp;", #"\&amp;"#), ("# a", "\\# a"), ("#12", "\\#12"), ("- a", #"\- a"#), ("> a", #"\> a"#),
        ("1. a", #"1\. a"#), ("12) a", #"12\) a"#), ("---", #"\---"#), (":tada:", #"\:tada:"#),
        ("https://a.b", #"https\://a.b"#), ("www.a.b", #"www\.a.b"#), ("@a", "@<!-- -->a"), ("&#x23;", "\\&#x23;"),
        ("a\\", #"a\\"#), ("“_a_”", #"“\_a\_”"#),
    ])
    func whatWouldBeMarkupIsEscaped(_ text: String, _ expected: String) {
        expect(Self.escaped(text), equals: expected)
    }

    /// As the whole of a paragraph: nothing but the text comes out.
    @Test(.enabled(if: Tool("cmark-gfm") != nil)) func noTextIsMarkup() throws {
        let tool = try #require(Tool("cmark-gfm"))
        var random = SplitMix64(seed: 1)
        let pieces = [
            "*", "_", "`", "[", "]", "(", ")", "<", ">", "#", "+", "-", "=", "!", "|", "~", "&", ":", "@", "\\", ".",
            " ",
            "a", "B", "7", "12", "é", "“", "好", "€", "amp;", "#35;", "http://a.b", "www.a.b", "a@b.c", "&copy", "1.",
            "---", "```",
        ]
        let texts = (0..<2_000).map { _ in
            (0..<Int.random(in: 1...8, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
        }.map(\.trimmingBlanks).filter { !$0.isEmpty }
        let html = try tool.run(
            ["--extension", "table", "--extension", "autolink", "--extension", "strikethrough"],
            input: Array(texts.map(Self.escaped).joined(separator: "\n\n").utf8))
        let paragraphs = String(decoding: html, as: UTF8.self).split(separator: "\n").map(String.init)
        expect(paragraphs.count, equals: texts.count)
        for (paragraph, text) in zip(paragraphs, texts) {
            var expected = TextBuffer()
            expected.append(xml: text)
            let shown = paragraph.replacing("<!-- raw HTML omitted -->", with: "").replacing("&quot;", with: "\"")
                .replacing(
                    "&#39;", with: "'")
            if shown != "<p>\(expected.text)</p>" { Issue.record("\(text): \(paragraph)") }
        }
    }
}

extension String {
    fileprivate var trimmingBlanks: String {
        String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}
