import AttlasDefinitionFiles
import AttlasDissection
import AttlasFilter
import AttlasIncidents
import AttlasLint
import AttlasValues
import AttlasWire

/// Reads one expectation.
struct ExpectationReader {
    private static let checks = [
        "exists", "properties", "notifies-within", "rate-at-least", "errors-at-most", "rtt", "range",
        "reconnects-within",
        "lint", "incidents",
    ]

    let path: String
    let library: DissectorLibrary

    func read(_ node: YAMLNode) throws(CompileMistake) -> Expectation {
        let what = "an expectation"
        let mapping = try YAMLMapping(
            node, what: what,
            keys: ["id", "severity", "reason", "peer", "service", "characteristic", "method", "field"] + Self.checks)
        let given = Self.checks.filter { mapping[$0] != nil }
        guard given.count == 1, let key = given.first, let value = mapping[key] else {
            throw node.mistake("expected exactly one of \(Self.checks.joined(separator: ", "))")
        }
        for (other, of) in [("method", "rtt"), ("field", "range")] where key != of {
            if let node = mapping[other] { throw node.mistake("\"\(other)\" is for \"\(of)\"") }
        }
        let subject = try subject(mapping, of: key)
        let id = try mapping.required("id", of: what)
        let title =
            try [mapping["peer"], mapping["service"], mapping["characteristic"], mapping["method"], mapping["field"]]
            .compactMap(\.self).map { (node) throws(CompileMistake) in try node.text("a name") } + [
                "\(key) \(value.words)"
            ]
        let severity: LintRule.Severity? = try mapping["severity"]?.word("a severity")
        let rule = LintRule(
            expectation: "expect/\(try self.id(id))", severity ?? .error, title: title.joined(separator: " › "),
            explanation: try mapping["reason"]?.text("a reason") ?? "", section: "\(path):\(node.position.line)")
        return Expectation(rule: rule, subject: subject, check: try check(key, value, mapping))
    }

    private func id(_ node: YAMLNode) throws(CompileMistake) -> String {
        let text = try node.text("an id")
        guard text.wholeMatch(of: /[a-z0-9]+(-[a-z0-9]+)*/) != nil else {
            throw node.mistake("expected small letters, digits and hyphens, found \"\(text)\"")
        }
        return text
    }

    // MARK: Subjects

    private func subject(_ mapping: YAMLMapping, of check: String) throws(CompileMistake) -> Expectation.Subject {
        var subject = Expectation.Subject()
        let (peer, service, characteristic) = (mapping["peer"], mapping["service"], mapping["characteristic"])
        switch check {
        case "exists" where service == nil && characteristic == nil:
            throw mapping.node.mistake("\"exists\" needs a \"service\" or a \"characteristic\"")
        case "properties", "range", "notifies-within", "rate-at-least":
            _ = try mapping.required("characteristic", of: "\"\(check)\"")
        default: break
        }
        if check == "range", let other = peer ?? service {
            throw other.mistake("\"range\" is about the values of a characteristic of all peers and services")
        }
        if check == "reconnects-within", let other = service ?? characteristic {
            throw other.mistake("\"reconnects-within\" is about peers")
        }
        subject.peer = try peer.map { (node) throws(CompileMistake) in FoldedText(try node.text("a name or an address"))
        }
        subject.service = try service.map { (node) throws(CompileMistake) in try name(node, "service") }
        subject.characteristic = try characteristic.map { (node) throws(CompileMistake) in try name(node, "char") }
        return subject
    }

    /// A UUID, or a name that the filter knows.
    private func name(_ node: YAMLNode, _ property: String) throws(CompileMistake) -> Expectation.AttributeName {
        let text = try node.text("a UUID or a name")
        try hold(node, "\(property) == \"\(text)\"", text)
        return Expectation.AttributeName(text: text)
    }

    /// The filter judges names, with its messages.
    private func hold(_ node: YAMLNode, _ filter: String, _ text: String) throws(CompileMistake) {
        guard !text.contains("\""), !text.contains("\\") else { throw node.mistake("\"\(text)\" is no name") }
        do throws(FilterMistake) {
            _ = try Filter(filter, library: library)
        } catch {
            throw node.mistake(error.message)
        }
    }

    // MARK: Checks

    private func check(
        _ key: String, _ value: YAMLNode, _ mapping: YAMLMapping
    ) throws(CompileMistake) -> Expectation.Check {
        switch key {
        case "exists": return .exists(try value.boolean("whether it exists"))
        case "properties": return .properties(try properties(value))
        case "notifies-within": return .notifiesWithin(try duration(value, try value.text("a duration")))
        case "reconnects-within": return .reconnectsWithin(try duration(value, try value.text("a duration")))
        case "rate-at-least":
            let text = try value.text("a number of values in a second")
            guard let rate = Double(text), rate > 0, rate.isFinite else {
                throw value.mistake("expected a number of values in a second, found \"\(text)\"")
            }
            return .rateAtLeast(rate)
        case "errors-at-most": return .errorsAtMost(try count(value, of: "errors"))
        case "rtt": return try roundTrip(value, mapping["method"])
        case "range":
            let field = try mapping.required("field", of: "\"range\"")
            let name = try field.text("the name of a field")
            try hold(field, "field(\"\(name)\")", name)
            return .range(field: FoldedText(name), try range(value))
        case "incidents": return .incidents(try incidents(value))
        default:
            let rules = try value.text("a rule")
            let known = LintRule.all.map(\.id)
            guard known.contains(where: Glob(text: rules).matches) else {
                throw value.mistake("there is no rule \"\(rules)\"\(NearestWord.suggestion(for: rules, among: known))")
            }
            return .lint(Glob(text: rules))
        }
    }

    /// `none`, `{ link lost: 2 }`
    private func incidents(_ node: YAMLNode) throws(CompileMistake) -> [Incident.Kind: Int] {
        if node.scalar == "none" { return [:] }
        var limits: [Incident.Kind: Int] = [:]
        for (key, value) in try node.pairs("none, or a mapping such as { link lost: 2 }") {
            let name = try key.text("a kind of incident")
            guard let kind = Incident.Kind(rawValue: name) else {
                let kinds = Incident.Kind.allCases.map(\.rawValue)
                throw key.mistake("no incident is called \"\(name)\"\(NearestWord.suggestion(for: name, among: kinds))")
            }
            limits[kind] = try count(value, of: "incidents")
        }
        return limits
    }

    private func count(_ node: YAMLNode, of things: String) throws(CompileMistake) -> Int {
        let count = try node.integer("a number of \(things)")
        guard 0...1_000_000_000 ~= count else { throw node.mistake("expected a number of \(things), found \(count)") }
        return Int(count)
    }

    private func properties(_ node: YAMLNode) throws(CompileMistake) -> CharacteristicProperties {
        var properties: CharacteristicProperties = []
        let names = CharacteristicProperties.names.map { "\($0.1)" }
        for item in try node.list("a list of properties") {
            let name = try item.text("a property")
            guard names.contains(name) else {
                throw item.mistake(
                    "expected \(names.joined(separator: ", ")), found \"\(name)\""
                        + NearestWord.suggestion(for: name, among: names))
            }
            properties.formUnion(CharacteristicProperties(names: [name]))
        }
        return properties
    }

    /// `p99 < 100 ms`
    private func roundTrip(_ node: YAMLNode, _ method: YAMLNode?) throws(CompileMistake) -> Expectation.Check {
        let text = try node.text("a limit such as p99 < 100 ms")
        let percentiles: [String: Double?] = ["p50": 50, "p90": 90, "p99": 99, "max": nil]
        guard let match = text.wholeMatch(of: /(p50|p90|p99|max) *< *(.+)/),
            let percentile = percentiles[String(match.1)]
        else {
            throw node.mistake("expected p50, p90, p99 or max, and a limit such as p99 < 100 ms; found \"\(text)\"")
        }
        let name = try method.map { (node) throws(CompileMistake) in
            let text = try node.text("the name of an ATT PDU")
            try hold(node, "method == \"\(text)\"", text)
            return FoldedText(text.replacing("_", with: " "))
        }
        let limit = try duration(node, String(match.2))
        return .roundTrip(method: name, percentile: percentile, below: Int(limit / 1_000))
    }

    /// `30..220`, `..220`, `30..`
    private func range(_ node: YAMLNode) throws(CompileMistake) -> ClosedRange<Double> {
        let text = try node.text("a range such as 30..220")
        guard let dots = text.firstRange(of: "..") else {
            throw node.mistake("expected a range such as 30..220, ..220 or 30.., found \"\(text)\"")
        }
        let ends = [text[..<dots.lowerBound], text[dots.upperBound...]].map { $0.filter { $0 != " " } }
        let first = ends[0].isEmpty ? -Double.infinity : Double(ends[0])
        let last = ends[1].isEmpty ? Double.infinity : Double(ends[1])
        guard let first, let last, first <= last else {
            throw node.mistake("expected a range such as 30..220, ..220 or 30.., found \"\(text)\"")
        }
        return first...last
    }

    /// `200 ms`, `1.5s`: nanoseconds.
    private func duration(_ node: YAMLNode, _ text: String) throws(CompileMistake) -> Int64 {
        let units = ["us": 1e3, "ms": 1e6, "s": 1e9, "min": 6e10]
        guard let match = text.wholeMatch(of: /([0-9]+(?:\.[0-9]+)?) *(us|ms|s|min)/), let number = Double(match.1),
            let unit = units[String(match.2)], number * unit <= 1e18
        else { throw node.mistake("expected a duration such as 200 ms or 1.5 s, found \"\(text)\"") }
        return Int64(number * unit)
    }
}

extension YAMLNode {
    /// As in a title.
    fileprivate var words: String {
        switch content {
        case .scalar(let text): text
        case .list(let items): items.map(\.words).joined(separator: ", ")
        case .mapping(let pairs): pairs.map { "\($0.key.words): \($0.value.words)" }.joined(separator: ", ")
        }
    }
}
