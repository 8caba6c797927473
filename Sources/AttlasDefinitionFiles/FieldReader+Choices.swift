import AttlasDissection

/// Reads `variants:` and `switch:`.
extension FieldReader {
    func variants(_ node: YAMLNode, of base: YAMLMapping) throws(CompileMistake) -> [Branch] {
        var branches: [Branch] = []
        let items = try node.list("a list of variants")
        for (index, item) in items.enumerated() {
            let keys = Self.keys.filter { !["name", "variants", "switch", "cases"].contains($0) }
            let mapping = try YAMLMapping(item, what: "a variant", keys: keys)
            let condition = try mapping["if"]?.source("an expression")
            guard condition != nil || index == items.count - 1 else {
                throw item.mistake("a variant without \"if\" must be the last one")
            }
            branches.append(
                Branch(condition: condition, elements: [.field(try field(mapping, base: base))]))
        }
        return branches
    }

    func cases(_ mapping: YAMLMapping) throws(CompileMistake) -> [Branch] {
        try refuse(Self.keys.filter { !["switch", "cases", "if"].contains($0) }, mapping)
        let subject = try mapping.required("switch", of: "a switch").source("an expression")
        // A name is written as it is; an expression with operators needs parentheses.
        let isName = subject.text.allSatisfy { $0.isLetter || $0.isNumber || " -".contains($0) }
        let value = isName ? subject.text : "(\(subject.text))"
        var branches: [Branch] = []
        let isText = progress.texts.contains(subject.text)
        var otherwise: Branch?
        for (key, fields) in try mapping.required("cases", of: "a switch").pairs("a mapping of numbers to fields") {
            let text = try key.text("a number, a range or a list of them")
            var branch = try self.branch(fields)
            if text == "default" {
                otherwise = branch
                continue
            }
            let test = isText ? Self.comparison(of: value, with: text) : try tests(of: value, text, key)
            branch.condition = SourceText(text: test, position: subject.position)
            branches.append(branch)
        }
        if let otherwise { branches.append(otherwise) }
        return branches
    }

    /// A list of fields, or a mapping with a summary.
    private func branch(_ node: YAMLNode) throws(CompileMistake) -> Branch {
        if node.scalar == "" { return Branch(condition: nil, elements: []) }
        guard case .mapping = node.content else { return Branch(condition: nil, elements: try elements(node)) }
        let mapping = try YAMLMapping(node, what: "a case", keys: ["fields", "summary"])
        return Branch(
            condition: nil, elements: try mapping["fields"].map(elements) ?? [],
            summary: try mapping["summary"]?.source("a summary"))
    }

    private func tests(of value: String, _ text: String, _ key: YAMLNode) throws(CompileMistake) -> String {
        var tests: [String] = []
        for part in text.split(separator: ",") {
            guard let range = ScalarText.range(String(part)) else {
                throw key.mistake(
                    "expected a number, a range such as 1..3, a list of them or \"default\", found " + "\"\(text)\"")
            }
            tests.append(
                range.lowerBound == range.upperBound
                    ? "\(value) == \(range.lowerBound)"
                    : "\(value) >= \(range.lowerBound) and \(value) <= \(range.upperBound)")
        }
        return tests.joined(separator: " or ")
    }

    /// `Command == "AT"`
    private static func comparison(of name: String, with text: String) -> String {
        let quoted = text.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : "\($0)" }.joined()
        return "`\(name)` == \"\(quoted)\""
    }

    func refuse(_ keys: [String], _ mapping: YAMLMapping) throws(CompileMistake) {
        for key in keys {
            if let node = mapping[key] { throw node.mistake("\"\(key)\" cannot be used together with these keys") }
        }
    }

    /// Fields that are always both present need different names.
    func checkNames(_ elements: [Element]) {
        var seen: Set<String> = []
        for case .field(let field) in elements where !seen.insert(field.name).inserted {
            progress.note(
                CompileMistake(position: field.position, message: "two fields have the name \"\(field.name)\""))
        }
    }
}
