import AttlasCapture
import AttlasText
import AttlasWire

/// The fixed part of a page: report.html with report.css and report.js in it, and their hashes for its Content Security Policy.
enum PageFrame {
    static let style = withoutComments(file("report.css"))
    static let script = withoutComments(file("report.js"))

    /// Parts before the captures, with `{{title}}` in two places, and after them.
    static let parts: [String] = file("report.html")
        .replacing("{{style-hash}}", with: hash(style)).replacing("{{script-hash}}", with: hash(script))
        .replacing("{{style}}", with: style).replacing("{{script}}", with: script)
        .replacing("{{version}}", with: "\(AttlasVersion.text)")
        .split(separator: "{{captures}}").map(String.init)

    /// Base64 of the SHA-256. CSP Level 3, 2.3.1.
    static func hash(_ text: String) -> String {
        var hash = SHA256()
        hash.update(Bytes(Array(text.utf8).span))
        return hash.octets().base64
    }

    /// Comments have separate lines, and indentation is for authors.
    private static func withoutComments(_ text: String) -> String {
        text.split(separator: "\n").map { $0.drop { $0 == " " } }.filter { !$0.hasPrefix("//") && !$0.hasPrefix("/*") }
            .joined(separator: "\n") + "\n"
    }

    private static func file(_ name: String) -> String { embeddedFiles.first { $0.name == name }?.text ?? "" }
}
