import AttlasDefinitionFiles
import AttlasDissection
import AttlasLint

/// All that is wrong with a file of the project.
package struct ProjectMistakes: Error {
    package let mistakes: [DefinitionMistake]
}

/// Reads a file of the project; one mistake does not hide the next.
///
/// To add a key of attlas.yaml: its parser here, its effect in `LintConfiguration`, its mistakes in
/// `ConfigurationTests`, and the key in Documentation/schemas/configuration.schema.json and Documentation/lint.md.
struct ConfigurationReader {
    private let path: String
    /// nil: that of the file.
    private let text: String?
    private var mistakes: [DefinitionMistake] = []

    init(path: String, text: String? = nil) {
        self.path = path
        self.text = text
    }

    mutating func read(into configuration: inout LintConfiguration, _ library: DissectorLibrary) throws {
        try readRoot { reader, node throws(CompileMistake) in
            let root = try YAMLMapping(node, what: "a configuration", keys: ["severities", "exceptions", "limits"])
            for (key, value) in try root["severities"]?.pairs("a mapping of rules to severities") ?? [] {
                reader.attempt { () throws(CompileMistake) in
                    configuration.severities.append((try Self.rule(key), try value.word("a severity")))
                }
            }
            for item in try root["exceptions"]?.list("a list of exceptions") ?? [] {
                reader.attempt { () throws(CompileMistake) in
                    configuration.exceptions.append(try Self.exception(item))
                }
            }
            if let limits = root["limits"] {
                configuration.limits = try reader.expectations(limits, library)
            }
        }
    }

    /// A file of expectations alone.
    mutating func readExpectations(_ library: DissectorLibrary) throws -> [Expectation] {
        var expectations: [Expectation] = []
        try readRoot { reader, node throws(CompileMistake) in
            let root = try YAMLMapping(node, what: "a file of expectations", keys: ["expectations"])
            let list = try root.required("expectations", of: "a file of expectations")
            expectations = try reader.expectations(list, library)
        }
        return expectations
    }

    private mutating func expectations(
        _ node: YAMLNode, _ library: DissectorLibrary
    ) throws(CompileMistake) -> [Expectation] {
        let reader = ExpectationReader(path: path, library: library)
        var expectations: [Expectation] = []
        for item in try node.list("a list of expectations") {
            attempt { () throws(CompileMistake) in
                let expectation = try reader.read(item)
                guard !expectations.contains(where: { $0.rule.id == expectation.rule.id }) else {
                    throw item.mistake("two expectations have the id of \(expectation.rule.id)")
                }
                expectations.append(expectation)
            }
        }
        return expectations
    }

    /// - Throws: `ProjectMistakes`
    private mutating func readRoot(
        _ body: (inout ConfigurationReader, YAMLNode) throws(CompileMistake) -> Void
    ) throws {
        do {
            let text = try text ?? DefinitionSource.files(at: path).first?.text ?? ""
            try body(&self, YAMLNode(fileOf: text))
        } catch let mistake as DefinitionMistake {
            mistakes.append(mistake)
        } catch let mistake as CompileMistake {
            mistakes.append(DefinitionMistake(mistake, file: path))
        }
        if !mistakes.isEmpty { throw ProjectMistakes(mistakes: mistakes) }
    }

    mutating func attempt(_ body: () throws(CompileMistake) -> Void) {
        do throws(CompileMistake) {
            try body()
        } catch {
            mistakes.append(DefinitionMistake(error, file: path))
        }
    }

    private static func exception(_ node: YAMLNode) throws(CompileMistake) -> LintConfiguration.Exception {
        let mapping = try YAMLMapping(node, what: "an exception", keys: ["rule", "file", "peer", "reason"])
        return LintConfiguration.Exception(
            rule: try rule(try mapping.required("rule", of: "an exception")),
            file: try mapping["file"]?.text("a pattern of paths").glob,
            peer: try mapping["peer"]?.text("a part of a name or an address"),
            reason: try mapping.required("reason", of: "an exception").text("a reason"))
    }

    /// The id of a rule, or a pattern of ids.
    private static func rule(_ node: YAMLNode) throws(CompileMistake) -> Glob {
        let text = try node.text("a rule")
        let known = LintRule.all.map(\.id)
        guard known.contains(where: text.glob.matches) || text.hasPrefix("expect/") else {
            throw node.mistake("there is no rule \"\(text)\"\(NearestWord.suggestion(for: text, among: known))")
        }
        return text.glob
    }
}

extension String {
    fileprivate var glob: Glob { Glob(text: self) }
}
