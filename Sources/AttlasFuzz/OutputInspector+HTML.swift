/// A page of HTML: no element, no attribute and no address that is not ours, and every element ends where it should.
extension OutputInspector {
    private static let elements: Set<String> = [
        "html", "head", "meta", "title", "style", "script", "body", "header", "main", "footer", "section", "article",
        "nav",
        "h1", "h2", "h3", "h4", "p", "a", "br", "div", "span", "strong", "code", "bdi", "data", "ul", "ol", "li", "dl",
        "dt",
        "dd", "table", "caption", "thead", "tbody", "tr", "th", "td", "details", "summary", "figure", "figcaption",
        "form",
        "label", "input", "button", "output", "svg", "defs", "path", "circle", "rect", "line", "use", "g", "text",
        "pre",
    ]
    private static let attributes: Set<String> = [
        "lang", "charset", "http-equiv", "content", "name", "class", "id", "href", "role", "hidden", "open", "type",
        "step",
        "min", "start", "tabindex", "scope", "colspan", "value", "width", "height", "x", "y", "x1", "x2", "y1", "y2",
        "dx", "d",
        "r",
        "viewbox", "preserveaspectratio", "aria-label", "aria-labelledby", "aria-hidden", "data-t", "data-u",
        "data-span", "data-leaps", "data-limit",
        "data-to", "data-clock", "data-zone", "data-of", "data-scale", "data-unit", "data-n",
    ]
    /// Elements without an end.
    private static let empty: Set<String> = ["meta", "input", "br"]

    static func html(_ bytes: [UInt8]) -> String? {
        var open: [String] = []
        var counts: [String: Int] = [:]
        var index = bytes.startIndex
        while let start = bytes[index...].firstIndex(of: UInt8(ascii: "<")) {
            guard let end = endOfTag(bytes, from: start) else { return "a tag that does not end" }
            index = end + 1
            let tag = String(decoding: bytes[start + 1..<end], as: UTF8.self)
            if tag == "!DOCTYPE html" { continue }
            if tag.hasPrefix("/") {
                guard open.popLast() == String(tag.dropFirst()) else { return "an end without its beginning: <\(tag)>" }
                continue
            }
            let name = String(tag.prefix { $0.isLetter || $0.isNumber })
            guard elements.contains(name) else { return "a foreign element: <\(tag)>" }
            if let finding = foreignAttribute(tag.dropFirst(name.count)) { return finding }
            counts[name, default: 0] += 1
            if tag.hasSuffix("/") || empty.contains(name) { continue }
            open.append(name)
            guard name == "script" || name == "style" else { continue }
            // Ours, up to its end.
            guard let close = bytes[index...].firstRange(of: Array("</\(name)>".utf8)) else { return "no </\(name)>" }
            index = close.lowerBound
        }
        if !open.isEmpty { return "elements that do not end: \(open)" }
        return counts["script"] == 1 && counts["style"] == 1 ? nil : "another script or style"
    }

    /// Outside of quotes.
    private static func endOfTag(_ bytes: [UInt8], from start: Int) -> Int? {
        var isQuoted = false
        for index in start..<bytes.endIndex {
            if bytes[index] == UInt8(ascii: "\"") { isQuoted.toggle() }
            if bytes[index] == UInt8(ascii: ">"), !isQuoted { return index }
        }
        return nil
    }

    /// Names at even places between double quotes, each with its `=`; values at the odd ones.
    private static func foreignAttribute(_ text: Substring) -> String? {
        let parts = text.split(separator: "\"", omittingEmptySubsequences: false)
        var name = ""
        for (place, part) in parts.enumerated() {
            if place.isMultiple(of: 2) {
                for word in part.split(whereSeparator: { " =/\n".contains($0) }) {
                    name = word.lowercased()
                    if !attributes.contains(name) { return "a foreign attribute: \(text)" }
                }
            } else if name == "href", !part.hasPrefix("#") {
                return "an address: \(text)"
            }
        }
        return nil
    }
}
